import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { generatePrivateKey } from "viem/accounts";
import { printBar, printTable, say, times, whole } from "./measure.mjs";
import { startStores } from "./servers.mjs";
import { CALL, offerOf, openOurs, signPayments } from "./shops.mjs";

export const title = "Honest buyers beside hostile callers of wallets' state: the slowest hundredth of their calls";

const CALLS = 200;
const BUYERS = 2;
const READ = "http://shop.test/api/store/kv-get";
const HOSTILE = "hostile";

const post = (path, input, headers = {}) =>
  new Request(`http://shop.test/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(input),
  });

/** Text that split words in a square of its length. */
const hyphens = "a-b1.c_".repeat(18_000);
const zeros = JSON.stringify({ ns: "n", id: "d", body: Array(500_000).fill(0) });
const contains = (n) => ({ and: Array.from({ length: n }, (_, i) => ({ "/body/text": { contains: `x${i}` } })) });
const words = Array.from({ length: 32 }, (_, i) => `word${i}`).join(" ");

/** What strangers send, each as soon as the one before is answered. */
function attacks(handle) {
  let caller = 0;
  const address = () => ({ clientAddress: `203.0.${(caller >> 8) % 256}.${caller++ % 256}` });
  const own = (id, input, ms) => handle.call(id, input, { wallet: HOSTILE, signal: AbortSignal.timeout(ms) });
  return {
    "trials of texts that are hard to split": () =>
      handle(post("store/doc-put", { ns: "n", id: "d", body: hyphens }, { "x-svc-trial": "1" }), address()),
    "filters whose callers leave": () => own("store.doc-query", { ns: "n", filter: contains(18) }, 100),
    "lists beside long lists": () =>
      own("store.doc-query", { ns: "n", filter: { "/body/list": { contains: [1, 2] } } }, 5000),
    "searches of 32 words": () => own("store.doc-search", { ns: "n", query: words }, 5000),
    "large documents, unpaid": () =>
      handle(
        new Request("http://shop.test/api/store/doc-put", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: zeros,
        }),
        address(),
      ),
    "sign-ins that are none": () =>
      handle(post("store/erase", { confirm: "erase everything" }, { "sign-in-with-x": "e30=" }), address()),
    "prices of topics, unpaid": () =>
      handle(post("pubsub/publish", { topicId: `top_${"0".repeat(32)}`, message: 1 }), address()),
  };
}

async function measured(handle) {
  const key = { ns: "n", key: "k" };
  const latencies = [];
  const buyer = async (make, wallet) => {
    const payments = signPayments(offerOf(await handle(make())), CALLS, wallet);
    return async () => {
      const startedAt = performance.now();
      const response = await handle(make({ "payment-signature": payments.pop() }));
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
      latencies.push(performance.now() - startedAt);
    };
  };
  const wallet = generatePrivateKey();
  await (await buyer((headers) => post("store/kv-put", { ...key, value: 1 }, headers), wallet))();
  const calls = [
    await buyer((headers) => post(READ.replace("http://shop.test/api/", ""), key, headers), wallet),
    await buyer((headers) => new Request(CALL, { headers }), wallet),
  ];
  latencies.length = 0;
  await Promise.all(
    Array.from({ length: BUYERS }, async (_, buyer) => {
      for (let i = 0; i < CALLS / 2; i++) await calls[(buyer + i) % calls.length]();
    }),
  );
  return latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.99)];
}

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), "coinslot-bench-"));
  const stores = await startStores();
  const pool = stores.postgres && new pg.Pool({ connectionString: stores.postgres.url });
  const databases = [["PGlite", { dataDir: folder }], ...(pool ? [["Postgres", { db: pool }]] : [])];
  const bars = [];
  for (const [name, wallets] of databases) {
    const handle = openOurs({
      wallets: { ...wallets, runner: false },
      trial: { perHour: 1000, deploymentBudgetUsd: "1000" },
    });
    for (let i = 0; i < 20; i++)
      await handle.call(
        "store.doc-put",
        { ns: "n", id: `d${i}`, body: { text: `${words} `.repeat(100), list: Array(2000).fill(i) } },
        { wallet: HOSTILE },
      );
    await measured(handle);
    const quiet = await measured(handle);
    let isOver = false;
    const counts = new Map();
    const storm = Object.entries(attacks(handle)).map(async ([what, attack]) => {
      while (!isOver) {
        const answer = await attack().catch(() => undefined);
        await answer?.arrayBuffer?.();
        counts.set(what, (counts.get(what) ?? 0) + 1);
        await new Promise(setImmediate);
      }
    });
    const beside = await measured(handle);
    isOver = true;
    await Promise.all(storm);
    await handle.close();
    say(`  ${name}`);
    printTable(
      ["hostile calls, each kind in a row", "answered"],
      [...counts].map(([what, count]) => [what, whole(count)]),
    );
    say(`  The slowest hundredth of ${CALLS} paid calls: ${times(beside / quiet)} of the quiet run's.`);
    bars.push(printBar(`${name}: p99 of honest calls beside hostile ones`, beside / quiet, { atMost: 3 }));
  }
  await pool?.end();
  await stores.postgres?.stop();
  await stores.redis?.stop();
  await rm(folder, { recursive: true, force: true });
  return bars;
}
