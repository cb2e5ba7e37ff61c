/**
 * The files of the OFAC list (SDN) as published: no header line, `-0-` for empty, several programs joined by `] [`, a
 * control-Z at the end.
 */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { lazy } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import type { BulkFile } from "../../upstream/bulk/bulk.js";
import { tableEnd } from "../../upstream/bulk/table-end.js";
import { deferStreamErrors } from "../../upstream/defer-stream-errors.js";
import { ofac } from "./provider.js";

const csv = lazy(() => import("csv-parse"));

const CONTROL_Z = "\u001a";
const MAX_BYTES = 100 * 1024 * 1024;
const TYPES = ["individual", "vessel", "aircraft"] as const;

export type EntryType = (typeof TYPES)[number] | "organization";
/** `weak` aliases are nicknames and abbreviations from the remarks. */
export type AliasType = "aka" | "fka" | "nka" | "weak";

/** One entry of the list. */
export interface SdnEntry {
  entNum: number;
  name: string;
  type: EntryType;
  programs: string[];
  /**
   * Facts separated by "; ": identifiers, birth dates, linked parties. E-mail addresses and telephone numbers of
   * persons are left out.
   */
  remarks: string | null;
}

export interface Alias {
  entNum: number;
  name: string;
  type: AliasType;
}

/** `ofac-sdn.csv` in the data folder: names, programs, remarks. */
export const sdnFile: BulkFile<SdnEntry[]> = {
  name: "ofac-sdn.csv",
  provider: ofac,
  url: `${ofac.baseUrl}/SDN.CSV`,
  mirrors: ["https://www.treasury.gov/ofac/downloads/sdn.csv"],
  maxAgeMs: DAY_MS,
  maxBytes: MAX_BYTES,
  build: readEntries,
};

/** `ofac-alt.csv` in the data folder: further names of the entries. */
export const altFile: BulkFile<Alias[]> = {
  name: "ofac-alt.csv",
  provider: ofac,
  url: `${ofac.baseUrl}/ALT.CSV`,
  mirrors: ["https://www.treasury.gov/ofac/downloads/alt.csv"],
  maxAgeMs: DAY_MS,
  maxBytes: MAX_BYTES,
  build: readAliases,
};

/** Throws for another file, and for one that lost more than half of the entries of the previous copy. */
export async function readEntries(file: Readable, before?: readonly SdnEntry[]): Promise<SdnEntry[]> {
  const entries: SdnEntry[] = [];
  await readRows(file, ([entNum, name, type, programs, , , , , , , , remarks]) => {
    if (name === null || name === undefined) throw new Error(`entry ${entNum} has no name`);
    const kind = TYPES.find((one) => one === type) ?? "organization";
    entries.push({
      entNum: Number(entNum),
      name,
      type: kind,
      programs: programs?.split("] [") ?? [],
      remarks: kind === "individual" ? withoutContacts(remarks) : (remarks ?? null),
    });
  });
  if (entries.length < (before?.length ?? 0) / 2) throw new Error(`only ${entries.length} entries are left`);
  return entries;
}

async function readAliases(file: Readable): Promise<Alias[]> {
  const aliases: Alias[] = [];
  await readRows(file, ([entNum, , type, name]) => {
    if (name) aliases.push({ entNum: Number(entNum), name, type: type === "fka" || type === "nka" ? type : "aka" });
  });
  return aliases;
}

type Cell = string | null | undefined;

async function readRows(file: Readable, read: (cells: Cell[]) => void): Promise<void> {
  const held = deferStreamErrors(file);
  const { parse } = await csv();
  const end = tableEnd();
  let rows = 0;
  let width = 0;
  let last = 0;
  await pipeline(
    held,
    end.stage,
    parse({ trim: true, relax_quotes: true, relax_column_count: true }),
    async (records) => {
      for await (const cells of records as AsyncIterable<string[]>) {
        last = cells.length;
        if (last === 1 && cells[0] === CONTROL_Z) {
          last = width;
          continue;
        }
        width = Math.max(width, last);
        if (!/^\d+$/.test(cells[0] ?? "") || cells.length < 4) throw new Error("not a row of the OFAC list");
        read(cells.map((cell) => (cell === "-0-" || cell === "" ? null : cell)));
        rows++;
      }
    },
  );
  if (rows === 0) throw new Error("the list is empty");
  end.assertWhole(last, width);
}

/** Aliases in an entry's remarks: `a.k.a. 'HESA'`. */
export function weakAliases({ entNum, remarks }: SdnEntry): Alias[] {
  return factsOf(remarks).flatMap((fact) => {
    const [, name] = /^(?:alt\. )?[afn]\.k\.a\. '(.+)'$/.exec(fact) ?? [];
    return name ? [{ entNum, name, type: "weak" as const }] : [];
  });
}

/** The single facts of remarks. */
export function factsOf(remarks: Cell): string[] {
  return remarks?.replace(/\.$/, "").split("; ") ?? [];
}

/** Personal addresses and numbers are useless for comparing names. */
function withoutContacts(remarks: Cell): string | null {
  if (!remarks) return null;
  const kept = factsOf(remarks).filter(
    (fact) => !/^(alt\. )?(Email Address|Phone Number|Telephone No|Fax No)/i.test(fact),
  );
  return kept.length > 0 ? `${kept.join("; ")}.` : null;
}
