import { describe, expect, it } from "vitest";
import { z } from "zod";
import { barcodeGenerate } from "../../../src/capabilities/barcode/index.js";
import { batchRun } from "../../../src/capabilities/batch/index.js";
import { convertUnit } from "../../../src/capabilities/convert/index.js";
import { defineCapability } from "../../../src/capability/define.js";
import { binary, one } from "../../../src/capability/output.js";
import type { AnyCapability } from "../../../src/capability/types.js";
import { CapabilityError } from "../../../src/errors.js";
import { createHandler } from "../../../src/handler/handler.js";
import { bodyOf } from "../../support/body.js";
import { fakeClock } from "../../support/clock.js";
import { FACILITATOR_URL, fakeFacilitator } from "../../support/facilitator.js";
import { quoteOf, sign, TREASURY, toHeader } from "../../support/wallets.js";

const KG = { value: 1, from: "kg", to: "lb" };
const unit = (params: Record<string, unknown> = KG) => ({ endpoint: "convert.unit", params });

const base = { source: { provider: "test", url: "", license: "MIT" }, input: () => z.strictObject({}), example: {} };
const priced = defineCapability({
  ...base,
  id: "test.priced",
  summary: "Costs 0.00144.",
  price: "0.00144",
  output: one(z.object({})),
  run: () => ({ item: {} }),
});
const dynamic = defineCapability({
  ...base,
  id: "test.dynamic",
  summary: "Has no fixed price.",
  price: { min: "0.001", max: "1", quote: async () => 5000n },
  output: one(z.object({})),
  run: () => ({ item: {} }),
});
const metered = defineCapability({
  ...base,
  id: "test.metered",
  summary: "Has a metered upstream.",
  price: "0.001",
  batchable: false,
  output: one(z.object({})),
  run: () => ({ item: {} }),
});
const file = defineCapability({
  ...base,
  id: "test.file",
  summary: "Answers with a file.",
  price: "0.001",
  output: binary("image/png"),
  run: () => ({ contentType: "image/png", body: new Uint8Array([1, 2, 255]) }),
});
let broken = true;
let started = 0;
let aborted = 0;
const flaky = defineCapability({
  ...base,
  id: "test.flaky",
  summary: "Fails until mended.",
  price: "0.001",
  output: one(z.object({})),
  run() {
    if (broken) throw new CapabilityError("UPSTREAM_ERROR", "The upstream is down.");
    return { item: {} };
  },
});
const slow = defineCapability({
  ...base,
  id: "test.slow",
  summary: "Works until it is told to stop.",
  price: "0.001",
  output: one(z.object({})),
  async run(_, { signal }) {
    started++;
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(void aborted++), { once: true });
      if (!broken) resolve();
    });
    return { item: {} };
  },
});

const keyed = defineCapability({
  ...base,
  id: "test.keyed",
  summary: "Needs a key.",
  price: "0.001",
  requires: ["TEST_KEY_OF_NOBODY"],
  output: one(z.object({})),
  run: () => ({ item: {} }),
});
let sent = 0;
const heavy = defineCapability({
  ...base,
  id: "test.heavy",
  summary: "Answers a megabyte.",
  price: "0.001",
  output: binary("image/png"),
  async run() {
    sent++;
    await new Promise((resolve) => setImmediate(resolve));
    return { contentType: "image/png", body: new Uint8Array(1024 * 1024) };
  },
});

function mount(extra: AnyCapability[] = [], options: { maxResponseBytes?: number } = {}) {
  const clock = fakeClock();
  const facilitator = fakeFacilitator();
  const handle = createHandler({
    capabilities: [batchRun, convertUnit, priced, dynamic, metered, file, flaky, slow, keyed, heavy, ...extra],
    ...options,
    payment: { treasury: { "eip155:8453": TREASURY }, facilitator: { url: FACILITATOR_URL } },
    fetch: facilitator.fetch,
    clock,
  });
  const post = (calls: unknown, headers: Record<string, string> = {}) =>
    handle(new Request("http://x.test/api/batch/run", { method: "POST", body: JSON.stringify({ calls }), headers }));
  const pay = async (calls: unknown) => {
    const [terms] = quoteOf(await post(calls)).accepts;
    if (!terms) throw new Error("nothing offered");
    return toHeader(await sign(terms, { now: clock.seconds() }));
  };
  return { post, pay, facilitator };
}

