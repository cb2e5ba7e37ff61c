// The service of wallet-load.mjs, in a process of its own: node wallet-load-server.mjs '{"folder" or "url", "hostile", "port"}'
import { once } from "node:events";
import { createServer } from "node:http";
import { node } from "coinslot/node";
import pg from "pg";
import { openOurs } from "./shops.mjs";

const { folder, url, hostile, closedPort } = JSON.parse(process.argv[2]);
const DAYS_DOWN = 2;
const CRONS = 100;
const CRON_WALLETS = 3;

const pool = url && new pg.Pool({ connectionString: url });
let behindMs = DAYS_DOWN * 86_400_000;
const quiet = () => {};
const handle = openOurs({
  logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  clock: () => new Date(Date.now() - behindMs),
  wallets: { ...(pool ? { db: pool } : { dataDir: folder }), httpCallbacks: true, runner: false },
  trial: { perHour: 1000, deploymentBudgetUsd: "1000", callerBudgetUsd: "1000" },
  outbound: { allowHosts: [`127.0.0.1:${closedPort}`] },
});

// What is due every minute, from before the time that the service was down.
const cron = { callbackUrl: `http://127.0.0.1:${closedPort}/`, cron: "* * * * *", maxFires: 1000 };
for (let i = 0; i < CRONS * CRON_WALLETS; i++)
  await handle.call("schedule.create", cron, { wallet: `crons-${i % CRON_WALLETS}` });
behindMs = 0;

const words = Array.from({ length: 32 }, (_, i) => `word${i}`).join(" ");
for (let i = 0; i < 20; i++)
  await handle.call(
    "store.doc-put",
    { ns: "n", id: `d${i}`, body: { text: `${words} `.repeat(100), list: Array(2000).fill(i) } },
    { wallet: hostile },
  );

const server = createServer(node(handle, { trustProxyHops: 1 })).listen(0, "127.0.0.1");
await once(server, "listening");
process.send?.({ port: server.address().port });

// Once the storm begins: all that was missed is due, and so is every minute.
process.on("message", async (message) => {
  if (message === "tick") process.send?.({ looked: await handle.tick({ budgetMs: 1000 }).catch(String) });
});
process.once("disconnect", async () => {
  await handle.close();
  await pool?.end();
  process.exit();
});
