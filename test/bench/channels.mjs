import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { InMemoryChannelStorage } from "@x402/evm/batch-settlement/server";
import { FileChannelStorage } from "@x402/evm/batch-settlement/server/file-storage";
import { RedisChannelStorage } from "@x402/evm/batch-settlement/server/redis-storage";
import { createMemoryStore } from "coinslot";
import { createPostgresStore } from "coinslot/stores/postgres";
import { createRedisStore } from "coinslot/stores/redis";
import { Redis } from "ioredis";
import pg from "pg";
import { createClient } from "redis";
import { printGas } from "./channel-gas.mjs";
import { buyer, channelBuyer, openChannels, openTheirChannels } from "./channel-shops.mjs";
import { printBar, printRates, printTable, race, ratio, say } from "./measure.mjs";
import { startStores } from "./servers.mjs";
import { NETWORK, offerOf, openOurs, PROBE, signPayments, TREASURY } from "./shops.mjs";

export const title =
  "Calls paid by voucher of a payment channel, beside exact and beside @x402/hono with batch-settlement";

const ROUNDS = 9;
const COUNT = 100;
const POOL = (ROUNDS + 1) * COUNT + 1;
/** Where each call waits for a facilitator, fewer say enough. */
const FEW = { rounds: 3, count: 15 };
const LATENCIES_MS = [2, 50];
const clock = () => performance.now();

/** Exact, with a facilitator that says yes unread, `latencyMs` after it is asked. */
function openExact(store, latencyMs = 0) {
  const later = async (answer) => {
    if (latencyMs > 0) await sleep(latencyMs);
    return answer;
  };
  return openOurs({
    store,
    payment: {
      treasury: { [NETWORK]: TREASURY },
      facilitator: {
        supported: async () => ({ kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }] }),
        verify: ({ payload }) => later({ isValid: true, payer: payload.authorization.from }),
        settle: ({ payload: { authorization } }) =>
          later({ success: true, transaction: authorization.nonce, network: NETWORK, payer: authorization.from }),
      },
      maxTimeoutSeconds: 3600,
      rpc: false,
    },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
}

async function exactBuyer(name, handle, count = POOL) {
  return buyer(name, handle, await signPayments(offerOf(await handle(new Request(PROBE))), count));
}

export async function run() {
  const handles = [];
  const open = (handle) => {
    handles.push(handle);
    return handle;
  };
  say("  By the time of day, one call after the other, everything durable. Exact is settled by a facilitator in this");
  say("  process that says yes unread; rows with a distance say how far away it is, twice a call.");
  const bars = [];
  for await (const { name, store, theirs, theirName, goal } of durableStores()) {
    const ours = `coinslot, channel, ${name}`;
    const exact = `coinslot, exact, ${name}`;
    const contenders = [
      await exactBuyer(exact, open(openExact(store))),
      await channelBuyer(ours, open(openChannels(store)), POOL),
      await channelBuyer(theirName, openTheirChannels(theirs), POOL),
    ];
    const rates = await race(contenders, { rounds: ROUNDS, count: COUNT, clock });
    const few = (FEW.rounds + 1) * FEW.count + 1;
    const distant = await Promise.all(
      LATENCIES_MS.map((ms) => exactBuyer(`${exact}, ${ms} ms away`, open(openExact(store, ms)), few)),
    );
    for (const [each, rounds] of await race(distant, { ...FEW, clock })) rates.set(each, rounds);
    say();
    printRates(rates, exact);
    bars.push(
      printBar(`a call by voucher on ${name}, beside exact`, ratio(rates, ours, exact), { atLeast: 3 }),
      printBar(`a call by voucher on ${name}, beside ${theirName}`, ratio(rates, ours, theirName), { atLeast: goal }),
    );
    for (const handle of handles.splice(0)) await handle.close();
  }
  await inMemory();
  await printGas();
  return bars;
}

/** Our stores on their servers, and the official storage that lasts as long. */
async function* durableStores() {
  const servers = await startStores();
  if (servers.redis) {
    const client = new Redis(servers.redis.url);
    const official = await createClient({ url: servers.redis.url }).connect();
    const theirs = new RedisChannelStorage({ client: official });
    yield { name: "Redis", store: createRedisStore(client), theirs, theirName: "@x402/hono, channel, Redis", goal: 1 };
    await client.quit();
    await official.close();
    await servers.redis.stop();
  } else say("  SKIPPED Redis: redis-server is not installed here.");
  if (!servers.postgres) return say("  SKIPPED Postgres: there is no binary of it for this machine.");
  const pool = new pg.Pool({ connectionString: servers.postgres.url, max: 4 });
  const directory = await mkdtemp(join(tmpdir(), "coinslot-bench-"));
  const theirs = new FileChannelStorage({ directory });
  yield {
    name: "Postgres",
    store: createPostgresStore(pool),
    theirs,
    theirName: "@x402/hono, channel, files",
    goal: 1.5,
  };
  await pool.end();
  await servers.postgres.stop();
  await rm(directory, { recursive: true, force: true });
}

/** Where nothing is kept: what is left is each one's own work, and how often it would ask a store. */
async function inMemory() {
  const counts = new Map();
  const counted = (name) => {
    const store = createMemoryStore();
    const seen = { reads: 0, writes: 0 };
    counts.set(name, seen);
    const spy = { ...store, shared: true };
    for (const [kind, operations] of [
      ["reads", ["get", "due", "list"]],
      ["writes", ["put", "remove", "increment"]],
    ])
      for (const operation of operations)
        spy[operation] = (...args) => {
          seen[kind]++;
          return store[operation](...args);
        };
    return spy;
  };
  const names = ["coinslot, exact", "coinslot, channel"];
  const handles = [openExact(counted(names[0])), openChannels(counted(names[1]))];
  const contenders = [
    await exactBuyer(names[0], handles[0]),
    await channelBuyer(names[1], handles[1], POOL),
    await channelBuyer("@x402/hono, channel", openTheirChannels(new InMemoryChannelStorage()), POOL),
  ];
  const before = new Map([...counts].map(([name, seen]) => [name, { ...seen }]));
  const rates = await race(contenders, { rounds: ROUNDS, count: COUNT });
  say("\n  In memory, by processor time, where nothing is kept:");
  printRates(rates, names[0]);
  say("\n  What a call asks the store:");
  printTable(
    ["", "reads", "writes"],
    names.map((name) => {
      const [{ reads, writes }, begun] = [counts.get(name), before.get(name)];
      const each = (sum) => (sum / ((ROUNDS + 1) * COUNT)).toFixed(2);
      return [name, each(reads - begun.reads), each(writes - begun.writes)];
    }),
  );
  for (const handle of handles) await handle.close();
}
