/**
 * Unpacks the Chromium of @sparticuz/chromium below a folder of ours. The package itself uses the system's temporary
 * folder, where two processes, or a foreign file of the same name, would conflict; in a thread that folder can be set.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { without } from "../../errors.js";
import { requireFrom } from "../../lib/packages/require.js";

async function unpack(dataDir: string): Promise<string> {
  const entry = requireFrom(import.meta.url).resolve("@sparticuz/chromium");
  const { version } = JSON.parse(readFileSync(join(dirname(entry), "../../package.json"), "utf8"));
  const folder = join(dataDir, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(dataDir, { recursive: true });
  const unpacking = mkdtempSync(`${folder}-`);
  process.env.TMPDIR = unpacking;
  try {
    const { default: chromium } = await import("@sparticuz/chromium").catch(without("@sparticuz/chromium"));
    await chromium.executablePath();
    writeFileSync(join(unpacking, "fonts.conf"), fontConfiguration(join(folder, "fonts")));
    renameSync(unpacking, folder);
  } catch (error) {
    rmSync(unpacking, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The package's fonts in addition to the machine's, which may have none. */
const fontConfiguration = (fonts: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${fonts}</dir>
  <cachedir>${fonts}-cache</cachedir>
</fontconfig>
`;

unpack(workerData).then(
  (folder) => parentPort?.postMessage({ folder }),
  (error: unknown) => parentPort?.postMessage({ error: String(error) }),
);
