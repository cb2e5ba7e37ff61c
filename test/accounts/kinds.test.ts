import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { batchRun } from "../../src/capabilities/batch/index.js";
import { storeKvGet, storeKvPut } from "../../src/capabilities/store/index.js";
import { legacy } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { doubled } from "../support/doubled.js";
import { freshFolder } from "../support/fresh-folder.js";
import { fated } from "../support/mortal-store.js";
import { openShop, type ShopOptions } from "../support/shop.js";

const identify = (request: Request) => {
  const id = request.headers.get("cookie");
  return id ? { id } : undefined;
};

async function open(capabilities: readonly AnyCapability[], options: ShopOptions = {}) {
  const clock = fakeClock();
  const store = createMemoryStore({ clock });
  const shop = openShop({ capabilities, accounts: { keys: true, identify }, trial: false, clock, store, ...options });
  const { accounts } = shop.handle;
  await accounts.topUp("ada", "1", { reference: "r" });
  const call = (path: string, headers: Record<string, string> = {}) => shop.get(path, { cookie: "ada", ...headers });
  const post = (path: string, input: object, headers: Record<string, string> = {}) =>
    shop.handle(
      new Request(`http://shop.test/api${path}`, {
        ...{ method: "POST", body: JSON.stringify(input) },
        headers: { cookie: "ada", "content-type": "application/json", ...headers },
      }),
    );
  const left = async () => (await accounts.balance("ada")).availableUsd;
  return { ...shop, accounts, call, post, left, store, clock };
}

/** Ten words at 0.002 USD each, of a ceiling of 0.1. */
const talk = (between: (word: number) => Promise<void> | void = () => {}) =>
  defineOwnCapability({
    id: "test.talk",
    summary: "Talks, by the word.",
    price: "0.1",
    billing: "upto",
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ words: z.int().min(1).max(100).describe("How many") }),
    output: legacy(() => z.object({ words: z.number() })),
    example: { words: 3 },
    async *stream({ words }, { meter }) {
      for (let word = 1; word <= words; word++) {
        await between(word);
        meter.add("0.002");
        yield { word };
      }
      return { words };
    },
  });

const EVENTS = { accept: "text/event-stream" };

describe("an account that is charged by usage", () => {
  it("holds the ceiling and pays what was used", async () => {
    const { call, left } = await open([
      billedByUsage(({ meter }) => {
        meter.add("0.0075");
        return 1;
      }),
    ]);
    const { meta } = await bodyOf(await call("/test/model?n=1"));
    expect(meta).toMatchObject({ caller: "account", costUsd: "0.0075", quotedUsd: "0.02" });
    expect(meta.usage).toEqual({ authorizedUsd: "0.02", usedUsd: "0.0075", settledUsd: "0.0075", method: "account" });
    expect(await left()).toBe("0.9925");
  });

  it("pays for a stream what was sent, and gets the same again under its Idempotency-Key", async () => {
    const { call, left } = await open([talk()]);
    const headers = { ...EVENTS, "idempotency-key": "mine" };
    const first = await (await call("/test/talk?words=10", headers)).text();
    expect(first).toContain('"caller":"account"');
    expect(await (await call("/test/talk?words=10", headers)).text()).toBe(first);
    expect(await left()).toBe("0.98");
  });

  it("STR-14 pays for a stream whose process died what was sent, when its hold has ended", async () => {
    const clock = fakeClock();
    const living = createMemoryStore({ clock });
    const mortal = fated(living, { left: Number.POSITIVE_INFINITY, done: false, forGood: true });
    const shared = { accounts: { identify }, trial: false, clock } as const;
    const hang = (word: number) => (word > 8 ? new Promise<void>(() => {}) : undefined);
    const dying = openShop({ ...shared, capabilities: [talk(hang)], store: mortal.store });
    const next = openShop({ ...shared, capabilities: [talk()], store: living });
    const { accounts } = next.handle;
    await accounts.topUp("ada", "1", { reference: "r" });
    const answer = await dying.get("/test/talk?words=10", { cookie: "ada", ...EVENTS });
    const reader = answer.body?.getReader();
    for (let i = 0; i < 6; i++) await reader?.read();
    await expect.poll(async () => JSON.stringify(await living.get("account:ada"))).toContain("sent");
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0.9", heldUsd: "0.1" });
    clock.advance(600);
    const { availableUsd, heldUsd } = await accounts.balance("ada");
    expect(heldUsd).toBe("0");
    expect(Number(availableUsd)).toBeGreaterThanOrEqual(0.984);
    expect(Number(availableUsd)).toBeLessThan(1);
    await accounts.adjust("ada", "0.5", { reference: "writes" });
    expect((await accounts.entries("ada")).map(({ kind }) => kind)).toEqual(["topup", "sale", "adjustment"]);
  });
});

