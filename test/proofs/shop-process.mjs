// A service in a process of its own, on a shared Postgres or Redis, that kills itself at the point that KILL_AT names.
import { createServer } from "node:http";
import { createHandler, defineCapability, one } from "coinslot";
import { node } from "coinslot/node";
import { createPostgresStore } from "coinslot/stores/postgres";
import { createRedisStore } from "coinslot/stores/redis";
import { Redis } from "ioredis";
import pg from "pg";
import { z } from "zod";

const { DATABASE_URL, REDIS_URL, FACILITATOR_URL, KILL_AT, CLOCK_OFFSET_MS = "0", TREASURY } = process.env;

/** No handler runs after this, no buffer is flushed: as when the machine loses power. */
function dieAt(point) {
  if (point === KILL_AT) process.kill(process.pid, "SIGKILL");
}

const work = defineCapability({
  id: "test.work",
  summary: "Counts its runs.",
  price: "0.001",
  timeoutMs: 1000,
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({ n: z.number() })),
  example: { n: 1 },
  async run({ n }) {
    await fetch(`${FACILITATOR_URL}/ran`, { method: "POST" });
    dieAt("run");
    return { item: { n } };
  },
});

const shared = REDIS_URL
  ? createRedisStore(new Redis(REDIS_URL))
  : createPostgresStore(new pg.Pool({ connectionString: DATABASE_URL, max: 2 }));
const store = {
  ...shared,
  async put(key, value, options) {
    const version = await shared.put(key, value, options);
    if (key.startsWith("job:")) dieAt(JSON.parse(value).state === "done" ? "job ended" : "job taken");
    if (!key.startsWith("payment:")) return version;
    const { state } = JSON.parse(value);
    dieAt(state === "running" ? "claim" : state === "settling" ? "result saved" : "state saved");
    return version;
  },
};

async function hookedFetch(input, init) {
  const path = new URL(String(input)).pathname;
  const sent = fetch(input, init);
  // Long enough for the request to leave, too short for its answer, which the facilitator holds back for a second.
  if (path === "/settle") await new Promise((resolve) => setTimeout(resolve, 100));
  if (path === "/settle") dieAt("settle sent");
  const response = await sent;
  dieAt(path === "/settle" ? "settle answered" : "verify");
  return response;
}

const handle = createHandler({
  capabilities: [work],
  payment: { treasury: { "eip155:8453": TREASURY }, facilitator: { url: FACILITATOR_URL }, rpc: false },
  store,
  fetch: hookedFetch,
  clock: () => new Date(Date.now() + Number(CLOCK_OFFSET_MS)),
});

const answer = node(handle);
const server = createServer((req, res) => {
  if (req.url === "/background") return void handle.reconcile().finally(() => res.end());
  if (KILL_AT === "half the reply") breakOff(res);
  return answer(req, res);
});

/** Sends the beginning of a paid answer and dies. */
function breakOff(res) {
  const write = res.write.bind(res);
  const end = res.end.bind(res);
  const half = (chunk) => {
    write(Buffer.from(chunk).subarray(0, 20), () => dieAt("half the reply"));
    return true;
  };
  res.write = (chunk, ...rest) => (res.statusCode === 200 ? half(chunk) : write(chunk, ...rest));
  // A short answer leaves whole with its end.
  res.end = (chunk, ...rest) => {
    if (res.statusCode !== 200) return end(chunk, ...rest);
    if (chunk) half(chunk);
    return res;
  };
}

server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
