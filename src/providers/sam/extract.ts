/** The daily extract of all exclusions: an archive with one table of about 170,000 rows. */
import type { Readable } from "node:stream";
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { type Listed, NameList } from "../../engines/names/name-list.js";
import { DAY_MS } from "../../lib/time.js";
import type { BulkFile } from "../../upstream/bulk/bulk.js";
import { readTable } from "../../upstream/bulk/csv-table.js";
import { withZip } from "../../upstream/bulk/zip.js";
import { upstream } from "../../upstream/client.js";
import { type Exclusion, isPerson, samDay } from "./exclusion.js";
import { samExtract } from "./provider.js";

const COLUMNS = ["Classification", "Name", "Exclusion Program", "Excluding Agency", "Exclusion Type", "Active Date"];

/** `sam-exclusions.zip` in the data folder. */
export const samFile: BulkFile<NameList<Exclusion>> = {
  name: "sam-exclusions.zip",
  provider: samExtract,
  url: newestExtract,
  maxAgeMs: DAY_MS,
  maxBytes: 200 * 1024 * 1024,
  build: (archive, previous) =>
    withZip(archive, async (open, [table = ""]) => {
      const file = await open(table);
      if (!file) throw new Error("the archive is empty");
      return readExclusions(file, previous);
    }),
};

/** The address of the newest archive: each has its own name. */
async function newestExtract(ctx: Context): Promise<string> {
  const { _embedded } = await upstream(ctx, samExtract).get("/listfiles", {
    query: { domain: "Exclusions/Public V2", privacy: "Public", random: ctx.clock().getTime() },
    schema: z.object({
      _embedded: z.object({ customS3ObjectSummaryList: z.array(z.object({ key: z.string() })).min(1) }),
    }),
  });
  const keys = _embedded.customS3ObjectSummaryList.map(({ key }) => key).filter((key) => /\.zip$/i.test(key));
  const [newest] = keys.sort((a, b) => (dateIn(a) < dateIn(b) ? 1 : -1));
  if (!newest) throw new Error("no extract is listed");
  return `${samExtract.baseUrl}/download/${newest.split("/").map(encodeURIComponent).join("/")}`;
}

/** Names end in year and day of the year: SAM_Exclusions_Public_Extract_V2_26325.ZIP. */
const dateIn = (key: string): string => /(\d{5,8})\.zip$/i.exec(key)?.[1] ?? "";

async function readExclusions(file: Readable, previous?: NameList<Exclusion>): Promise<NameList<Exclusion>> {
  const listed: Listed<Exclusion>[] = [];
  await readTable(file, COLUMNS, (row) => {
    const parts = ["First", "Middle", "Last", "Suffix"].flatMap((column) => row(column) ?? []);
    const name = row("Name") ?? parts.join(" ");
    const status = row("Record Status");
    if (name === "" || (status !== null && status.toLowerCase() !== "active")) return;
    const classification = row("Classification");
    const exclusion: Exclusion = {
      name,
      classification,
      exclusionType: row("Exclusion Type"),
      program: row("Exclusion Program"),
      agency: row("Excluding Agency"),
      uei: row("Unique Entity ID"),
      country: row("Country"),
      activeDate: samDay(row("Active Date")),
      terminationDate: samDay(row("Termination Date")),
    };
    listed.push({ text: name, bearer: exclusion, isPerson: isPerson(classification) });
  });
  if (listed.length === 0) throw new Error("the table is empty");
  if (listed.length < (previous?.size ?? 0) / 2) throw new Error(`only ${listed.length} rows are left`);
  return NameList.build(listed);
}
