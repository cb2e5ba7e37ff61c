/** Folders for the embedded database. */
import "./typescript-workers.js";
import { cp, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFolder } from "../../src/state/database/embedded/database.js";

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
