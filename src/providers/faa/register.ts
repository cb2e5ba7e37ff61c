/** The FAA's register: an archive of tables without quotes, their values padded with blanks. */
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type Airframe, type Airframes, AirframesBuilder } from "../../engines/aircraft/airframes.js";
import { addressOf } from "../../engines/aircraft/n-number.js";
import { DAY_MS } from "../../lib/time.js";
import type { BulkFile } from "../../upstream/bulk/bulk.js";
import { type OpenMember, withZip } from "../../upstream/bulk/zip.js";
import { toIsoDay, toLabel } from "../../upstream/fields.js";
import { faa } from "./provider.js";

/** `faa-aircraft.zip` in the data folder: ReleasableAircraft.zip as published, 70 MB. */
export const faaFile: BulkFile<Airframes> = {
  name: "faa-aircraft.zip",
  provider: faa,
  url: `${faa.baseUrl}/ReleasableAircraft.zip`,
  maxAgeMs: DAY_MS,
  maxBytes: 400 * 1024 * 1024,
  build: (archive) => withZip(archive, readRegister),
};

interface Model {
  manufacturer: string | null;
  model: string | null;
  icaoType: string | null;
  category: string | null;
}

const NO_MODEL: Model = { manufacturer: null, model: null, icaoType: null, category: null };

/** The register contains owners' addresses, so only the fields of results are read. */
async function readRegister(open: OpenMember): Promise<Airframes> {
  const models = new Map<string, Model>();
  const reference = await open("ACFTREF.txt");
  if (!reference) throw new Error("the archive has no ACFTREF.txt");
  await readTable(reference, ["CODE", "MFR", "MODEL"], (row) => models.set(row("CODE") ?? "", toModel(row)));
  const engines = new Map<string, string>();
  await readTable(await open("ENGINE.txt"), ["CODE"], (row) => {
    const name = [row("MFR"), row("MODEL")].filter(Boolean).join(" ");
    if (name) engines.set(row("CODE") ?? "", name);
  });
  const master = await open("MASTER.txt");
  if (!master) throw new Error("the archive has no MASTER.txt");
  const airframes = new AirframesBuilder();
  await readTable(master, ["N-NUMBER", "MODE S CODE HEX", "MFR MDL CODE", "NAME"], (row) => {
    const registration = `N${row("N-NUMBER") ?? ""}`;
    const icao24 = row("MODE S CODE HEX")?.toLowerCase() ?? addressOf(registration);
    if (!icao24) return;
    const model = models.get(row("MFR MDL CODE") ?? "") ?? NO_MODEL;
    airframes.add({
      ...toAirframe(row, model),
      icao24,
      registration,
      engines: engines.get(row("ENG MFR MDL") ?? "") ?? null,
    });
  });
  const index = airframes.finish();
  if (index.count === 0) throw new Error("the register is empty");
  return index;
}

/** The value of a column in the current row; null if blank. */
type Row = (column: string) => string | null;

/** Calls `read` for each row. A missing table has no rows; one without a required column throws. */
async function readTable(table: Readable | undefined, needed: string[], read: (row: Row) => void): Promise<void> {
  if (!table) return;
  let columns: Map<string, number> | undefined;
  for await (const line of createInterface({ input: table, crlfDelay: Number.POSITIVE_INFINITY })) {
    const cells = line.split(",");
    if (columns) {
      const known = columns;
      if (cells.length > 1) read((column) => toLabel(cells[known.get(column) ?? -1]));
      continue;
    }
    columns = new Map(cells.map((name, position) => [name.replace(/^\uFEFF/, "").trim(), position]));
    for (const name of needed) if (!columns.has(name)) throw new Error(`a table has no column ${name}`);
  }
}

function toAirframe(row: Row, { manufacturer, model, icaoType, category }: Model): Omit<Airframe, "icao24"> {
  return {
    registration: null,
    manufacturer,
    model,
    typecode: null,
    icaoType,
    serialNumber: row("SERIAL NUMBER"),
    operator: null,
    owner: row("NAME"),
    built: row("YEAR MFR"),
    engines: null,
    category,
    registered: toIsoDay(row("CERT ISSUE DATE")),
    regUntil: toIsoDay(row("EXPIRATION DATE")),
  };
}

const WEIGHT_CLASSES = new Map([
  ["CLASS 1", "up to 12,499 lb"],
  ["CLASS 2", "12,500-19,999 lb"],
  ["CLASS 3", "20,000 lb and over"],
  ["CLASS 4", "UAV up to 55 lb"],
]);

function toModel(row: Row): Model {
  return {
    manufacturer: row("MFR"),
    model: row("MODEL"),
    icaoType: icaoTypeOf(row),
    category: WEIGHT_CLASSES.get(row("AC-WEIGHT") ?? "") ?? null,
  };
}

const ENGINE_LETTERS = new Map([
  ["1", "P"],
  ["7", "P"],
  ["8", "P"],
  ["11", "P"],
  ["2", "T"],
  ["3", "T"],
  ["4", "J"],
  ["5", "J"],
  ["10", "E"],
]);

/** The register has no ICAO class, but its three parts: "L2J" is a landplane with two jets. */
function icaoTypeOf(row: Row): string | null {
  const kind = kindLetter(row("TYPE-ACFT"), row("AC-CAT"));
  const count = Number(row("NO-ENG"));
  const engine = ENGINE_LETTERS.get(row("TYPE-ENG") ?? "");
  return kind && engine && count > 0 ? `${kind}${count}${engine}` : null;
}

function kindLetter(type: string | null, category: string | null): string | undefined {
  if (type === "6") return "H";
  if (type === "9") return "G";
  if (type !== "4" && type !== "5") return undefined;
  if (category === "2") return "S";
  return category === "3" ? "A" : "L";
}
