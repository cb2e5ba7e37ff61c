/** Reads a configuration file as plain data. Its errors name a line and never show its text, which may have secrets. */
import { readFile, stat } from "node:fs/promises";
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";

const yaml = lazy(() => import("yaml").catch(without("yaml")).then(named));

const MAX_FILE = 1024 * 1024;
/** How often a file may repeat by aliases what it has. */
const MAX_ALIASES = 100;

/** Resolves to data of YAML or JSON. Rejects with a TypeError that names the file. */
export async function readData(file: string): Promise<unknown> {
  const text = await readText(file, MAX_FILE);
  const { parseDocument, LineCounter } = await yaml();
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
    // A tag that is not known would be read as text.
    const [fault] = [...document.errors, ...document.warnings];
    if (fault)
      throw new TypeError(`${file}: line ${lines.linePos(fault.pos[0]).line} cannot be read as YAML (${fault.code}).`);
    // guard: config: a file cannot multiply itself by aliases | MAX_ALIASES -> -1 | config/hostile
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (error instanceof TypeError) throw error;
    throw new TypeError(
      `${file} cannot be read: it is nested too deeply, or its aliases are too many or lead nowhere.`,
    );
  }
}

/** The text of a file. Rejects with a TypeError for a folder, and for a file that is too large. */
export async function readText(file: string, maxBytes: number): Promise<string> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new TypeError(`${file} cannot be read: ${error.code ?? "it is not there"}.`);
  });
  if (!found.isFile()) throw new TypeError(`${file} cannot be read: it must be a file.`);
  if (found.size > maxBytes) throw new TypeError(`${file} cannot be read: it is larger than ${maxBytes} bytes.`);
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new TypeError(`${file} cannot be read: ${error.code ?? "reading failed"}.`);
  });
}
