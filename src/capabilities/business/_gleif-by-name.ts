/** Finds the GLEIF entity with a name, to link identifiers of other registers to an LEI. */
import type { Context } from "../../capability/types.js";
import type { Judgement } from "../../engines/names/compare.js";
import { readName } from "../../engines/names/words.js";
import type { LeiRecord } from "../../providers/gleif/record.js";
import { searchRecords } from "../../providers/gleif/records.js";
import { nearestName } from "./_names.js";

const PAGE = 50;

export interface NamedRecord {
  record: LeiRecord;
  judgement: Judgement & { matchedName: string };
}

/**
 * Records by name, nearest first, active ones before others. Searches without the legal form if it prevents every
 * match.
 */
export async function recordsByName(
  name: string,
  { country, enough }: { country?: string | undefined; enough: number },
  ctx: Context,
): Promise<NamedRecord[]> {
  const asked = await readName(name);
  const find = async (words: string) => {
    const filters = { "entity.names": words, "entity.legalAddress.country": country };
    const { records } = await searchRecords(filters, { limit: PAGE }, ctx);
    return Promise.all(
      records.map(async (record) => {
        const { legalName, otherNames, transliteratedOtherNames } = record.entity;
        const names = [legalName, ...otherNames, ...transliteratedOtherNames].map(({ name }) => name);
        return { record, judgement: await nearestName(asked, names) };
      }),
    );
  };
  const asWritten = await find(name);
  const isFound = asWritten.some(({ judgement }) => judgement.score >= enough);
  const found = isFound || asked.core === "" ? asWritten : [...asWritten, ...(await find(asked.core))];
  const distinct = new Map(found.map((one) => [one.record.lei, one]));
  return [...distinct.values()].sort(
    (a, b) =>
      b.judgement.score - a.judgement.score ||
      Number(b.record.entity.status === "ACTIVE") - Number(a.record.entity.status === "ACTIVE"),
  );
}

/** The single nearest active record; undefined if two are equally near, since either may be meant. */
export function onlyNearest(found: readonly NamedRecord[], enough: number): NamedRecord | undefined {
  const near = found.filter(({ judgement }) => judgement.score >= enough);
  const active = near.filter(({ record }) => record.entity.status === "ACTIVE");
  const [first, second] = active.length > 0 ? active : near;
  return first && (second === undefined || second.judgement.score < first.judgement.score) ? first : undefined;
}