describe("a batch by account", () => {
  const calls = (...all: number[]) => ({ calls: all.map((n) => ({ endpoint: "their.work", params: { n } })) });

  it("is one hold and one sale, within the endpoints and the pace of its parts", async () => {
    const { post, accounts, left } = await open([doubled(), batchRun]);
    const { meta } = await bodyOf(await post("/batch/run", calls(1, 2)));
    expect(meta).toMatchObject({ caller: "account", account: "ada" });
    expect(await accounts.entries("ada")).toHaveLength(2);
    const after = await left();
    await accounts.setLimits("ada", { endpoints: ["batch.run"] });
    expect(await bodyOf(await post("/batch/run", calls(1)))).toMatchObject({ code: "ACCOUNT_LIMIT" });
    await accounts.setLimits("ada", { perMinute: 2 });
    expect((await post("/batch/run", calls(1, 2, 3))).status).toBe(429);
    await accounts.setLimits("ada", { freePerMonth: { calls: 10 } });
    expect(await bodyOf(await post("/batch/run", calls(1)))).toMatchObject({ meta: { caller: "account" } });
    expect(Number(await left())).toBeLessThan(Number(after));
  });
});

it("GRA-13 a batch that outlived its hold is not paid by a grant that its calls are not of", async () => {
  let finish = () => {};
  const waits = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slow = doubled(() => waits);
  const { post, accounts, left, clock } = await open([slow, batchRun]);
  await accounts.grant("ada", { usd: "1", endpoints: ["batch.run"] });
  const called = post("/batch/run", { calls: [{ endpoint: "their.work", params: { n: 1 } }] });
  await expect.poll(async () => (await accounts.balance("ada")).heldUsd).not.toBe("0");
  clock.advance(3600);
  expect(await accounts.balance("ada")).toMatchObject({ availableUsd: "2", heldUsd: "0" });
  finish();
  expect((await called).status).toBe(200);
  const [grant] = await accounts.grants("ada");
  expect([grant?.leftUsd, (await accounts.entries("ada")).at(-1)]).toMatchObject(["1", { kind: "sale" }]);
  expect(Number(await left())).toBeLessThan(2);
});

describe("state of an account", () => {
  const folders: string[] = [];
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
  });

  it("belongs to it, is changed once under an Idempotency-Key, and is nobody else's", async () => {
    const dataDir = await freshFolder();
    folders.push(dataDir);
    const { post, handle, accounts } = await open([storeKvPut, storeKvGet], { wallets: { dataDir } });
    closing.push(() => handle.close());
    const put = (value: number, key: string) =>
      post("/store/kv-put", { ns: "n", key: "k", value }, { "idempotency-key": key });
    const first = await bodyOf(await put(1, "one"));
    expect(first.data).toBeDefined();
    await bodyOf(await put(2, "two"));
    expect(await bodyOf(await put(1, "one"))).toEqual(first);
    const got = await bodyOf(await post("/store/kv-get", { ns: "n", key: "k" }));
    expect(got.data).toMatchObject({ items: [{ value: 2 }], meta: { wallet: "acct:ada" } });
    await accounts.topUp("bob", "1", { reference: "r" });
    expect((await post("/store/kv-get", { ns: "n", key: "k" }, { cookie: "bob" })).status).toBe(404);
    expect(await handle.wallets.erase("acct:ada")).toMatchObject({ kv: 1 });
  });
});
