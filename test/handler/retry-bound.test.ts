/** Loops that wait for others end, also where a host's clock stands still and no pause takes any time. */
import { describe, expect, it, vi } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { bodyOf } from "../support/body.js";
import { openShop } from "../support/shop.js";

vi.mock("node:timers/promises", async (original) => ({
  ...(await original<typeof import("node:timers/promises")>()),
  setTimeout: () => new Promise<void>((resolve) => setImmediate(resolve)),
}));

const WORK = "/test/work?n=1";

describe("a payment that somebody else is always faster with", () => {
  it("ATK-6 is given up after so many tries, with an answer that says to come back", async () => {
    const memory = createMemoryStore();
    let tries = 0;
    const put: Store["put"] = async (key, value, options) => {
      if (!key.startsWith("payment:")) return memory.put(key, value, options);
      tries++;
      return undefined;
    };
    const shop = openShop({ store: { ...memory, put } });
    const answer = await shop.pay(WORK, await shop.payFor(WORK));
    expect([answer.status, (await bodyOf(answer)).code]).toEqual([502, "SETTLEMENT_PENDING"]);
    expect(tries).toBe(60);
    expect(shop.runs()).toBe(0);
  });
});
