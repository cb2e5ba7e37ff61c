/** What a new Lambda function reads and loads before its first answer: the bundle of examples/lambda-bundle, as counts. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { functionUrlEvent } from "./support/lambda-events.js";
import { pathFromRoot } from "./support/render-indexes.js";
import { TREASURY } from "./support/wallets.js";

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "coinslot-bundle-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  await execute(process.execPath, ["examples/lambda-bundle/build.js", "examples/lambda/handler.js", folder], {
    cwd: pathFromRoot("."),
  });
});

const textOf = (file: string) => readFileSync(join(folder, file), "utf8");

/** A file of the bundle and what it imports at once. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, next = ""] of textOf(file).matchAll(/(?:from|^import|;import) ?"\.\/([^"]+\.mjs)"/gm))
    loadedWith(next, seen);
  return seen;
}

it("most of the bytes wait in files of their own", () => {
  const bytes = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + textOf(file).length, 0);
  const all = bytes(readdirSync(folder).filter((name) => name.endsWith(".mjs")));
  const atOnce = bytes(loadedWith("index.mjs"));
  expect(atOnce).toBeGreaterThan(300_000);
  expect(atOnce).toBeLessThan(1_400_000);
  expect(all).toBeGreaterThan(10 * atOnce);
});

it("zod comes without its forty languages", () => {
  const german = "Eingabe: erwartet";
  expect(readFileSync(pathFromRoot("node_modules/zod/v4/locales/de.js"), "utf8")).toContain(german);
  const english = "Invalid input: expected";
  const [mine, others] = [english, german].map((words) =>
    [...loadedWith("index.mjs")].filter((file) => textOf(file).includes(words)),
  );
  expect([mine?.length, others]).toEqual([1, []]);
});

it("the first 402 needs neither the fetch of Node nor its HTTP server", async () => {
  const event = functionUrlEvent({ method: "GET", target: "/api/convert/unit?value=1&from=kg&to=lb" });
  const program = `
    const { handler } = await import(${JSON.stringify(join(folder, "index.mjs"))});
    const { statusCode } = await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 30_000 });
    const heavy = () => process.moduleLoadList.filter((name) => /undici\\/undici|NativeModule https?$/.test(name));
    const before = heavy();
    globalThis.Headers;
    console.log(JSON.stringify({ statusCode, before, after: heavy() }));
    process.exit();`;
  const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", program], {
    env: {
      ...{ ...process.env, AWS_LAMBDA_FUNCTION_NAME: "shop" },
      ...{ TREASURY_EVM: TREASURY, FACILITATOR_URL: "http://127.0.0.1:9" },
    },
  });
  const { statusCode, before, after } = JSON.parse(stdout);
  expect({ statusCode, before }).toEqual({ statusCode: 402, before: [] });
  expect(after).not.toEqual([]);
});
