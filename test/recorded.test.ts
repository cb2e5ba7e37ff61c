import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { capabilities } from "../src/capabilities/index.js";
import type { Source } from "../src/capability/output.js";
import type { AnyCapability } from "../src/capability/types.js";
import { CapabilityError } from "../src/errors.js";
import { saysNothingFound } from "./support/outages.js";
import { readProviders } from "./support/providers.js";
import { type RecordedExchange, type Recording, readRecordings, replay, writeTables } from "./support/recordings.js";
import { pathFromRoot } from "./support/render-indexes.js";

// Other people's data lies beside the repository where it is developed, and is no part of it.
const FOLDER = pathFromRoot("../shared/upstreams/recorded");
const present = existsSync(FOLDER);
if (!present) console.warn(`RECORDED EXCHANGES ARE NOT REPLAYED: there is no folder ${FOLDER}.`);

const { cases, tables } = present ? readRecordings(FOLDER) : { cases: [], tables: [] };
const dataDir = mkdtempSync(join(tmpdir(), "recorded-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
writeTables(tables, dataDir);

/** Optional keys are set where the recording was made with one, which its address shows. */
const KEYS_BY_ADDRESS: readonly [RegExp, Record<string, string>][] = [
  [/etherscan\.io/, { ETHERSCAN_API_KEY: "test-key" }],
  [/api\.sam\.gov/, { SAM_API_KEY: "test-key" }],
  [/api\.congress\.gov/, { CONGRESS_API_KEY: "test-key" }],
  [/publicAPI\/v2/, { BLS_API_KEY: "test-key" }],
  [/openrouter\.ai/, { AI_GATEWAY_API_KEY: "test-key", AI_GATEWAY_BASE_URL: "https://openrouter.ai/api/v1" }],
  [
    /api\.openai\.com/,
    { AI_GATEWAY_API_KEY: "test-key", OPENAI_API_KEY: "test-key", AI_GATEWAY_BASE_URL: "https://api.openai.com/v1" },
  ],
];

/** What cannot be replayed, and why. */
const SET_ASIDE: Record<string, string> = {
  "crypto.balances/rpc-error-object.json": "is a node's failure in an answer of status 200, and does not say so",
  "crypto.kimchi-premium/upbit-documented-btc-eth.json": "holds the price in won, without one in dollars or a rate",
};

const byId = new Map<string, AnyCapability>(capabilities.map((capability) => [capability.id, capability]));
const replayed = cases.filter(({ capability, file }) => byId.has(capability) && !(file in SET_ASIDE));
/** The gateways' lists of models, which any call of a model may read for its price. */
const modelLists = cases.filter(({ capability }) => capability === "ai.models").flatMap(({ exchanges }) => exchanges);

function secretsFor(capability: AnyCapability, { exchanges, secrets }: Recording): Record<string, string> {
  const required = Object.fromEntries(capability.requires.map((name) => [name, "test-key"]));
  const byAddress = KEYS_BY_ADDRESS.filter(([address]) => exchanges.some(({ url }) => address.test(url)));
  return Object.assign(required, ...byAddress.map(([, keys]) => keys), secrets);
}

async function play(capability: AnyCapability, recorded: Recording) {
  const { fetch, asked } = replay([...recorded.exchanges, ...modelLists]);
  const { now, input } = recorded;
  const clock = now === undefined ? {} : { clock: () => new Date(now) };
  const options = { fetch, dataDir, secrets: secretsFor(capability, recorded), cache: false as const, ...clock };
  return capability(input, options).then(
    (result: unknown) => ({ asked, result, error: undefined }),
    (error: unknown) => ({ asked, result: undefined, error }),
  );
}

const at = (value: unknown, path: string) =>
  path.split(".").reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);

/** `{ error: { status } }` and `{ "error.status" }` are the same fact. */
function factsOf({ expect: facts }: Recording): [string, unknown][] {
  return Object.entries(facts).flatMap(([path, value]): [string, unknown][] =>
    path === "error" ? Object.entries(value as object).map(([key, own]) => [`error.${key}`, own]) : [[path, value]],
  );
}

/** An error that the recording names, or one that only its statuses show, which may also mean that there is nothing. */
function errorIn(recorded: Recording): "named" | "shown" | undefined {
  const facts = factsOf(recorded);
  if (facts.some(([path]) => /^(error\.)?(status|code)$/.test(path))) return "named";
  const { exchanges } = recorded;
  return facts.length === 0 && exchanges.length > 0 && exchanges.every(({ status }) => status >= 400)
    ? "shown"
    : undefined;
}

/** The lines that answers showed, by capability. */
const shown = new Map<string, string[]>();
const providers = new Map((await readProviders()).map((provider) => [provider.name, provider.terms]));

/** An answer of one provider has that one's line, and an answer of several has everybody's. */
function expectLine({ id, terms }: AnyCapability, result: unknown, seen: Map<string, string[]>): void {
  const source = at(result, "source") as Source | undefined;
  const demanded = (source && providers.get(source.provider)) ?? terms;
  expect(source?.attribution ?? null, id).toBe(demanded?.attribution ?? null);
  seen.set(id, [...(seen.get(id) ?? []), ...(source?.attribution ? [source.attribution] : [])]);
}

if (present)
  describe("the exchange recorded at its upstream", () => {
    test.concurrent.each(replayed)("$file", async (recorded) => {
      const capability = byId.get(recorded.capability);
      if (!capability) return;
      const { asked, result, error } = await play(capability, recorded);
      const context = `after ${asked.join(", ")}`;
      const kind = errorIn(recorded);
      if (kind === "named" || (kind && error)) {
        expect(CapabilityError.is(error) && error.status !== 500, `${error}, ${context}`).toBe(true);
      } else if (kind) {
        expect(saysNothingFound({ result }), context).toBe(true);
      } else {
        expect(error, context).toBeUndefined();
        expect(() => capability.output.parse(result)).not.toThrow();
      }
      const subject = error ? { error, ...(error as CapabilityError) } : result;
      for (const [path, value] of factsOf(recorded)) expect(at(subject, path), `${path} ${context}`).toEqual(value);
      for (const [path, [value, tolerance]] of Object.entries(recorded.expectApprox))
        expect(Math.abs(Number(at(subject, path)) - value), path).toBeLessThanOrEqual(tolerance);
      if (!error) expectLine(capability, result, shown);
      const text = error
        ? JSON.stringify([(error as CapabilityError).code, (error as Error).message])
        : JSON.stringify(result);
      for (const part of recorded.contains)
        expect(text.includes(part) || text.includes(JSON.stringify(part).slice(1, -1)), `contains ${part}`).toBe(true);
    });

    test("shows the line of every licence that demands one", () => {
      const silent = [...shown].filter(([id, lines]) => byId.get(id)?.source.attribution && lines.length === 0);
      expect(silent.map(([id]) => id)).toEqual([]);
      expect(new Set([...shown.values()].flat()).size).toBeGreaterThan(15);
    });

    test("is there for capabilities of this package", () => {
      expect(replayed.length).toBeGreaterThan(0);
      expect(cases.map(({ file }) => file)).toEqual(expect.arrayContaining(Object.keys(SET_ASIDE)));
    });
  });

describe("a replay", () => {
  const recorded = (url: string, body: unknown, more: Partial<RecordedExchange> = {}): RecordedExchange => ({
    ...{ method: "GET", url, requestBody: undefined, status: 200, contentType: "application/json", headers: {} },
    body,
    ...more,
  });

  test("answers with the exchange whose query is most alike, and in turn where they are equally so", async () => {
    const url = "https://x.example/a";
    const { fetch, asked } = replay([recorded(`${url}?q=1`, 1), recorded(`${url}?q=2`, 2), recorded(`${url}?q=2`, 3)]);
    const ask = async (address: string) => (await fetch(address)).json();
    expect([await ask(`${url}/?q=2&new=1`), await ask(`${url}?q=2`), await ask(`${url}?q=1`)]).toEqual([2, 3, 1]);
    expect(asked).toHaveLength(3);
    expect((await fetch("https://x.example/b")).status).toBe(599);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(599);
  });

  test("answers JSON-RPC by method and parameters, whichever node is asked, with the question's id", async () => {
    const answer = (method: string, result: string) =>
      recorded(
        "https://node.example",
        { jsonrpc: "2.0", id: 1, result },
        { method: "POST", requestBody: { jsonrpc: "2.0", id: 1, method, params: [] } },
      );
    const { fetch } = replay([answer("eth_chainId", "0x1"), answer("eth_gasPrice", "0x2")]);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 77, method: "eth_gasPrice", params: [] });
    const response = await fetch("https://other.example/rpc", { method: "POST", body });
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 77, result: "0x2" });
  });

  test("sends archives and pictures as bytes", async () => {
    const { fetch } = replay([
      recorded("https://x.example/zip", { "a.txt": "hello" }, { contentType: "application/zip" }),
      recorded("https://x.example/png", "iVBORw==", { contentType: "image/png" }),
    ]);
    const bytes = async (path: string) => Buffer.from(await (await fetch(`https://x.example/${path}`)).arrayBuffer());
    expect((await bytes("zip")).subarray(0, 2).toString()).toBe("PK");
    expect([...(await bytes("png"))]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  });
});
