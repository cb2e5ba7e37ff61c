/** The Consolidated Screening List without the entries of the SDN list, which is read at its own source. */
import type { Readable } from "node:stream";
import type { Context } from "../../capability/types.js";
import { type Listed, NameList } from "../../engines/names/name-list.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { type BulkFile, loadBulk } from "../../upstream/bulk/bulk.js";
import { readTable } from "../../upstream/bulk/csv-table.js";
import { csl } from "./provider.js";

const MAX_AGE_DAYS = 7;
const SDN = /^Specially Designated Nationals/i;

export interface ControlledParty {
  name: string;
  /** Full name in the file: "Entity List (EL) - Bureau of Industry and Security". */
  list: string;
  type: string | null;
  programs: string[];
  startDate: string | null;
  federalRegisterNotice: string | null;
  url: string | null;
}

/** `consolidated-screening-list.csv` in the data folder. */
const cslFile: BulkFile<NameList<ControlledParty>> = {
  name: "consolidated-screening-list.csv",
  provider: csl,
  url: `${csl.baseUrl}/consolidated.csv`,
  maxAgeMs: DAY_MS,
  maxBytes: 100 * 1024 * 1024,
  build: readParties,
};

async function readParties(file: Readable, previous?: NameList<ControlledParty>): Promise<NameList<ControlledParty>> {
  const listed: Listed<ControlledParty>[] = [];
  await readTable(file, ["source", "type", "programs", "name", "alt_names"], (row) => {
    const [name, list] = [row("name"), row("source")];
    if (!name || !list || SDN.test(list)) return;
    const party: ControlledParty = {
      name,
      list,
      type: row("type"),
      programs: membersOf(row("programs")),
      startDate: row("start_date"),
      federalRegisterNotice: row("federal_register_notice"),
      url: row("source_list_url"),
    };
    const isPerson = party.type?.toLowerCase() === "individual";
    for (const text of [name, ...membersOf(row("alt_names"))]) listed.push({ text, bearer: party, isPerson });
  });
  if (listed.length === 0) throw new Error("the list is empty");
  if (listed.length < (previous?.size ?? 0) / 2) throw new Error(`only ${listed.length} names are left`);
  return NameList.build(listed);
}

/** "A; B; and C" */
const membersOf = (cell: string | null): string[] =>
  (cell ?? "").split("; ").flatMap((member) => member.replace(/^and /, "").trim() || []);

/** The list and the day of its copy. Rejects if it is unavailable, or the copy is too old to rely on. */
export async function controlledParties(ctx: Context): Promise<{ list: NameList<ControlledParty>; asOf: string }> {
  const { index, fetchedAt } = await loadBulk(ctx, cslFile);
  if (ctx.clock().getTime() - fetchedAt.getTime() > MAX_AGE_DAYS * DAY_MS)
    throw new CapabilityError("UPSTREAM_ERROR", `The copy of the screening list is older than ${MAX_AGE_DAYS} days.`);
  return { list: index, asOf: fetchedAt.toISOString().slice(0, 10) };
}
