/** The host's webhooks hear of a grant that runs low, and of one that expired: once each, whatever dies in between. */
import { describe, expect, it } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { failingAt } from "../support/mortal-store.js";
import { openShop } from "../support/shop.js";

const WORK = "/test/work?n=1";
const HOOK = "https://host.test/hooks";
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const LISTENED = [{ url: HOOK, secret, events: ["grant.low", "grant.expired"] }] as const;

interface Heard {
  id: string;
  type: string;
  data: { account: string; grant: Record<string, unknown> };
}

function listening(store: Store = createMemoryStore(), clock = fakeClock("2026-03-10T12:00:00.000Z")) {
  const heard: Heard[] = [];
  const facilitator = fakeFacilitator();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input) !== HOOK) return facilitator.fetch(input, init);
    heard.push({ id: new Headers(init?.headers).get("webhook-id") ?? "", ...JSON.parse(String(init?.body)) });
    return new Response(null, { status: 204 });
  };
  const identify = () => ({ id: "ada" });
  const shared = { store, clock, facilitator, fetch, logger: silent, trial: false } as const;
  const shop = openShop({ ...shared, accounts: { identify }, webhooks: LISTENED });
  const { accounts } = shop.handle;
  const types = () => heard.map(({ type }) => type);
  const typesByNow = async () => {
    await shop.handle.tick();
    return types();
  };
  return { ...shop, accounts, heard, types, typesByNow };
}

describe("GRA-12 the host", () => {
  it("hears once that a fifth of a grant is left, and once that it expired, without another call", async () => {
    const shop = listening();
    const { id } = await shop.accounts.grant("ada", { calls: 5, until: "2026-03-11", note: "Trial" });
    for (let i = 0; i < 3; i++) await shop.get(WORK);
    await shop.handle.tick();
    expect(shop.heard).toEqual([]);
    await shop.get(WORK);
    await expect.poll(shop.typesByNow).toEqual(["grant.low"]);
    expect(shop.heard[0]?.data).toMatchObject({ account: "ada", grant: { id, leftCalls: 1, note: "Trial" } });
    shop.clock.advance(2 * 86_400);
    for (let i = 0; i < 3; i++) await shop.handle.tick();
    await expect.poll(() => shop.types()).toEqual(["grant.low", "grant.expired"]);
    expect(shop.heard[1]?.data).toMatchObject({ account: "ada", grant: { id, leftCalls: 1 } });
    expect((await shop.accounts.entries("ada")).filter(({ kind }) => kind === "expiry")).toHaveLength(1);
  });

  it("hears nothing of the end of a grant that was used up", async () => {
    const shop = listening();
    await shop.accounts.grant("ada", { usd: "0.001", until: "2026-03-11" });
    await shop.get(WORK);
    await expect.poll(shop.typesByNow).toEqual(["grant.low"]);
    shop.clock.advance(2 * 86_400);
    await shop.handle.tick();
    await shop.handle.tick();
    expect(shop.types()).toEqual(["grant.low"]);
  });

  it.each([
    ["the event", "put webhook"],
    ["the account", "put account"],
  ])("hears it once although the process dies as it stores %s", async (_, at) => {
    const clock = fakeClock("2026-03-10T12:00:00.000Z");
    const living = createMemoryStore({ clock });
    const { wrap, fail } = failingAt();
    for (const done of [true, false]) {
      const dying = listening(wrap(living), clock);
      const next = listening(living, clock);
      await dying.accounts.grant("ada", { calls: 1, until: new Date(clock().getTime() + 3600_000) });
      clock.advance(3601);
      fail(at, { done, times: 9 });
      await dying.handle.tick().catch(() => {});
      // The lease of a delivery that was under way ends in between.
      for (let i = 0; i < 4; i++, clock.advance(120)) await next.handle.tick();
      const all = [...dying.heard, ...next.heard];
      expect(new Set(all.map(({ id }) => id)).size).toBe(1);
      expect(all[0]?.type).toBe("grant.expired");
      fail("nothing", { done, times: 0 });
    }
  });
});
