import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRedisStore } from "../../src/stores/redis.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";
import { describeStore } from "./conformance.js";

const server = await startRedis();
if (!server) announceSkip("Redis conformance", "no redis-server on this machine");
let states = 0;
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe.skipIf(!server)("on a real Redis", () => {
  const url = server?.url ?? "";
  const ioredis = new Redis(url, { lazyConnect: true });
  const ioredisWithPrefix = new Redis(url, { lazyConnect: true, keyPrefix: "host:" });
  const nodeRedis = createClient({ url });
  const nodeRedisToo = createClient({ url });

  beforeAll(async () => {
    await Promise.all([ioredis.connect(), ioredisWithPrefix.connect(), nodeRedis.connect(), nodeRedisToo.connect()]);
  });
  afterAll(async () => {
    for (const client of [ioredis, ioredisWithPrefix]) client.disconnect();
    for (const client of [nodeRedis, nodeRedisToo]) client.destroy();
    await server?.stop();
  });

  describeStore("Redis store, ioredis beside node-redis", {
    async open() {
      states += 1;
      const options = { prefix: `{test ${states}}:` };
      return [createRedisStore(ioredis, options), createRedisStore(nodeRedis, options)];
    },
    pass,
  });
});
