/** The Postgres store in a Worker, behind Hyperdrive's binding. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasMiniflare, type Simulator, startMiniflare } from "../support/miniflare.js";
import { openPostgres } from "../support/run-postgres.js";

const server = hasMiniflare("Postgres behind Hyperdrive") ? await openPostgres() : undefined;

const WORKER = `
  import pg from "pg";
  import { createPostgresStore } from "./src/stores/postgres/index.ts";

  let stores: Record<string, () => ReturnType<typeof createPostgresStore>>;
  const made = {};

  export default {
    async fetch(request: Request, { HYPERDRIVE: { connectionString } }) {
      stores ??= {
        client: () => createPostgresStore(() => new pg.Client({ connectionString })),
        pool: () => createPostgresStore(new pg.Pool({ connectionString })),
      };
      const name = new URL(request.url).pathname.slice(1);
      try {
        made[name] ??= stores[name]();
        const total = await made[name].increment("calls", 1, { ttlMs: 60_000 });
        return Response.json({ total, found: await made[name].list("", { limit: 1 }) });
      } catch (error) {
        return new Response(error.message, { status: 500 });
      }
    },
  };`;

describe.skipIf(!server)("in a Worker", () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startMiniflare(WORKER, {
      // Hyperdrive wants a password, which this server does not ask for.
      hyperdrives: { HYPERDRIVE: server?.url.replace("@", ":none@") },
    });
  }, 60_000);
  afterAll(async () => {
    await simulator?.dispose();
    await server?.stop();
  });
  const ask = (path: string) => simulator.dispatchFetch(`http://worker/${path}`);

  it("one request after another and twenty at once are answered, by a client for each statement", async () => {
    for (const total of [1, 2, 3]) expect(await (await ask("client")).json()).toEqual({ total, found: [] });
    const totals = await Promise.all(
      Array.from({ length: 20 }, async () => ((await (await ask("client")).json()) as { total: number }).total),
    );
    expect(totals.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 4));
  });

  it("a pool, whose second request would hang, is refused with what to give", async () => {
    const refused = await ask("pool");
    expect([refused.status, await refused.text()]).toEqual([500, expect.stringContaining("() => new pg.Client(")]);
  });
});
