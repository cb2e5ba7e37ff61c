/** Budgets of upstreams: told at 80 and 95 percent, and at 100 percent the endpoint is not sold until midnight. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { aiChat, aiSentiment } from "../../src/capabilities/ai/index.js";
import { batchRun } from "../../src/capabilities/batch/index.js";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { modelServer } from "../support/model-server.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";

const KEY = "KEY_OF_SOURCE";
const reads = defineCapability({
  id: "test.reads",
  summary: "Reads a source that costs.",
  price: "0.01",
  requires: [KEY],
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ used: z.string().optional().describe("What it reports") }),
  output: one(z.object({ ok: z.boolean() })),
  example: {},
  run({ used }, ctx) {
    if (used) ctx.meter.add(used);
    return { item: { ok: true } };
  },
});

const USAGE = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, cost: 0.01 };

/** Its list was cached, and its work asks by itself. */
const listed = defineCapability({
  id: "test.listed",
  summary: "Reads a cached list, and a source that costs.",
  price: "0.001",
  requires: [KEY],
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({}),
  output: one(z.object({ ok: z.boolean() })),
  example: {},
  run(_, ctx) {
    ctx.reads.cached++;
    ctx.meter.add("0.01");
    return { item: { ok: true } };
  },
});

function open(options: ShopOptions = {}) {
  const shop = openShop({
    capabilities: [reads, batchRun],
    secrets: { [KEY]: "k" },
    budgets: { [KEY]: { usdPerDay: "0.1" } },
    trial: { perHour: 1000, callerBudgetUsd: "100", deploymentBudgetUsd: "100" },
    ...options,
  });
  const run = async (query = "") => {
    const answer = await shop.get(`/test/reads?${query}`, { "x-svc-trial": "1" });
    await new Promise((resolve) => setImmediate(resolve));
    return answer;
  };
  const told = () => shop.events.flatMap((event) => (event.kind === "budget" ? [event.percent] : []));
  return { ...shop, run, told };
}

