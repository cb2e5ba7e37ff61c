/** Several processes of `coinslot serve` with one store: what one knows, all know. */
import { afterAll, describe, expect, it } from "vitest";
import { coinslot, startServe } from "../support/cli.js";
import { startRedis } from "../support/redis.js";
import { openPostgres } from "../support/run-postgres.js";
import { announceSkip } from "../support/server.js";
import { TREASURY } from "../support/wallets.js";

const servers = { DATABASE_URL: await openPostgres(), REDIS_URL: await startRedis() };
const TRIAL = "/api/convert/unit?value=1&from=kg&to=lb&trial=1";

describe.each(["DATABASE_URL", "REDIS_URL"] as const)("with %s", (name) => {
  const server = servers[name];
  if (!server) announceSkip(`coinslot serve with ${name}`, "no such server on this machine");
  afterAll(() => server?.stop());

  it.skipIf(!server)("a trial that one process gave is used up at the other, and doctor finds the store", async () => {
    const env = { TREASURY_EVM: TREASURY, FACILITATOR_URL: "http://127.0.0.1:9", [name]: server?.url ?? "" };
    const [one, other] = await Promise.all([startServe([], env), startServe([], env)]);
    try {
      expect((await fetch(one.url + TRIAL)).status).toBe(200);
      expect((await fetch(other.url + TRIAL)).status).toBe(402);
      expect((await coinslot(["doctor"], { env })).out).toMatch(new RegExp(`ok +${name} +\\w+ answers`));
    } finally {
      expect(await Promise.all([one.stop(), other.stop()])).toEqual([0, 0]);
    }
  });
});
