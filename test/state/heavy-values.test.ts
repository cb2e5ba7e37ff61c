/** What is costly to judge of a value waits for a payment that was verified. Counted in texts read and elements visited. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { batchRun } from "../../src/capabilities/batch/index.js";
import { pubsubPublish } from "../../src/capabilities/pubsub/index.js";
import { queueEnqueue } from "../../src/capabilities/queue/index.js";
import * as store from "../../src/capabilities/store/index.js";
import { createContext } from "../../src/capability/context.js";
import { bodyOf } from "../support/body.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { onBothEngines } from "../support/wallets-engine.js";

const read = vi.hoisted(() => ({ texts: 0 }));
vi.mock("../../src/state/wallet/storable.js", async (original) => {
  const real = await original<typeof import("../../src/state/wallet/storable.js")>();
  const isStorableText = (text: string) => {
    read.texts++;
    return real.isStorableText(text);
  };
  return { ...real, isStorableText };
});

const measured = vi.hoisted(() => ({ now: 0, most: 0 }));
vi.mock("../../src/lib/text/json.js", async (original) => {
  const real = await original<typeof import("../../src/lib/text/json.js")>();
  const shapeInTurns: typeof real.shapeInTurns = async (json, pacer) => {
    if (json.length < 16 * 1024) return real.shapeInTurns(json, pacer);
    measured.most = Math.max(measured.most, ++measured.now);
    return real.shapeInTurns(json, pacer).finally(() => measured.now--);
  };
  return { ...real, shapeInTurns };
});

/** A list that counts how often an element of it is read. */
function counted<T>(list: T[]) {
  const reads = { count: 0 };
  const proxy = new Proxy(list, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) reads.count++;
      return Reflect.get(target, name);
    },
  });
  return { proxy, reads };
}

const texts = (count: number, last = "text") => [...Array.from({ length: count }, () => "text"), last];
const LARGE = {
  "store.doc-put": { ns: "n", id: "d", body: { texts: texts(20_000, "nul \0") } },
  "store.doc-patch": { ns: "n", id: "d", body: { texts: texts(20_000, "half \ud800") } },
  "store.kv-put": { ns: "n", key: "k", value: "é".repeat(600_000) },
  "queue.enqueue": { queue: "q", messages: [{ body: 1 }, { body: "é".repeat(200_000) }] },
  "store.blob-put": { ns: "n", key: "k", data: "!".repeat(400_000) },
};
const PATHS: Record<string, string> = {
  "store.kv-put": "value",
  "queue.enqueue": "messages.1.body",
  "store.blob-put": "data",
};

