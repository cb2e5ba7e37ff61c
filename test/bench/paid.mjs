import { paymentMiddleware } from "@x402/hono";
import { createPostgresStore } from "coinslot/stores/postgres";
import { createRedisStore } from "coinslot/stores/redis";
import { Hono } from "hono";
import { Redis } from "ioredis";
import pg from "pg";
import { verifyTypedData } from "viem/utils";
import { printRates, race, say } from "./measure.mjs";
import { startStores } from "./servers.mjs";
import { CALL, offerOf, openOurs, openTheirs, PATH, PROBE, signPayments, typedDataFor } from "./shops.mjs";

export const title = "Paid calls, each with a signature of its own; the facilitator says yes at once, in process";

const ROUNDS = 9;
const COUNT = 80;
const CONCURRENCY = 16;
/** A round to warm up, and the measured ones; every contender gets the same payments. */
const POOL = (ROUNDS + 1) * COUNT;

export async function run() {
  const ours = openOurs();
  const offer = offerOf(await ours(new Request(PROBE)));
  const payments = await signPayments(offer, POOL);
  await besideTheirs(ours, offer, payments);
  await ours.close();
  await perStore(payments);
  return [];
}

async function besideTheirs(ours, offer, payments) {
  const contenders = [
    buyer("coinslot", ours, payments),
    buyer("@x402/hono", mount(openTheirs()), payments),
    buyer("@x402/hono, checking signatures", mount(openTheirs({ verify: verifierFor(offer) })), payments),
  ];
  printRates(await race(contenders, { rounds: ROUNDS, count: COUNT }), "@x402/hono");
  say("  @x402/hono leaves the signature to the facilitator and keeps no record of what was used. Coinslot checks");
  say("  signature, window, amount and payee itself, claims the payment, and saves the answer before it settles.");
}

const mount = (theirs) => {
  const app = new Hono().use(paymentMiddleware(...theirs));
  // The work is the same, so that only what is around it differs.
  app.get(PATH, (c) => c.json({ data: { ok: true, items: [{ result: Number(c.req.query("value")) / 0.45359237 }] } }));
  return app.fetch;
};

/** Sends one payment after the other; a pool that ran dry would measure replays. */
function buyer(name, handle, payments) {
  let next = 0;
  return {
    name,
    async run() {
      const headers = { "payment-signature": payments[next++] };
      const response = await handle(new Request(CALL, { headers }));
      if (response.status !== 200) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
      if (response.headers.has("x-svc-replay")) throw new Error(`${name} sold a payment's answer twice.`);
    },
  };
}

/** What a facilitator does first, in the middleware's own process. */
function verifierFor(offer) {
  const typedData = typedDataFor(offer);
  return async ({ payload: { authorization, signature } }) => {
    const { from: address } = authorization;
    const isValid = await verifyTypedData({ ...typedData, message: authorization, address, signature });
    return { isValid, payer: address };
  };
}

/** The same on each store, at the load that a server has: calls side by side. */
async function perStore(payments) {
  say(`\n  By store, ${CONCURRENCY} calls at a time, by the time of day:`);
  const servers = await startStores();
  const contenders = [buyer("in memory", openOurs(), payments)];
  const endings = [];
  if (servers.redis) {
    const client = new Redis(servers.redis.url);
    contenders.push(buyer("Redis", openOurs({ store: createRedisStore(client) }), payments));
    endings.push(() => client.quit(), servers.redis.stop);
  } else say("  SKIPPED Redis: redis-server is not installed here.");
  if (servers.postgres) {
    const pool = new pg.Pool({ connectionString: servers.postgres.url, max: CONCURRENCY });
    contenders.push(buyer("Postgres", openOurs({ store: createPostgresStore(pool) }), payments));
    endings.push(() => pool.end(), servers.postgres.stop);
  } else say("  SKIPPED Postgres: there is no binary of it for this machine.");
  // By the time of day: what a store adds is waiting.
  const options = { rounds: ROUNDS, count: COUNT, concurrency: CONCURRENCY, clock: () => performance.now() };
  printRates(await race(contenders, options), "in memory");
  for (const end of endings) await end();
}