describe("batch.run", () => {
  it("PAY-37 is quoted the exact sum of its calls", async () => {
    const { post } = mount();
    const amount = async (calls: unknown[]) => quoteOf(await post(calls)).accepts[0]?.amount;
    expect(await amount(Array.from({ length: 50 }, () => ({ endpoint: "test.priced" })))).toBe("72000");
    expect(await amount([unit(), { endpoint: "test.priced" }])).toBe("2440");
  });

  it("answers every call in order, each with its price; files in base64", async () => {
    const { post, pay, facilitator } = mount();
    const calls = [unit(), { endpoint: "test.file" }, unit({ ...KG, value: 2 })];
    const response = await post(calls, { "payment-signature": await pay(calls) });
    const { data, meta } = await bodyOf(response);
    expect(response.status).toBe(200);
    expect(data).toMatchObject({ ok: true, total: 3 });
    expect(data.items.map(({ endpoint }) => endpoint)).toEqual(calls.map((call) => call.endpoint));
    expect(data.items[0]).toMatchObject({
      index: 0,
      costUsd: "0.001",
      result: { items: [{ result: 2.2046226218487757 }] },
    });
    expect(data.items[1]?.result).toEqual({ contentType: "image/png", base64: "AQL/" });
    expect(data.items[2]).toMatchObject({ result: { items: [{ result: 4.409245243697551 }] } });
    expect(meta).toMatchObject({ caller: "paid", costUsd: "0.003" });
    expect(facilitator.settled).toHaveLength(1);
  });

  it.each([
    ["unknown", { endpoint: "no.such" }],
    ["the batch itself", { endpoint: "batch.run", params: { calls: [unit()] } }],
    ["of variable price", { endpoint: "test.dynamic" }],
    ["of a metered upstream", { endpoint: "test.metered" }],
  ])("refuses an endpoint that is %s before anything runs, naming the call", async (_, call) => {
    const response = await mount().post([unit(), call]);
    expect(response.status).toBe(400);
    expect((await bodyOf(response)).issues[0]?.path).toBe("calls.1.endpoint");
  });

  it("lists the calls whose input is wrong, and quotes nothing", async () => {
    const response = await mount().post([unit(), unit({ ...KG, to: "m" }), unit({ from: "kg" })]);
    const problem = await bodyOf(response);
    expect(response.status).toBe(400);
    expect(problem.code).toBe("BATCH_FAILED");
    expect(problem.failures).toMatchObject([
      { index: 1, endpoint: "convert.unit", status: 400, code: "INCOMPATIBLE_UNITS" },
      { index: 2, endpoint: "convert.unit", status: 400, code: "INVALID_INPUT" },
    ]);
    expect(JSON.stringify(problem)).not.toContain("2.2046");
  });

  it("quotes nothing where a call cannot run here for want of a key", async () => {
    const response = await mount().post([unit(), { endpoint: "test.keyed" }]);
    expect(response.status).toBe(502);
    const problem = await bodyOf(response);
    expect(problem.code).toBe("BATCH_FAILED");
    expect(problem.failures).toMatchObject([{ index: 1, endpoint: "test.keyed", code: "PROVIDER_NOT_CONFIGURED" }]);
  });

  it.each([
    ["trial", false],
    ["payment", true],
  ])("ATK-9 a %s of results larger than one answer stops half way, and is not charged", async (_, paid) => {
    const { post, pay, facilitator } = mount();
    sent = 0;
    const calls = Array.from({ length: 50 }, () => ({ endpoint: "test.heavy" }));
    const response = await post(calls, paid ? { "payment-signature": await pay(calls) } : { "x-svc-trial": "1" });
    expect(response.status).toBe(400);
    const problem = await bodyOf(response);
    expect(problem.failures).toMatchObject([
      { code: "RESULT_TOO_LARGE", detail: expect.stringContaining("smaller batches") },
    ]);
    // In base64 four of them fit into 6 MB; those that ran beside the fifth were begun before it ended.
    expect(sent).toBeLessThan(15);
    expect(facilitator.asked("settle")).toBe(0);
  });

  it("a host may let answers be larger or smaller, whatever it is that answers", async () => {
    const heavyOnes = [{ endpoint: "test.heavy" }, { endpoint: "test.heavy" }];
    const trial = { "x-svc-trial": "1" };
    expect((await mount([], { maxResponseBytes: 1_000_000 }).post(heavyOnes, trial)).status).toBe(400);
    expect((await mount([], { maxResponseBytes: 3_000_000 }).post(heavyOnes, trial)).status).toBe(200);
    const { post } = mount([], { maxResponseBytes: 100 });
    expect((await bodyOf(await post([unit()], trial))).code).toBe("BATCH_FAILED");
  });

  it("ATK-7 an unpaid batch of fifty codes encodes nothing, and lets others in between its calls", async () => {
    const { post } = mount([barcodeGenerate]);
    const data = { type: "text", text: "0aB!".repeat(400) };
    const calls = ["aztec", "datamatrix"].flatMap((format) =>
      Array.from({ length: 25 }, () => ({
        endpoint: "barcode.generate",
        params: { format, data: format === "aztec" ? data : { ...data, text: "0aB!".repeat(250) } },
      })),
    );
    let turns = 0;
    let counting = true;
    const count = () => {
      turns++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const threads = process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
    const response = await post(calls);
    counting = false;
    expect(response.status).toBe(402);
    expect(quoteOf(response).accepts[0]?.amount).toBe("50000");
    expect(turns).toBeGreaterThanOrEqual(100);
    expect(process.getActiveResourcesInfo().filter((name) => name === "MessagePort")).toHaveLength(threads);
  });

  it("ATK-9 refuses more pixels than a batch may draw before it quotes, naming the call and the way out", async () => {
    const { post } = mount([barcodeGenerate]);
    const code = (output: string) => ({
      endpoint: "barcode.generate",
      params: { data: { type: "text", text: "a" }, size: 4096, output },
    });
    const response = await post(Array.from({ length: 50 }, () => code("png")));
    expect(response.status).toBe(400);
    const { issues } = await bodyOf(response);
    expect(issues).toMatchObject([{ path: "calls.17", message: expect.stringContaining("smaller batches") }]);
    // A drawing in SVG has no pixels.
    expect((await post(Array.from({ length: 50 }, () => code("svg")))).status).toBe(402);
  });

  it("PAY-38 one failing call fails all: no result, no charge, siblings stopped; the same payment works later", async () => {
    const { post, pay, facilitator } = mount();
    const calls = [
      unit(),
      ...Array.from({ length: 30 }, () => ({ endpoint: "test.slow" })),
      { endpoint: "test.flaky" },
    ];
    calls.splice(3, 0, { endpoint: "test.flaky" });
    const headers = { "payment-signature": await pay(calls) };
    const response = await post(calls, headers);
    const problem = await bodyOf(response);
    expect(response.status).toBe(502);
    expect(problem).toMatchObject({
      code: "BATCH_FAILED",
      failures: [{ index: 3, endpoint: "test.flaky", status: 502 }],
    });
    expect(JSON.stringify(problem)).not.toContain("2.2046");
    expect(facilitator.asked("settle")).toBe(0);
    expect(started).toBeLessThan(10);
    expect(aborted).toBe(started);

    broken = false;
    expect((await post(calls, headers)).status).toBe(200);
    expect(facilitator.settled).toHaveLength(1);
  });

  it.each([
    ["no calls", []],
    ["51 calls", Array.from({ length: 51 }, () => unit())],
    ["params that are no object", [{ endpoint: "convert.unit", params: "value=1" }]],
    ["an upper-case id", [{ endpoint: "Convert.Unit" }]],
    ["an id of two dots", [{ endpoint: "convert.unit.x" }]],
    ["an id of 65 characters", [{ endpoint: `${"a".repeat(40)}.${"b".repeat(24)}` }]],
  ])("refuses %s", async (_, calls) => expect((await mount().post(calls)).status).toBe(400));

  describe("in-process, unpaid", () => {
    it("calls what was imported", async () => {
      const { items, total } = await batchRun({ calls: [unit()] });
      expect(total).toBe(1);
      expect(items[0]).toMatchObject({ endpoint: "convert.unit", costUsd: "0.001" });
    });

    it("calls what its options name, and nothing else", async () => {
      const calls = [{ endpoint: "test.priced" }];
      await expect(batchRun({ calls }, { capabilities: [priced] })).resolves.toMatchObject({ total: 1 });
      const refused = { code: "INVALID_INPUT", issues: [{ path: "calls.0.endpoint" }] };
      await expect(batchRun({ calls }, { capabilities: [convertUnit] })).rejects.toMatchObject(refused);
    });

    it("says how to make an endpoint known that nobody imported", async () => {
      const calls = [{ endpoint: "bio.gene", params: { symbol: "TP53" } }];
      await expect(batchRun({ calls })).rejects.toThrow(/bio\.gene.*import it first.*options\.capabilities/);
    });
  });
});
