import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { printBar, printRates, race, ratio, say } from "./measure.mjs";
import { PATH } from "./shops.mjs";

export const title = "The same over sockets, by the processor time that the server took";

const CONNECTIONS = 16;

export async function run() {
  // In a process of their own: here, they would share their time with the load.
  const child = fork(fileURLToPath(new URL("express-servers.mjs", import.meta.url)));
  const ask = async (question) => {
    child.send(question);
    const [answer] = await once(child, "message");
    return answer;
  };
  const ports = await ask("ports");
  const pools = Object.entries(ports).map(([name, port]) => ({
    name,
    pool: new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 }),
  }));
  const contenders = pools.map(({ name, pool }) => ({
    name,
    async run() {
      const { statusCode, body } = await pool.request({ method: "GET", path: PATH });
      await body.text();
      if (statusCode !== 402) throw new Error(`${name} answered ${statusCode}.`);
    },
  }));
  // The load takes more than its half of a small machine, so the time of day would measure the load.
  const rates = await race(contenders, { concurrency: CONNECTIONS, clock: () => ask("processor milliseconds") });
  for (const { pool } of pools) await pool.close();
  child.disconnect();
  printRates(rates, "@x402/express", "per second of it");
  say(
    `  ${CONNECTIONS} connections that are kept alive, one request at a time on each; the load has a process of its own.`,
  );
  const bars = [
    ["coinslot on node:http", "bare Hono", 0.95],
    ["coinslot on Express", "bare Express", 0.95],
    ["coinslot on Hono", "bare Hono", 0.8],
    ["coinslot on Express", "@x402/express", 1],
    ["coinslot on node:http", "@x402/hono", 1],
    ["coinslot on Hono", "@x402/hono", 1],
  ];
  return bars.map(([name, other, atLeast]) =>
    printBar(`${name} beside ${other}`, ratio(rates, name, other), { atLeast }),
  );
}
