/** Several facilitators, best first: none gets a payment that another may have sent. */
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import { bodyOf } from "../../support/body.js";
import { fakeClock } from "../../support/clock.js";
import { fakeFacilitator } from "../../support/facilitator.js";
import { openShop } from "../../support/shop.js";
import { TREASURY } from "../../support/wallets.js";

const WORK = "/test/work?n=1";
type Path = "verify" | "settle" | "supported";
/** What a connection does: nobody listens, nothing comes back before, or after, the facilitator did its duty. */
type Line = "refused" | "lost" | "lost after";

/** A shop with two facilitators of one chain, whose connections fail as told. */
function open(store = createMemoryStore(), clock = fakeClock()) {
  const chain = fakeFacilitator();
  const asked: string[] = [];
  const lines = new Map<string, Line[]>();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    const name = url.hostname[0] ?? "";
    const path = url.pathname.split("/").at(-1) as Path;
    const line = lines.get(`${name} ${path}`)?.shift();
    if (line === "refused") throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
    asked.push(`${name} ${path}`);
    if (line === "lost") throw new TypeError("fetch failed");
    const answer = await chain.fetch(`https://facilitator.test/${path}`, init);
    if (line === "lost after") throw new TypeError("fetch failed");
    return answer;
  };
  const facilitator = [{ url: "https://a.test/key-of-a" }, { url: "https://b.test" }];
  const shop = openShop({
    payment: { treasury: { "eip155:8453": TREASURY }, facilitator, rpc: false },
    facilitator: chain,
    ...{ trial: false, fetch, store, clock },
  });
  const fail = (where: `${"a" | "b"} ${Path}`, ...how: Line[]) => void lines.set(where, how);
  const buy = async () => shop.pay(WORK, await shop.payFor(WORK));
  return { ...shop, chain, asked, fail, buy, lines };
}

const settles = (asked: string[]) => asked.filter((one) => one.endsWith("settle"));

