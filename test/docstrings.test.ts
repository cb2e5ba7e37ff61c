/** Docstrings of the package's entries: every exported function has an example, and the examples of fields are true. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as inputs from "../src/capability/fields.js";
import * as money from "../src/lib/money.js";
import * as accounts from "../src/payment/networks/accounts.js";
import { segments } from "../src/upstream/client.js";
import * as answerObjects from "../src/upstream/fields/objects.js";
import * as answerRows from "../src/upstream/fields/rows.js";
import * as answerTimes from "../src/upstream/fields/times.js";
import * as answerValues from "../src/upstream/fields/values.js";
import { pathFromRoot } from "./support/render-indexes.js";

const ENTRIES: Readonly<Record<string, () => Promise<object>>> = {
  index: () => import("../src/index.js"),
  "client/index": () => import("../src/client/index.js"),
  "capability/published-fields": () => import("../src/capability/published-fields.js"),
  "mcp/index": () => import("../src/mcp/index.js"),
  "payment/index": () => import("../src/payment/index.js"),
  "resell/index": () => import("../src/resell/index.js"),
  "tools/index": () => import("../src/tools/index.js"),
  "adapters/express": () => import("../src/adapters/express.js"),
  "adapters/fastify": () => import("../src/adapters/fastify.js"),
  "adapters/hono": () => import("../src/adapters/hono.js"),
  "adapters/lambda/index": () => import("../src/adapters/lambda/index.js"),
  "adapters/next": () => import("../src/adapters/next.js"),
  "adapters/node/index": () => import("../src/adapters/node/index.js"),
  "stores/durable-object": () => import("../src/stores/durable-object/elsewhere.js"),
  "stores/postgres": () => import("../src/stores/postgres/index.js"),
  "stores/redis": () => import("../src/stores/redis/index.js"),
  "upstream/index": () => import("../src/upstream/index.js"),
  "x402/index": () => import("../src/x402/index.js"),
};

const sources = readdirSync(pathFromRoot("src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith("assets.ts"))
  .map((file) => readFileSync(join(pathFromRoot("src"), file), "utf8"));

/** The docstring right before the declaration of an exported function, class or constant; undefined without one. */
function docstringOf(name: string, source: string): string | undefined {
  const declared = new RegExp(`^export (?:async )?(?:function|class|const) ${name}\\b`, "m").exec(source);
  if (!declared) return undefined;
  const before = source.slice(0, declared.index).trimEnd();
  return before.endsWith("*/") ? before.slice(before.lastIndexOf("/**")) : "";
}

/** The lines of code in the example of a docstring. */
const exampleIn = (docstring: string): string[] =>
  (/@example\n \* ```ts\n([\s\S]*?) \* ```/.exec(docstring)?.[1] ?? "")
    .split("\n")
    .map((line) => line.replace(/^ \* ?/, ""));

test.each(Object.entries(ENTRIES))("each function that %s exports has an example", async (_, load) => {
  const exported = await load();
  const functions = Object.entries(exported).filter(([, value]) => typeof value === "function");
  const without = functions.filter(([name, value]) =>
    [name, (value as { name: string }).name].every((known) =>
      sources.every((source) => !docstringOf(known, source)?.includes("@example")),
    ),
  );
  expect(without.map(([name]) => name)).toEqual([]);
});

describe("examples with a value", () => {
  const modules = {
    "capability/fields.ts": inputs,
    "upstream/fields/objects.ts": answerObjects,
    "upstream/fields/rows.ts": answerRows,
    "upstream/fields/times.ts": answerTimes,
    "upstream/fields/values.ts": answerValues,
    "upstream/client.ts": { segments },
    "lib/money.ts": money,
    "payment/networks/accounts.ts": accounts,
  };
  const stated = Object.entries(modules).flatMap(([file, module]) => {
    const source = readFileSync(join(pathFromRoot("src"), file), "utf8");
    return Object.keys(module).flatMap((name) => {
      const lines = exampleIn(docstringOf(name, source) ?? "").filter(Boolean);
      const [, code, value] = /^(.*); \/\/ (.*)$/.exec(lines.at(-1) ?? "") ?? [];
      return code && value ? [[`${file} ${name}`, { module, before: lines.slice(0, -1), code, value }] as const] : [];
    });
  });

  test("are most of the fields'", () => expect(stated.length).toBeGreaterThan(30));

  test.each(stated)("%s", (_, { module, before, code, value }) => {
    const scope = { ...answerValues, ...module, z };
    const run = (text: string) => new Function(...Object.keys(scope), text)(...Object.values(scope)) as unknown;
    expect(run(`${before.join("\n")}\nreturn ${code};`)).toEqual(run(`return ${value};`));
  });
});
