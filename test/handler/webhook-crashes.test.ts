/** Webhooks of processes that die at each step: what the books show is told, nothing else, and under one id. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { defineProvider } from "../../src/capability/provider.js";
import type { HandlerOptions } from "../../src/host/options.js";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { upstream } from "../../src/upstream/client.js";
// Loaded here, since the first note behind an answer would wait for it.
import "../../src/drift/service-check.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { fated } from "../support/mortal-store.js";
import { openShop } from "../support/shop.js";
import { OPEN_TERMS } from "../support/terms.js";
import { mallory, TREASURY } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const URL = "https://host.test/hooks";
const RIVER = "https://river.test";
const NETWORK = "eip155:8453";
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const payment = {
  treasury: { [NETWORK]: TREASURY },
  facilitator: { url: "https://facilitator.test" },
  refunds: { [NETWORK]: mallory },
};

/** Needs a secret that has a budget. */
const costly = defineCapability({
  id: "test.work",
  summary: "Reads a source that costs.",
  price: "0.001",
  requires: ["KEY"],
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({ ok: z.boolean() })),
  example: { n: 1 },
  run: () => ({ item: { ok: true } }),
});

const river = defineProvider({
  ...{ name: "River", url: RIVER, license: "none", terms: OPEN_TERMS },
  baseUrl: RIVER,
});

/** Reads an upstream whose answers are not what they were. */
const level = defineCapability({
  id: "test.level",
  summary: "The level of a river.",
  price: "0.001",
  provider: river,
  input: () => z.strictObject({ at: z.string().default("here").describe("A station") }),
  output: one(z.object({ cm: z.number() })),
  example: { at: "there" },
  async run({ at }, ctx) {
    const schema = z.object({ cm: z.number() });
    return { item: await upstream(ctx, river).get("/level", { schema, query: { at } }) };
  },
});

interface Heard {
  id: string;
  type: string;
  data: { requestId?: string; usd?: string; refundedUsd?: string };
}

/** Processes of one service that share its store, its facilitator and its clock. */
function town(more: Partial<HandlerOptions> = {}) {
  const facilitator = fakeFacilitator();
  const clock = fakeClock();
  const store = createMemoryStore({ clock });
  const heard: Heard[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input).startsWith(RIVER)) return Response.json({ cm: null });
    if (String(input) !== URL) return facilitator.fetch(input, init);
    const id = new Headers(init?.headers).get("webhook-id") ?? "";
    heard.push({ id, ...JSON.parse(String(init?.body)) });
    return new Response(null, { status: 204 });
  };
  const webhooks = [{ url: URL, secret }];
  const options = { trial: false as const, accounts: { keys: true }, logger: silent, payment, webhooks, ...more };
  const open = (own: Store) => openShop({ ...options, facilitator, clock, fetch, store: own });
  return { facilitator, clock, store, heard, open };
}

type Town = ReturnType<typeof town>;
type Shop = ReturnType<Town["open"]>;

/** Lets the living process finish what the dead one left: leases, holds and patience end. */
async function settle({ clock }: Town, living: Shop): Promise<void> {
  for (let round = 0; round < 8; round++) {
    clock.advance(120);
    await living.handle.tick();
  }
}

const MOST_STEPS = 60;

/** Does something in a process that dies at its step 0, 1, 2 ..., until it needs no more steps. */
async function atEachStep(
  done: boolean,
  make: (own: Town, living: Shop) => Promise<(dying: Shop) => Promise<unknown>>,
  options: Partial<HandlerOptions> = {},
) {
  const ends: { at: string; heard: Heard[]; living: Shop; store: Store }[] = [];
  for (let step = 0; step < MOST_STEPS; step++) {
    const own = town(options);
    const living = own.open(own.store);
    const act = await make(own, living);
    await settle(own, living);
    own.heard.length = 0;
    const fate = { left: Number.POSITIVE_INFINITY, done, forGood: true };
    const mortal = fated(own.store, fate);
    const dying = own.open({ ...mortal.store, shared: false });
    fate.left = step;
    const work = act(dying).then(() => dying.handle.tick());
    const at = await Promise.race([mortal.failed, work.then(() => undefined)]);
    await settle(own, living);
    ends.push({ at: at ?? "none", heard: own.heard, living, store: own.store });
    if (at === undefined) return ends;
  }
  throw new Error("it has more steps than that");
}

const idsOf = (heard: readonly Heard[], type: string) => [
  ...new Set(heard.filter((one) => one.type === type).map(({ id }) => id)),
];

