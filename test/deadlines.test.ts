/** How long a call may take: what each capability declares, and that it keeps to it while its upstreams say nothing. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { capabilities } from "../src/capabilities/index.js";
import { defineCapability } from "../src/capability/define.js";
import { one } from "../src/capability/output.js";
import type { AnyCapability } from "../src/capability/types.js";
import { createHandler } from "../src/handler/handler.js";
import { readProviders } from "./support/providers.js";
import { quoteOf, TREASURY } from "./support/wallets.js";

const MAX_LOOKUP_MS = 30_000;
const STEP_MS = 1000;

/** Why some may take longer than a lookup of one upstream. */
const LONGER: Record<string, string> = {
  "agent.knowledge-delta": "models",
  "aircraft.lookup": "a bulk file",
  "country.financials": "a workbook, where COUNTRY_RISK_SOURCE chooses it",
  "aircraft.profile": "bulk files, and several upstreams",
  "airport.lookup": "a bulk file",
  "airport.near": "a bulk file",
  "batch.run": "several calls",
  "business.entity-match": "several upstreams, and a bulk file",
  "business.entity-screen": "several upstreams, and bulk files",
  "business.id-resolve": "several upstreams, and a bulk file",
  "business.kyb-360": "several calls, and bulk files",
  "business.naics": "bulk files",
  "class.industry-resolve": "bulk files",
  "climate.station-near": "a bulk file",
  "countdown.gif": "computing",
  "crypto.address-history": "several explorers, one after another",
  "invoice.validate": "computing",
  "pdf.text": "computing, page by page",
  "pdf.to-image": "computing",
  "pdf.to-markdown": "computing, page by page",
  "watchers.arm": "another call",
};

const all = capabilities as readonly AnyCapability[];

interface Waited {
  asked: number;
  /** Past the client that knows time, for files that others wait for as well. */
  downloads: boolean;
  endedAfterMs?: number;
  askedAfterwards?: number;
}
const waited = new Map<string, Waited>();
/** Never made: nothing that could be kept there comes. */
const dataDir = join(tmpdir(), "coinslot-no-such-folder");
/** Callers' own addresses are looked up before they are fetched. */
const outbound = { lookup: async () => [{ address: "93.184.215.14", family: 4 }] };

const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Calls everything that could ask somebody, by a clock that only this moves, and lets nobody ever answer. */
beforeAll(async () => {
  const providers = await readProviders();
  const names = [
    ...providers.flatMap(({ secret, settings = [] }) => [secret, ...settings]).flatMap((each) => each?.name ?? []),
    ...all.flatMap(({ requires }) => requires),
    "CHROMIUM_PATH",
  ];
  const secrets = Object.fromEntries(names.map((name) => [name, `x-of-${name}@example.org`]));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] });
  const start = Date.now();
  const calls = all
    .filter(({ wallet }) => !wallet)
    .map(async (capability) => {
      const seen: Waited = { asked: 0, downloads: false };
      waited.set(capability.id, seen);
      const fetch: typeof globalThis.fetch = (_, init) => {
        seen.asked++;
        seen.downloads ||= init?.redirect !== "manual";
        return new Promise(() => {});
      };
      await capability(capability.example, { fetch, secrets, dataDir, outbound, cache: false }).catch(() => {});
      seen.endedAfterMs = Date.now() - start;
      seen.askedAfterwards = -seen.asked;
    });
  const ended = Promise.all(calls);
  const isUnderWay = ({ asked, endedAfterMs }: Waited) => asked > 0 || endedAfterMs !== undefined;
  // What is loaded on first use takes real time, in which this clock stands still.
  for (let i = 0; i < 20_000 && ![...waited.values()].every(isUnderWay); i++) await turns(5);
  const longest = Math.max(...all.map(({ timeoutMs }) => timeoutMs));
  for (let ms = 0; ms < longest + 60_000; ms += STEP_MS) {
    await vi.advanceTimersByTimeAsync(STEP_MS);
    await turns(3);
  }
  await ended;
  for (const seen of waited.values()) seen.askedAfterwards = (seen.askedAfterwards ?? 0) + seen.asked;
  vi.useRealTimers();
}, 240_000);
afterAll(() => void vi.useRealTimers());

describe("UP-4 a call whose upstreams are silent", () => {
  it("asks somebody, in most capabilities", () => {
    expect([...waited.values()].filter(({ asked }) => asked > 0).length).toBeGreaterThan(60);
  });

  it.each(all.filter(({ wallet }) => !wallet).map(({ id, timeoutMs }) => ({ id, timeoutMs })))(
    "$id ends within the $timeoutMs ms that it declares, all tries together, and asks nothing more",
    ({ id, timeoutMs }) => {
      const { endedAfterMs, askedAfterwards, downloads } = waited.get(id) ?? {};
      expect(endedAfterMs).toBeLessThanOrEqual(timeoutMs + STEP_MS);
      if (!downloads) expect(askedAfterwards).toBe(0);
    },
  );
});

describe("the time that a capability declares", () => {
  it("is that of what it prepares and does together", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const slow = defineCapability({
      id: "test.slow",
      summary: "Prepares for long, and never ends.",
      price: "0.001",
      source: { provider: "test", url: "", license: "MIT" },
      timeoutMs: 30_000,
      input: () => z.strictObject({}),
      output: one(z.object({})),
      example: {},
      prepare: () => new Promise((resolve) => setTimeout(resolve, 20_000)),
      run: () => new Promise<never>(() => {}),
    });
    const handle = createHandler({ capabilities: [slow], payment: false });
    let status: number | undefined;
    void Promise.resolve(handle(new Request("http://shop.test/api/test/slow"))).then((answer) => {
      status = answer.status;
    });
    for (let ms = 0; ms < 29_000; ms += STEP_MS) await vi.advanceTimersByTimeAsync(STEP_MS).then(() => turns(3));
    expect(status).toBeUndefined();
    for (let ms = 0; ms < 3000; ms += STEP_MS) await vi.advanceTimersByTimeAsync(STEP_MS).then(() => turns(3));
    expect(status).toBe(502);
    vi.useRealTimers();
    await handle.close();
  });

  it.each(all.map(({ id, group, timeoutMs }) => ({ id, group, timeoutMs })))(
    "is that of a lookup for $id, unless there is a reason",
    ({ id, group, timeoutMs }) => {
      if (group === "ai") return;
      if (LONGER[id]) expect(timeoutMs, `${id} needs no reason any more`).toBeGreaterThan(MAX_LOOKUP_MS);
      else expect(timeoutMs).toBeLessThanOrEqual(MAX_LOOKUP_MS);
    },
  );

  it("is in the quote, which outlives it, in the directory and in the OpenAPI document", async () => {
    const handle = createHandler({
      capabilities,
      payment: { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://facilitator.test" } },
    });
    const quote = quoteOf(await handle(new Request("http://shop.test/api/book/search?title=Dune")));
    expect(quote.accepts.map(({ maxTimeoutSeconds }) => maxTimeoutSeconds)).toEqual([30 + 60]);
    const { paths } = handle.openapi({ all: true }) as { paths: Record<string, Record<string, object>> };
    for (const { id, method, path, timeoutSeconds } of handle.directory().endpoints) {
      expect([id, timeoutSeconds]).toEqual([id, (all.find((each) => each.id === id)?.timeoutMs ?? 0) / 1000]);
      const operation = Object.entries(paths).find(([name]) => path.endsWith(name))?.[1]?.[method.toLowerCase()];
      expect(operation).toMatchObject({ "x-svc-timeout-seconds": timeoutSeconds });
    }
    await handle.close();
  });
});