describe("the budget of an upstream", () => {
  it("is told at 80, 95 and 100 percent, once, and then nothing is quoted or run until midnight UTC", async () => {
    const shop = open();
    for (let i = 0; i < 8; i++) expect((await shop.run()).status).toBe(200);
    expect(shop.told()).toEqual([80]);
    for (let i = 0; i < 2; i++) await shop.run();
    expect(shop.told()).toEqual([80, 95, 100]);
    for (const headers of [{}, { "x-svc-trial": "1" }] as Record<string, string>[]) {
      const refused = await shop.get("/test/reads?", headers);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, String(12 * 3600)]);
      expect((await bodyOf(refused)).code).toBe("BUDGET_SPENT");
    }
    shop.clock.advance(12 * 3600);
    expect((await shop.run()).status).toBe(200);
  });

  it("counts what a run reports, over all instances of the store", async () => {
    const store = createMemoryStore();
    const [one, other] = [open({ store }), open({ store })];
    await one.run("used=0.06");
    await other.run("used=0.05");
    expect([...one.told(), ...other.told()]).toEqual([80, 95, 100]);
    expect((await other.run()).status).toBe(503);
  });

  it("goes on with the day's sum when a treasury is added that sorts before the others", async () => {
    const store = createMemoryStore();
    const facilitator = { url: "https://facilitator.test" };
    const treasury = { "eip155:8453": TREASURY };
    const before = open({ store, payment: { treasury, facilitator } });
    for (let i = 0; i < 7; i++) await before.run();
    const after = open({ store, payment: { treasury: { "eip155:10": TREASURY, ...treasury }, facilitator } });
    await after.run();
    expect([before.told(), after.told()]).toEqual([[], [80]]);
    for (let i = 0; i < 2; i++) await after.run();
    expect(after.told()).toEqual([80, 95, 100]);
    expect((await after.run()).status).toBe(503);
  });

  it("holds for calls within a batch", async () => {
    const shop = open();
    const body = JSON.stringify({ calls: Array.from({ length: 10 }, () => ({ endpoint: "test.reads", params: {} })) });
    const send = () =>
      shop.handle(
        new Request("http://shop.test/api/batch/run", { method: "POST", body, headers: { "x-svc-trial": "1" } }),
      );
    expect((await send()).status).toBe(200);
    await new Promise((resolve) => setImmediate(resolve));
    expect(shop.told()).toEqual([80, 95, 100]);
    expect((await send()).status).toBe(503);
  });

  it("counts what generated answers cost, though the list of models was cached, and tells none of them as cached", async () => {
    const gateway = await modelServer({ content: "Hello", usage: USAGE });
    const shop = open({
      capabilities: [aiChat],
      secrets: gateway.secrets,
      payment: false,
      budgets: { AI_GATEWAY_API_KEY: { usdPerDay: "0.1" } },
      fetch: globalThis.fetch,
    });
    const ask = async (headers: Record<string, string> = {}) => {
      const answer = await shop.handle(
        new Request("http://shop.test/api/ai/chat", {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ model: "test/fast", messages: [{ role: "user", content: "Hi" }] }),
        }),
      );
      const text = await answer.text();
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { answer, text };
    };
    // A hundredth each, with the margin of a fifth.
    for (let i = 0; i < 8; i++) {
      const { answer } = await ask();
      expect([answer.status, answer.headers.get("x-svc-cached")]).toEqual([200, "false"]);
    }
    expect(shop.told()).toEqual([80, 95]);
    expect((await ask()).answer.status).toBe(200);
    expect((await ask()).answer.status).toBe(503);
    expect(gateway.lists()).toBe(1);
  });

  it("counts what a failed call of a model cost", async () => {
    const gateway = await modelServer({ content: "nonsense", usage: USAGE });
    const shop = open({
      capabilities: [aiSentiment],
      secrets: gateway.secrets,
      payment: false,
      budgets: { AI_GATEWAY_API_KEY: { usdPerDay: "0.04" } },
      fetch: globalThis.fetch,
    });
    const ask = () =>
      shop.handle(
        new Request("http://shop.test/api/ai/sentiment", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ text: "Lovely" }),
        }),
      );
    // Each asks twice, so costs 0.024.
    for (let i = 0; i < 2; i++) expect((await ask()).status).toBe(502);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await ask()).status).toBe(503);
  });

  it("counts what a run tells, though all that it read by the house was cached", async () => {
    const shop = open({ capabilities: [listed] });
    for (let i = 0; i < 10; i++) await shop.get("/test/listed", { "x-svc-trial": "1" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(shop.told()).toEqual([80, 95, 100]);
  });

  it("counts for each part of a batch what it told", async () => {
    const shop = open({ capabilities: [reads, listed, batchRun], budgets: { [KEY]: { usdPerDay: "0.1" } } });
    const calls = [
      { endpoint: "test.reads", params: { used: "0.08" } },
      { endpoint: "test.reads", params: { used: "0.001" } },
    ];
    const send = () =>
      shop.handle(
        new Request("http://shop.test/api/batch/run", {
          method: "POST",
          body: JSON.stringify({ calls }),
          headers: { "x-svc-trial": "1" },
        }),
      );
    expect((await send()).status).toBe(200);
    await new Promise((resolve) => setImmediate(resolve));
    expect(shop.told()).toEqual([80]);
  });

  it("does not concern other endpoints, and costs nothing without the option", async () => {
    const keys: string[] = [];
    const inner = createMemoryStore();
    const store = {
      ...inner,
      increment(...args: Parameters<typeof inner.increment>) {
        keys.push(args[0]);
        return inner.increment(...args);
      },
    };
    const { budgets: _, ...none } = { budgets: undefined };
    const shop = openShop({ store, ...none });
    await shop.get("/test/work?n=1", { "x-svc-trial": "1" });
    expect(keys.filter((key) => key.startsWith("budget:"))).toEqual([]);
  });
});
