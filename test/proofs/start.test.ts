/** `npm start` over its whole life: restarts on each database, and a kill. */
import { describe, expect, it } from "vitest";
import { gone, start, TIMEOUT_MS } from "../support/npm-start.js";
import { startRedis } from "../support/redis.js";
import { openPostgres } from "../support/run-postgres.js";
import { announceSkip } from "../support/server.js";
import { TREASURY } from "../support/wallets.js";

describe.each([
  { name: "DATABASE_URL", startServer: openPostgres, says: "in Postgres" },
  { name: "REDIS_URL", startServer: startRedis, says: "in Redis" },
])("with $name set", ({ name, startServer, says }) => {
  it("keeps its state there: a trial that was used stays used after a restart", { timeout: TIMEOUT_MS }, async ({
    skip,
  }) => {
    const server = await startServer();
    if (!server) {
      announceSkip(`npm start with ${name}`, "its server is not installed here");
      return skip();
    }
    try {
      for (const [index, status] of [200, 402].entries()) {
        const settings = {
          [name]: server.url,
          TREASURY_EVM: TREASURY,
          FACILITATOR_URL: "https://facilitator.invalid/",
        };
        const { child, exited, output, urlOf } = await start(settings);
        expect(output).toContain(says);
        const trial = await fetch(`${urlOf("server")}/api/convert/unit?value=1&from=kg&to=lb&trial=1`);
        expect(trial.status, `start ${index + 1}`).toBe(status);
        child.kill("SIGINT");
        expect(await exited).toBe(0);
      }
    } finally {
      await server.stop();
    }
  });
});

it("leaves no chain behind when it is killed", { timeout: TIMEOUT_MS }, async () => {
  const { child, exited, urlOf } = await start();
  expect((await fetch(urlOf("chain"), { method: "POST", body: "{}" })).status).toBe(200);
  child.kill("SIGKILL");
  await exited;
  await gone(urlOf("chain"));
});