describe.each([false, true])("a process that dies, %s for the step itself,", (done) => {
  it("in a sale to an account, tells of it exactly if it was charged", async () => {
    const ends = await atEachStep(done, async (_, living) => {
      await living.handle.accounts.topUp("acme", "1", { reference: "first" });
      const { key } = await living.handle.accounts.createKey("acme");
      return (dying) => dying.get(WORK, { authorization: `Bearer ${key}` });
    });
    const charged: boolean[] = [];
    for (const { heard, living } of ends) {
      const sales = (await living.handle.accounts.entries("acme")).filter(({ kind }) => kind === "sale");
      charged.push(sales.length > 0);
      expect(idsOf(heard, "sale")).toHaveLength(sales.length);
      expect(heard.filter(({ type }) => type === "sale").every(({ data }) => data.usd === "0.001")).toBe(true);
    }
    expect(new Set(charged)).toEqual(new Set([false, true]));
  });

  it("in a sale to a wallet, tells of it exactly if it is in the ledger", async () => {
    const ends = await atEachStep(done, async (_, living) => {
      return async (dying) => dying.pay(WORK, await living.payFor(WORK));
    });
    for (const { heard, living } of ends) {
      const { total } = await living.handle.ledger();
      expect(idsOf(heard, "sale")).toHaveLength(total.calls);
    }
  });

  it("while a settlement is unclear, tells of it once at most, and always if it lasts", async () => {
    const ends = await atEachStep(done, async ({ facilitator }, living) => {
      facilitator.faults.settle.push(...Array.from({ length: 20 }, () => "status500" as const));
      return async (dying) => dying.pay(WORK, await living.payFor(WORK));
    });
    const told = ends.map(({ heard }) => idsOf(heard, "settlement.pending").length);
    expect(Math.max(...told)).toBe(1);
    // Before the record of the payment, there is nothing to tell of.
    expect(told.lastIndexOf(0)).toBeLessThan(told.indexOf(1));
  });

  it("in a refund by the host, tells of it exactly once", async () => {
    const ends = await atEachStep(done, async (_, living) => {
      const answer = await living.pay(WORK, await living.payFor(WORK));
      const { meta } = (await answer.json()) as { meta: { requestId: string } };
      return (dying) => dying.handle.refund({ requestId: meta.requestId });
    });
    for (const { heard, living } of ends) {
      const { total } = await living.handle.ledger();
      expect(idsOf(heard, "refund")).toHaveLength(total.returnedUsd === "0" ? 0 : 1);
    }
    expect(idsOf(ends.at(-1)?.heard ?? [], "refund")).toHaveLength(1);
  });

  it("in a refund to an account, tells of it exactly if it was made", async () => {
    const ends = await atEachStep(done, async (_, living) => {
      await living.handle.accounts.topUp("acme", "1", { reference: "first" });
      const { key } = await living.handle.accounts.createKey("acme");
      const answer = await living.get(WORK, { authorization: `Bearer ${key}` });
      const { meta } = (await answer.json()) as { meta: { requestId: string } };
      return (dying) => dying.handle.refund({ requestId: meta.requestId });
    });
    for (const { heard, living } of ends) {
      const refunds = (await living.handle.accounts.entries("acme")).filter(({ kind }) => kind === "refund");
      expect(idsOf(heard, "refund")).toHaveLength(refunds.length);
    }
    expect(ends.at(-1)?.heard).toMatchObject([{ type: "refund", data: { account: "acme", refundedUsd: "0.001" } }]);
  });

  it("while a refund is owed for more than an hour, tells of it exactly once", async () => {
    const options = { capabilities: [billedByUsage(({ meter }) => void meter.add("0.0075"))] };
    const ends = await atEachStep(
      done,
      async ({ facilitator, clock }, living) => {
        // The payment goes well.
        facilitator.faults.settle.push(undefined as never, ...Array.from({ length: 60 }, () => "status500" as const));
        await living.pay("/test/model?n=1", await living.payFor("/test/model?n=1"));
        return (dying) => {
          clock.advance(3600);
          return dying.handle.reconcile();
        };
      },
      options,
    );
    for (const { heard } of ends) expect(idsOf(heard, "refund.owed")).toHaveLength(1);
    expect(ends.at(-1)?.heard).toContainEqual(
      expect.objectContaining({ type: "refund.owed", data: expect.objectContaining({ owedUsd: "0.0125" }) }),
    );
  });

  it.each([
    [80, 3, 4000, 1],
    // The step to 100 comes with it.
    [95, 4, 5000, 2],
  ])(
    "as an upstream's budget passes %i percent, tells of it exactly if it was counted",
    async (_, before, at, events) => {
      const ask = (shop: Shop) => shop.get(WORK, { "x-svc-trial": "1" });
      const trial = { perHour: 1000, callerBudgetUsd: "100", deploymentBudgetUsd: "100" };
      const options = {
        capabilities: [costly],
        secrets: { KEY: "k" },
        budgets: { KEY: { usdPerDay: "0.005" } },
        trial,
      };
      const ends = await atEachStep(
        done,
        async (_, living) => {
          for (let i = 0; i < before; i++) await ask(living);
          return async (dying) => {
            await ask(dying);
            // The cost is counted behind the answer.
            await new Promise((resolve) => setTimeout(resolve, 20));
          };
        },
        options,
      );
      const spent = `budget:${NETWORK}:${TREASURY.toLowerCase()}:KEY:2026-06-01`;
      const counted = new Set<boolean>();
      for (const { heard, store } of ends) {
        const isPassed = ((await store.increment(spent, 0, { ttlMs: 1000 })) ?? 0) >= at;
        counted.add(isPassed);
        expect(idsOf(heard, "budget")).toHaveLength(isPassed ? events : 0);
      }
      expect(counted).toEqual(new Set([false, true]));
    },
  );

  it("as an upstream's answers change, tells of a stop exactly once", async () => {
    const ask = (shop: Shop) => shop.get("/test/level", { "x-svc-trial": "1" });
    const trial = { perHour: 1000, callerBudgetUsd: "100", deploymentBudgetUsd: "100" };
    const read = async (shop: Shop) => {
      await ask(shop);
      // What an answer was like is noted behind it.
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const ends = await atEachStep(
      done,
      async (_, living) => {
        for (let i = 0; i < 2; i++) await read(living);
        return read;
      },
      { capabilities: [level], live: { everyHours: 24 }, cache: false, trial },
    );
    for (const { heard, living } of ends) {
      // What a dead process had counted and not told is told with the next failure.
      living.clock.advance(2 * 3600);
      await read(living);
      await living.handle.tick();
      const third = idsOf(heard, "drift").filter((id) => id.endsWith("3"));
      expect(third.map((id) => id.split(".").at(-1)).sort()).toEqual(["levelnoticed3", "levelunavailable3"]);
      expect((await ask(living)).status).toBe(503);
    }
  });
});
