/** Folders for the embedded database. */
import "./typescript-workers.js";
import { createHash } from "node:crypto";
import { cpSync, existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { lazy } from "../../src/lib/lazy.js";
import { migrate } from "../../src/lib/migrations.js";
import { openDatabase } from "../../src/state/database/database.js";
import { openFolder } from "../../src/state/database/embedded/database.js";
import { createEncryption } from "../../src/state/database/encryption.js";
import { MIGRATIONS, VECTORS } from "../../src/state/database/migrations.js";
import { DEFAULT_SCHEMA } from "../../src/state/database/open.js";

/** A machine with much else to do makes one in that time. */
const PATIENCE_MS = 30_000;

/** Making a database takes seconds: every test file begins with a copy of one that was made once, with the tables in it. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(inject("scratch"), "wallets-"));
  // One call of the system for each file: the asynchronous copy takes three times the processor.
  cpSync(join(await template(), "data"), join(folder, "data"), { recursive: true });
  return folder;
}

const template = lazy(async () => {
  const tables = [migrate(DEFAULT_SCHEMA, MIGRATIONS), ...VECTORS(DEFAULT_SCHEMA)].join(";");
  const digest = createHash("sha256").update(tables).digest("hex");
  const folder = join(tmpdir(), `coinslot-pglite-0.5.14-${digest.slice(0, 16)}`);
  const isMade = () => existsSync(join(folder, "data"));
  if (isMade()) return folder;
  // One of the workers that begin together makes it; should that one have died, each makes its own.
  const claim = `${folder}-making`;
  const isOurs = await mkdir(claim).then(
    () => true,
    () => false,
  );
  for (let waited = 0; !isOurs && !isMade() && waited < PATIENCE_MS; waited += 100) await sleep(100);
  if (!isMade()) await make(folder);
  await rm(claim, { recursive: true, force: true });
  return folder;
});

async function make(template: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "coinslot-pglite-making-"));
  const driver = await openFolder(folder);
  await openDatabase(driver, DEFAULT_SCHEMA, createEncryption([]));
  await driver.close();
  // Whoever was first has made the same.
  await rename(folder, template).catch(() => rm(folder, { recursive: true, force: true }));
}
