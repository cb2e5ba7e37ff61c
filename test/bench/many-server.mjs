// One shop of many.mjs on Express, in a process of its own, which tells its parent what that asks.
import { once } from "node:events";
import { HTTPFacilitatorClient } from "@x402/core/http";
import { paymentMiddleware } from "@x402/express";
import { convertUnit } from "coinslot/capabilities/convert";
import { express as coinslot } from "coinslot/express";
import { createPostgresStore } from "coinslot/stores/postgres";
import { createRedisStore } from "coinslot/stores/redis";
import express from "express";
import { Redis } from "ioredis";
import pg from "pg";
import { openOurs, openTheirs, PATH } from "./shops.mjs";

const [kind, facilitatorUrl, storeUrl] = process.argv.slice(2);
let statements = 0;

/** A host's pool as it stands in every guide, and a count of what it is asked. */
function countingPool() {
  const pool = new pg.Pool({ connectionString: storeUrl });
  const { query } = pool;
  pool.query = (...args) => {
    statements++;
    return query.apply(pool, args);
  };
  return pool;
}

function countingRedis() {
  const client = new Redis(storeUrl);
  const { sendCommand } = client;
  client.sendCommand = (...args) => {
    statements++;
    return sendCommand.apply(client, args);
  };
  return client;
}

const stores = {
  memory: () => ({}),
  redis: () => ({ store: createRedisStore(countingRedis()) }),
  postgres: () => ({ store: createPostgresStore(countingPool()) }),
};

function theirs() {
  const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl });
  return express()
    .use(paymentMiddleware(...openTheirs({ facilitator })))
    .get(PATH, async (req, res) => {
      const { value, from, to } = req.query;
      res.json({ data: await convertUnit({ value: Number(value), from, to }) });
    });
}

const logger = { debug() {}, info() {}, warn: console.error, error: console.error };
const app =
  kind === "theirs"
    ? theirs()
    : express().use(coinslot(openOurs({ ...stores[kind](), logger }, { url: facilitatorUrl })));
const server = app.listen(0, "127.0.0.1");
await once(server, "listening");

const answers = {
  port: () => server.address().port,
  processorMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  statements: () => statements,
  memory() {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
};
process.on("message", (question) => process.send?.(answers[question]()));
process.once("disconnect", () => process.exit());
