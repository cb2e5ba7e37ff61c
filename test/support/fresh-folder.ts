/** Folders for the embedded database. */
import "./typescript-workers.js";
import { createHash } from "node:crypto";
import { cpSync } from "node:fs";
import { mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lazy } from "../../src/lib/lazy.js";
import { migrate } from "../../src/lib/migrations.js";
import { openDatabase } from "../../src/state/database/database.js";
import { openFolder } from "../../src/state/database/embedded/database.js";
import { createEncryption } from "../../src/state/database/encryption.js";
import { MIGRATIONS, VECTORS } from "../../src/state/database/migrations.js";
import { DEFAULT_SCHEMA } from "../../src/state/options.js";
import { migrationSql } from "../../src/stores/postgres-schema.js";

/** Making a database takes seconds: every test file begins with a copy of one that was made once, with the tables in it. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "coinslot-wallets-"));
  // One call of the system for each file: the asynchronous copy takes three times the processor.
  cpSync(join(await template(), "data"), join(folder, "data"), { recursive: true });
  return folder;
}

const template = lazy(async () => {
  const tables = [migrate(DEFAULT_SCHEMA, MIGRATIONS), ...VECTORS(DEFAULT_SCHEMA), migrationSql("coinslot")];
  const digest = createHash("sha256").update(tables.join(";")).digest("hex");
  const template = join(tmpdir(), `coinslot-pglite-0.5.14-${digest.slice(0, 16)}`);
  if (await stat(template).catch(() => undefined)) return template;
  const made = await mkdtemp(join(tmpdir(), "coinslot-pglite-making-"));
  const driver = await openFolder(made);
  await openDatabase(driver, DEFAULT_SCHEMA, createEncryption([]));
  await driver.query(migrationSql("coinslot"));
  await driver.close();
  // Whoever was first has made the same.
  await rename(made, template).catch(() => rm(made, { recursive: true, force: true }));
  return template;
});