describe("facilitators in a list", () => {
  it("leave everything to the first while it answers", async () => {
    const shop = open();
    expect((await shop.buy()).status).toBe(200);
    // The start asks each whether it is there.
    expect(shop.asked.filter((one) => !one.endsWith("supported"))).toEqual(["a verify", "a settle"]);
  });

  it("verify and settle by the next one that answers, and prefer it for a while", async () => {
    const shop = open();
    shop.fail("a verify", "lost");
    expect((await shop.buy()).status).toBe(200);
    expect(settles(shop.asked)).toEqual(["b settle"]);
    expect((await shop.buy()).status).toBe(200);
    expect(settles(shop.asked)).toEqual(["b settle", "b settle"]);
    expect(shop.chain.settled).toHaveLength(2);
  });

  it.each([
    ["in this process", undefined],
    ["of the official package's kind", "https://a.test"],
  ])("never both where one %s broadcasts a payment and then finds its own node away", async (_, url) => {
    const chain = fakeFacilitator();
    const asked: string[] = [];
    /** Asks the chain, and then fails as by a connection of its own. */
    const named = (name: string, fails: boolean) => {
      const ask = (path: Path) => async (paymentPayload?: object, paymentRequirements?: object) => {
        asked.push(`${name} ${path}`);
        const body = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements });
        const answer = await chain.fetch(`https://facilitator.test/${path}`, { method: "POST", body });
        if (fails && path === "settle")
          throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
        return answer.json();
      };
      return { ...(url ? { url } : {}), verify: ask("verify"), settle: ask("settle") };
    };
    const shop = openShop({
      payment: {
        treasury: { "eip155:8453": TREASURY },
        facilitator: [named("a", true), named("b", false)],
        rpc: false,
      },
      facilitator: chain,
      trial: false,
    });
    const answer = await shop.pay(WORK, await shop.payFor(WORK));
    expect((await bodyOf(answer)).code).toBe("SETTLEMENT_PENDING");
    expect(settles(asked)).toEqual(["a settle"]);
    expect(chain.settled).toHaveLength(1);
  });

  it("settle by another one if no connection was made", async () => {
    const shop = open();
    shop.fail("a settle", "refused");
    expect((await shop.buy()).status).toBe(200);
    expect(settles(shop.asked)).toEqual(["b settle"]);
    expect(shop.chain.settled).toHaveLength(1);
  });

  it.each<Line>(["lost", "lost after"])(
    "never both for one payment: an answer that is %s keeps it where it was sent",
    async (line) => {
      const shop = open();
      shop.fail("a settle", line, "lost");
      const payment = await shop.payFor(WORK);
      expect((await bodyOf(await shop.pay(WORK, payment))).code).toBe("SETTLEMENT_PENDING");
      // The other one is preferred for new payments only.
      shop.fail("a verify", "lost");
      expect((await shop.buy()).status).toBe(200);
      shop.clock.advance(60);
      await shop.handle.reconcile();
      expect((await shop.pay(WORK, payment)).status).toBe(200);
      expect(settles(shop.asked)).toEqual(["a settle", "b settle", "a settle", "a settle"]);
      expect(shop.chain.settled).toHaveLength(2);
    },
  );

  it("never both after a crash: the next process goes on with the one that was named", async () => {
    const store = createMemoryStore();
    const first = open(store);
    const payment = await first.payFor(WORK);
    first.fail("a settle", "refused");
    first.fail("b settle", "lost");
    expect((await bodyOf(await first.pay(WORK, payment))).code).toBe("SETTLEMENT_PENDING");
    const second = open(store, first.clock);
    second.clock.advance(60);
    expect((await second.pay(WORK, payment)).status).toBe(200);
    expect([...settles(first.asked), ...settles(second.asked)]).toEqual(["b settle", "b settle"]);
  });

  it("wait while none can be reached, and take the first that comes back", async () => {
    const shop = open();
    const payment = await shop.payFor(WORK);
    shop.fail("a settle", "refused");
    shop.fail("b settle", "refused");
    expect((await shop.pay(WORK, payment)).status).toBe(502);
    expect(settles(shop.asked)).toEqual([]);
    shop.clock.advance(60);
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect(settles(shop.asked)).toHaveLength(1);
    expect(shop.chain.settled).toHaveLength(1);
  });

  it("tell an honest refusal and ask nobody else", async () => {
    const shop = open();
    shop.chain.faults.verify.push("refuse");
    expect((await shop.buy()).status).toBe(402);
    expect(shop.asked.filter((one) => one.endsWith("verify"))).toEqual(["a verify"]);
  });

  it("are 502 if none answers, and the payment stays good", async () => {
    const shop = open();
    shop.fail("a verify", "lost");
    shop.fail("b verify", "lost");
    const payment = await shop.payFor(WORK);
    expect((await bodyOf(await shop.pay(WORK, payment))).code).toBe("FACILITATOR_UNAVAILABLE");
    expect((await shop.pay(WORK, payment)).status).toBe(200);
  });

  it("show their health in /readyz, without keys of their addresses", async () => {
    const shop = open();
    shop.fail("a verify", "lost");
    await shop.buy();
    const answer = await shop.get("/readyz");
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      {
        status: "ok",
        facilitators: [
          { name: "https://a.test", status: "down" },
          { name: "https://b.test", status: "ok" },
        ],
      },
    ]);
  });

  it("are refused empty, and with an entry that is none", () => {
    const make = (facilitator: unknown) => () =>
      openShop({ payment: { treasury: { "eip155:8453": TREASURY }, facilitator: facilitator as never } });
    expect(make([])).toThrow("payment.facilitator must have 1 to");
    expect(make([{ url: "https://a.test" }, { uri: "https://b.test" }])).toThrow("payment.facilitator[1]");
    expect(make([{ url: "https://a.test" }, 7])).toThrow("payment.facilitator[1] must be");
  });
});
