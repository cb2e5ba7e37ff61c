import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { HTTPFacilitatorClient } from "@x402/core/http";
import { paymentMiddleware } from "@x402/hono";
import { convertUnit } from "coinslot/capabilities/convert";
import { createPostgresStore } from "coinslot/stores/postgres";
import { createRedisStore } from "coinslot/stores/redis";
import { Hono } from "hono";
import { Redis } from "ioredis";
import pg from "pg";
import { verifyTypedData } from "viem/utils";
import { printBar, printRates, race, ratio, say } from "./measure.mjs";
import { startStores } from "./servers.mjs";
import { CALL, offerOf, openOurs, openTheirs, PATH, PROBE, signPayments, typedDataFor } from "./shops.mjs";

export const title = "Paid calls, each with a signature of its own; the facilitator says yes at once, unread";

const ROUNDS = 9;
const COUNT = 200;
/** Until the compiler has seen enough of either. */
const WARM_UP = 2000;
const CONCURRENCY = 16;
/** How far away the facilitator is over HTTP. */
const FACILITATOR_MS = "2";
/** Every contender gets the same payments. */
const POOL = WARM_UP + ROUNDS * COUNT;

export async function run() {
  const probed = openOurs();
  const offer = offerOf(await probed(new Request(PROBE)));
  await probed.close();
  const payments = signPayments(offer, POOL);
  const bars = [await overHttp(payments), await inProcess(offer, payments)];
  await perStore(payments);
  return bars;
}

/** As it is in real life: the facilitator is asked over HTTP, here in another process, whose time does not count. */
async function overHttp(payments) {
  const child = fork(fileURLToPath(new URL("yes-facilitator.mjs", import.meta.url)), [FACILITATOR_MS]);
  const ask = async (question) => {
    child.send(question);
    const [answer] = await once(child, "message");
    return answer;
  };
  const url = `http://127.0.0.1:${await ask("port")}`;
  const ours = openOurs({}, { url });
  const theirs = mount(openTheirs({ facilitator: new HTTPFacilitatorClient({ url }) }));
  const contenders = [buyer("coinslot", ours, payments), buyer("@x402/hono", theirs, payments)];
  const tripsOf = async ({ run }) => {
    await run();
    const before = await ask("calls");
    await run();
    return (await ask("calls")) - before;
  };
  const trips = [await tripsOf(contenders[0]), await tripsOf(contenders[1])];
  say("\n  The facilitator over HTTP, in a process of its own:");
  const rates = await race(contenders, { rounds: ROUNDS, count: COUNT, warmUp: WARM_UP - 2 });
  await ours.close();
  child.disconnect();
  printRates(rates, "@x402/hono");
  say(`  Each asks it ${trips.join(" and ")} times a call.`);
  const beside = ratio(rates, "coinslot", "@x402/hono");
  return printBar("a paid call over HTTP beside @x402/hono", beside, { atLeast: 0.9 });
}

/** The middleware's own work, without the way to the facilitator. */
async function inProcess(offer, payments) {
  const ours = openOurs();
  const contenders = [
    buyer("coinslot", ours, payments),
    buyer("@x402/hono", mount(openTheirs()), payments),
    buyer("@x402/hono, verifying", mount(openTheirs({ verify: verifierFor(offer) })), payments),
  ];
  say("\n  The facilitator in the same process:");
  const rates = await race(contenders, { rounds: ROUNDS, count: COUNT, warmUp: WARM_UP });
  await ours.close();
  printRates(rates, "@x402/hono");
  say("  @x402/hono leaves the signature to the facilitator and keeps no record of what was used. Coinslot checks");
  say("  signature, window, amount and payee itself, claims the payment, saves the answer before");
  say(
    "  it settles and books the sale. `verifying` has the facilitator look at the signature, with viem, before its yes.",
  );
  const beside = ratio(rates, "coinslot", "@x402/hono");
  return printBar("a paid call in one process beside @x402/hono without our checks", beside, { atLeast: 0.4 });
}

const mount = (theirs) => {
  const app = new Hono().use(paymentMiddleware(...theirs));
  // The work is the same function, so that only what is around it differs.
  app.get(PATH, async (c) => {
    const { value, from, to } = c.req.query();
    return c.json({ data: await convertUnit({ value: Number(value), from, to }) });
  });
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
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${name} answered ${response.status}: ${body}`);
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
