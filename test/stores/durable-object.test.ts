/** The store in a Durable Object of Cloudflare's own runtime. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as elsewhere from "../../src/stores/durable-object/elsewhere.js";
import { createDurableObjectStore, type StoreNamespace } from "../../src/stores/durable-object/elsewhere.js";
import type { Store } from "../../src/stores/store.js";
import { hasMiniflare, type Simulator, startMiniflare } from "../support/miniflare.js";
import { describeStore } from "./conformance.js";
import { expectToFollowModel } from "./model.js";

const isHere = hasMiniflare("Durable Object conformance");
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const HOUR = 3_600_000;

describe.skipIf(!isHere)("in a Durable Object", () => {
  let simulator: Simulator;
  let namespace: StoreNamespace;
  let states = 0;

  beforeAll(async () => {
    simulator = await startMiniflare(
      `export { CoinslotStore } from "./src/stores/durable-object/index.ts"; export default { fetch: () => new Response() };`,
      { durableObjects: { COINSLOT: { className: "CoinslotStore", useSQLite: true } } },
    );
    namespace = await simulator.getDurableObjectNamespace("COINSLOT");
  }, 60_000);
  afterAll(() => simulator?.dispose());

  async function open(): Promise<[Store, Store]> {
    const options = { name: `state ${++states}` };
    return [createDurableObjectStore(namespace, options), createDurableObjectStore(namespace, options)];
  }

  describeStore("Durable Object store", { open, pass });

  it("follows the model through any sequence of operations", { timeout: 60_000 }, async () => {
    await expectToFollowModel({ open, runs: 10 });
  });

  it("says that other isolates see it, and keeps the state of each name apart", async () => {
    const [store] = await open();
    const [stranger] = await open();
    expect(store.shared).toBe(true);
    await store.put("a", "1", { ifVersion: 0, ttlMs: HOUR });
    expect(await stranger.get("a")).toBeUndefined();
  });

  it("takes a value of several rows for a shorter one, and the other way round", async () => {
    const [store] = await open();
    const long = "é".repeat(1_500_001);
    const first = (await store.put("a", long, { ifVersion: 0, ttlMs: HOUR })) ?? 0;
    expect((await store.get("a"))?.value === long).toBe(true);
    const second = (await store.put("a", "short", { ifVersion: first, ttlMs: HOUR })) ?? 0;
    expect((await store.get("a"))?.value).toBe("short");
    await store.put("a", long, { ifVersion: second, ttlMs: HOUR });
    expect((await store.list("a", { limit: 1 }))[0]?.value === long).toBe(true);
  });
});

describe("without Durable Objects", () => {
  it("the class says where it runs", () => {
    expect(() => new elsewhere.CoinslotStore({}, {})).toThrow("condition workerd");
  });

  it("a binding of something else is refused with what to give", () => {
    for (const wrong of [undefined, {}, "COINSLOT"])
      expect(() => createDurableObjectStore(wrong as never)).toThrow("env.COINSLOT");
  });
});