onBothEngines("values that are costly to judge", (engine) => {
  const capabilities = [...Object.values(store), queueEnqueue, pubsubPublish, batchRun];
  let shop: WalletShop;
  beforeAll(() => {
    shop = openWalletShop({ capabilities, wallets: engine.options() });
  });
  afterAll(() => shop.handle.close());
  beforeEach(() => {
    shop.facilitator.trace.length = 0;
    read.texts = 0;
  });
  const noneOf = (id: keyof typeof LARGE) => ({ id, input: LARGE[id] });

  for (const { id, input } of (Object.keys(LARGE) as (keyof typeof LARGE)[]).map(noneOf)) {
    it(`ATK-7 ${id} reads no text of a large value until a payment was verified, and then refuses it for nothing`, async () => {
      const quoted = await shop.post(id, input);
      expect([quoted.status, read.texts]).toEqual([402, 0]);
      const payment = await shop.payFor(id, input);
      shop.facilitator.faults.verify.push("refuse");
      expect((await shop.pay(id, input, payment)).status).toBe(402);
      expect([read.texts, shop.facilitator.trace]).toEqual([0, ["verify"]]);
      const refused = await shop.pay(id, input, payment);
      const problem = await bodyOf(refused);
      const path = PATHS[id] ?? "body";
      expect(problem).toMatchObject({ status: 400, code: "INVALID_INPUT", issues: [{ path }] });
      expect(shop.facilitator.trace).toEqual(["verify", "verify"]);
      // It was charged nothing, so the same payment buys what can be kept.
      const good = { ...input, ...("ns" in input ? {} : { messages: undefined, body: 1 }) };
      const fits = { "store.kv-put": { value: 1 }, "store.blob-put": { data: "AAAA" } }[id as string] ?? {
        body: { a: 1 },
      };
      if (id !== "store.doc-patch") expect((await shop.pay(id, { ...good, ...fits }, payment)).status).toBe(200);
    });

    it(`TRI-5 ${id} gives a trial back that brought a large value that cannot be kept`, async () => {
      const tried = await shop.post(id, input, { "x-svc-trial": "1" });
      expect(await bodyOf(tried)).toMatchObject({ status: 400, code: "INVALID_INPUT" });
      const again = await shop.post(id, shopExample(id), { "x-svc-trial": "1" });
      expect([again.status, await again.text()]).toEqual([200, expect.anything()]);
    });

    it.skipIf(id === "store.kv-put")(
      `ATK-7 ${id} in a batch reads a large value after the payment was verified`,
      async () => {
        const calls = [{ endpoint: id, params: input }];
        expect((await shop.post("batch.run", { calls })).status).toBe(402);
        expect(read.texts).toBe(0);
        const refused = await shop.buy("batch.run", { calls });
        expect([refused.status, (await bodyOf(refused)).code]).toEqual([400, "BATCH_FAILED"]);
        expect(shop.facilitator.trace).toEqual(["verify"]);
      },
    );
  }

  const shopExample = (id: string) => capabilities.find((one) => one.id === id)?.example;

  it("says for nothing what is cheap to see: a small value, a length, a number of elements", async () => {
    for (const [id, input, path] of [
      ["store.doc-put", { ns: "n", id: "d", body: { text: "nul \0" } }, "body"],
      ["store.kv-put", { ns: "n", key: "k", value: "x".repeat(1024 * 1024) }, "value"],
      ["store.kv-put", { ns: "n", key: "k", value: { a: Array.from({ length: 100_000 }, () => 0) } }, "value"],
      ["store.doc-query", { ns: "n", filter: { "/body/a": Array.from({ length: 9000 }, () => 0) } }, "filter"],
      ["store.blob-put", { ns: "n", key: "k", data: "AAA" }, "data"],
    ] as const) {
      const refused = await shop.post(id, input);
      expect(await bodyOf(refused)).toMatchObject({ status: 400, issues: [{ path }] });
    }
  });

  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, 0]));
  /** How many elements and names the parser made. */
  async function partsParsed(work: () => Promise<Response>) {
    const parse = vi.spyOn(JSON, "parse");
    const answer = await work();
    const values = parse.mock.results.map(({ value }) => value as unknown);
    parse.mockRestore();
    const counts = values.map((value) => (typeof value === "object" && value ? Object.keys(value).length : 0));
    return { status: answer.status, answer, parts: counts.reduce((sum, count) => sum + count, 0) };
  }

  it("RES-1 a body of very many names leaves others their turns, and none of its names is listed before a payment was verified", async () => {
    const body = { ns: "n", id: "wide", body: names(80_000) };
    const payment = await shop.payFor("store.doc-put", body);
    shop.facilitator.faults.verify.push("refuse");
    const lists = vi.spyOn(Object, "keys");
    const unpaid = await shop.pay("store.doc-put", body, payment);
    const widest = Math.max(...lists.mock.results.map(({ value }) => (value as string[]).length));
    lists.mockRestore();
    expect([unpaid.status, widest < 10_000]).toEqual([402, true]);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const { status, parts } = await partsParsed(() => shop.pay("store.doc-put", body, payment));
    isOver = true;
    expect([status, parts > 80_000]).toEqual([200, true]);
    expect(turns).toBeGreaterThan(20);
  });

  it("ATK-7 parses nothing of long values for a price, and takes them once they are paid for", async () => {
    for (const [id, given] of Object.entries({
      "store.doc-put": { ns: "n", id: "long", body: names(80_000) },
      "store.doc-patch": { ns: "n", id: "long", body: names(50_000) },
      "store.kv-put": { ns: "n", key: "long", value: { deep: [names(40_000), names(40_000)] } },
      "queue.enqueue": { queue: "q", body: Array(100_000).fill(0) },
      "pubsub.publish": { topicId: `top_${"0".repeat(32)}`, message: Array(30_000).fill(0) },
    })) {
      const { status, parts } = await partsParsed(() => shop.post(id, given));
      expect([id, status, parts < 100]).toEqual([id, 402, true]);
      if (id !== "pubsub.publish") expect([id, (await shop.buy(id, given)).status]).toEqual([id, 200]);
    }
    const kept = await bodyOf(await shop.buy("store.kv-get", { ns: "n", key: "long" }));
    expect(kept.data.items[0]?.value).toEqual({ deep: [names(40_000), names(40_000)] });
  });

  it("ATK-7 refuses what has too many parts for nothing, paid or not, without parsing it", async () => {
    const payment = await shop.payFor("store.doc-put", { ns: "n", id: "d", body: {} });
    for (const body of [{ list: Array(500_000).fill(0) }, { list: [names(60_000), Array(60_000).fill(0)] }])
      for (const send of [
        (input: object) => shop.post("store.doc-put", input),
        (input: object) => shop.post("store.doc-put", input, { "x-svc-trial": "1" }),
        (input: object) => shop.pay("store.doc-put", input, payment),
      ]) {
        const { answer, parts } = await partsParsed(() => send({ ns: "n", id: "d", body }));
        const issues = [{ path: "body", message: "must have at most 100000 elements and members in all" }];
        expect(await bodyOf(answer)).toMatchObject({ status: 400, code: "INVALID_INPUT", issues });
        expect(parts).toBeLessThan(100);
      }
    expect(shop.facilitator.trace).toEqual([]);
  });

  it("ATK-7 says for a price whether a long value is an object, where only objects are kept", async () => {
    const refused = await shop.post("store.doc-put", { ns: "n", id: "d", body: Array(50_000).fill(0) });
    expect(await bodyOf(refused)).toMatchObject({
      status: 400,
      issues: [{ message: "must be a text or a JSON object" }],
    });
  });

  it("RES-1 long bodies are read one after the other, however many come at once", async () => {
    measured.most = 0;
    const value = Array(90_000).fill(0);
    const quoted = await Promise.all(
      Array.from({ length: 6 }, () => shop.post("store.kv-put", { ns: "n", key: "k", value })),
    );
    expect(quoted.map(({ status }) => status)).toEqual(Array(6).fill(402));
    expect(measured.most).toBe(1);
  });

  it("ATK-7 a body of too many names is refused before it is parsed", async () => {
    const parse = vi.spyOn(JSON, "parse");
    try {
      const value = Object.fromEntries(Array.from({ length: 110_001 }, (_, i) => [`n${i}`, 0]));
      const refused = await shop.post("store.kv-put", { ns: "n", key: "k", value });
      const parsed = parse.mock.calls.length;
      expect([refused.status, parsed]).toEqual([400, 0]);
      expect((await bodyOf(refused)).detail).toContain("110000 names");
    } finally {
      parse.mockRestore();
    }
  });

  it("ATK-7 visits no element of what is large before a payment, and each once after it", async () => {
    const { proxy, reads } = counted(texts(20_000));
    const ctx = createContext({}, { timeoutMs: 1000 });
    const { judgeRest } = await store.storeDocPut.parse({ ns: "n", id: "d", body: { proxy } }, ctx);
    expect([reads.count, read.texts]).toEqual([0, 0]);
    judgeRest?.();
    // Read once, and written once to be measured.
    expect([reads.count, read.texts]).toEqual([2 * 20_001, 20_002]);
    judgeRest?.();
    expect(reads.count).toBe(2 * 20_001);
  });
});
