import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { printBar, printTable, say, times, whole } from "./measure.mjs";
import { startStores } from "./servers.mjs";
import { NETWORK, offerOf, signPayments } from "./shops.mjs";

export const title =
  "Honest buyers beside hostile callers of wallets' state, over sockets, each in a process of its own: the slowest hundredth of their calls";

const CALLS = 400;
const BUYERS = 2;
/** Of each kind of hostile calls. Without a rate, each kind as soon as the one before is answered. */
const RATES = [
  ["two a second of each kind", 2],
  ["each kind without a pause", undefined],
];

const start = (file, given) => fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(given)]);

async function measured(pool) {
  const latencies = [];
  const send = async ({ path, body }, headers = {}) => {
    const more = body === undefined ? {} : { "content-type": "application/json" };
    const method = body === undefined ? "GET" : "POST";
    const answer = await pool.request({ method, path, body, headers: { ...more, ...headers } });
    return { ...answer, text: await answer.body.text() };
  };
  const buyer = async (call, wallet) => {
    const { headers } = await send(call);
    const payments = signPayments(offerOf({ headers: new Headers(headers) }), CALLS, wallet);
    return async () => {
      const startedAt = performance.now();
      const { statusCode, text } = await send(call, { "payment-signature": payments.pop() });
      latencies.push(performance.now() - startedAt);
      if (statusCode === 200) return;
      // Whoever comes back for it waits as long as this at least.
      say(`  An honest call was answered ${statusCode}: ${text.slice(0, 200)}`);
      latencies.push(60_000);
    };
  };
  const wallet = generatePrivateKey();
  const key = { ns: "n", key: "k" };
  await (await buyer({ path: "/api/store/kv-put", body: JSON.stringify({ ...key, value: 1 }) }, wallet))();
  const calls = [
    await buyer({ path: "/api/store/kv-get", body: JSON.stringify(key) }, wallet),
    await buyer({ path: "/api/convert/unit?value=1&from=kg&to=lb" }, wallet),
  ];
  latencies.length = 0;
  await Promise.all(
    Array.from({ length: BUYERS }, async (_, buyer) => {
      for (let i = 0; i < CALLS / BUYERS; i++) await calls[(buyer + i) % calls.length]();
    }),
  );
  return latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.99)];
}

/** A port that nobody listens on. */
async function closedPortOf() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), "coinslot-bench-"));
  const stores = await startStores();
  const places = [["PGlite", { folder }], ...(stores.postgres ? [["Postgres", { url: stores.postgres.url }]] : [])];
  const bars = [];
  for (const [name, place] of places) {
    const key = generatePrivateKey();
    const hostile = `${NETWORK}:${privateKeyToAccount(key).address.toLowerCase()}`;
    const server = start("wallet-load-server.mjs", { ...place, hostile, closedPort: await closedPortOf() });
    const [{ port }] = await once(server, "message");
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: BUYERS, pipelining: 1 });
    await measured(pool);
    const quiet = await measured(pool);
    for (const [rate, perSecond] of RATES) {
      const storm = start("wallet-load-hostile.mjs", { port, key, perSecond });
      let [isOver, looked] = [false, 0];
      const clock = (async () => {
        for (; !isOver; await new Promise((resolve) => setTimeout(resolve, 200))) {
          server.send("tick");
          const [done] = await once(server, "message");
          looked += done.looked;
        }
      })();
      // It has begun once it has asked what it pays.
      await new Promise((resolve) => setTimeout(resolve, 500));
      const beside = await measured(pool);
      isOver = true;
      storm.send("end");
      const [counts] = await once(storm, "message");
      await clock;
      say(`  ${name}, ${rate}`);
      printTable(
        ["hostile calls", "answered"],
        [...Object.entries(counts), ["crons that had two days to catch up, and what they call", looked]].map(
          ([what, count]) => [what, whole(count)],
        ),
      );
      say(`  The slowest hundredth of ${CALLS} paid calls: ${times(beside / quiet)} of the quiet run's.`);
      bars.push(printBar(`${name}, ${rate}: p99 of honest calls`, beside / quiet, { atMost: 3 }));
    }
    await pool.close();
    server.disconnect();
    await once(server, "exit");
  }
  await stores.postgres?.stop();
  await stores.redis?.stop();
  await rm(folder, { recursive: true, force: true });
  return bars;
}
