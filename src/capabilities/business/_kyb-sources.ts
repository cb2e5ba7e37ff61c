/** The seven sources of a dossier, each with its own matches. */
import type { Context } from "../../capability/types.js";
import { readName } from "../../engines/names/words.js";
import { controlledParties } from "../../providers/csl/list.js";
import { recordUrl } from "../../providers/gleif/records.js";
import { sanctionsList } from "../../providers/ofac/list.js";
import { SAM_URL } from "../../providers/sam/exclusion.js";
import { screenExclusions } from "../../providers/sam/screen.js";
import { findFiler } from "../../providers/sec/filers.js";
import { filerUrl, listedFilers, secTicker } from "../../providers/sec/listed.js";
import { withoutWildcards } from "../../providers/socrata/soql.js";
import { searchRegistry } from "../../providers/state-registries/provider.js";
import { type Registration, type RegistryState, STATES } from "../../providers/state-registries/registration.js";
import { findRecipients } from "../../providers/usaspending/recipients.js";
import { recordsByName } from "./_gleif-by-name.js";
import { nearestName, type Rarity, rarityOf } from "./_names.js";
import { explain, PARTIES, toSanctionMatch } from "./_sanctions.js";

export interface Subject {
  name: string;
  state: string | undefined;
  ticker: string | undefined;
  threshold: number;
  limit: number;
}

/** A source's matches above the threshold, best first. */
export interface SourceAnswer<Match> {
  matches: Match[];
  /** The nearest score of a list, even below the threshold; null for a source that is not a screening list. */
  topScore: number | null;
  /** The day of a list's copy. */
  asOf: string | null;
  /** Rarity of the matching words in a list. */
  rarity?: Rarity;
}

export async function gleif({ name, threshold, limit }: Subject, ctx: Context) {
  const found = await recordsByName(name, { enough: threshold }, ctx);
  const matches = found.flatMap(({ record: { lei, entity, registration }, judgement }) =>
    judgement.score < threshold
      ? []
      : {
          ...judgement,
          name: entity.legalName.name,
          lei,
          country: entity.legalAddress?.country ?? null,
          jurisdiction: entity.jurisdiction,
          status: entity.status,
          registrationStatus: registration.status,
          nextRenewalDate: registration.nextRenewalDate,
          url: recordUrl(lei),
        },
  );
  return answer(matches, limit);
}

export async function sec({ name, ticker, threshold, limit }: Subject, ctx: Context) {
  const { byTicker, names } = await listedFilers(ctx);
  const asked = await readName(name);
  const byName = async () => (await names.search(name, { threshold: 0.3, limit: 50 })).matches;
  const own = ticker === undefined ? undefined : byTicker.get(secTicker(ticker));
  // An unlisted ticker says nothing about the name.
  const filers = own ? [own] : (await byName()).map(({ listed: { bearer } }) => bearer);
  const judged = await Promise.all(
    filers.map(async (filer) => ({ filer, ...(await nearestName(asked, [filer.name])) })),
  );
  // A ticker identifies its company, whatever the name.
  const near = judged.filter(({ score }) => own || score >= threshold).sort((a, b) => b.score - a.score);
  const [best] = near;
  const details = best && (await findFiler(best.filer.cik, ctx));
  const matches = near.map(({ filer, ...judgement }) => ({
    ...judgement,
    name: filer.name,
    cik: filer.cik,
    tickers: filer.tickers,
    ...(filer === best?.filer && details
      ? { sic: details.sic, sicDescription: details.sicDescription, stateOfIncorporation: details.stateOfIncorporation }
      : { sic: null, sicDescription: null, stateOfIncorporation: null }),
    url: filerUrl(filer.cik),
  }));
  return answer(matches, limit);
}

export async function sanctions({ name, threshold, limit }: Subject, ctx: Context) {
  const { list, listDate } = await sanctionsList(ctx);
  const { matches, topScore } = await list.screen(name, { threshold, limit, types: PARTIES });
  const items = await Promise.all(matches.map((found) => toSanctionMatch(list, name, found)));
  return { matches: items, topScore, asOf: listDate, rarity: rarityOf(list.size, items) };
}

export async function debarment({ name, threshold, limit }: Subject, ctx: Context) {
  const { list, matches, topScore, asOf } = await screenExclusions(name, { threshold, limit }, ctx);
  const items = await Promise.all(
    matches.map(async (found) => ({
      ...(await explain(list, name, found)),
      ...found.listed.bearer,
      url: SAM_URL,
    })),
  );
  return { matches: items, topScore, asOf, rarity: rarityOf(list.size, items) };
}

export async function tradeControls({ name, threshold, limit }: Subject, ctx: Context) {
  const { list, asOf } = await controlledParties(ctx);
  const { matches, topScore } = await list.search(name, { threshold, limit });
  const items = await Promise.all(
    matches.map(async (found) => ({ ...(await explain(list, name, found)), ...found.listed.bearer })),
  );
  return { matches: items, topScore, asOf, rarity: rarityOf(list.size, items) };
}

export const registryState = (state: string | undefined): RegistryState | undefined =>
  STATES.find((one) => one === state);

export async function registry({ name, threshold, limit }: Subject, state: RegistryState, ctx: Context) {
  const asked = await readName(name);
  const search = async (words: string) => {
    const found = await searchRegistry(state, { name: words }, { limit: Math.max(limit, 10), offset: 0 }, ctx);
    return Promise.all(found.map(async (record) => ({ record, ...(await nearestName(asked, [record.name])) })));
  };
  const asWritten = await search(withoutWildcards(name));
  // The register may have another legal form, or none.
  const isFound = asWritten.some(({ score }) => score >= threshold);
  const found = isFound || asked.core.length < 2 ? asWritten : [...asWritten, ...(await search(asked.core))];
  const near = [...new Map(found.map((one) => [one.record.entityId, one])).values()]
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score);
  return answer(
    near.map(({ record, ...judgement }) => ({ ...judgement, ...briefOf(record) })),
    limit,
  );
}

const briefOf = (record: Registration) => ({
  name: record.name,
  state: record.state,
  entityId: record.entityId,
  accountNumber: record.accountNumber,
  status: record.status,
  statusNormalized: record.statusNormalized,
  entityType: record.entityTypeLabel ?? record.entityType,
  formedDate: record.formedDate,
  url: record.url,
});

export async function awards({ name, threshold, limit }: Subject, ctx: Context) {
  const asked = await readName(name);
  const recipients = await findRecipients(asked.core.length > 2 ? asked.core : name, ctx);
  const judged = await Promise.all(
    recipients.map(async (recipient) => ({ ...(await nearestName(asked, [recipient.name])), ...recipient })),
  );
  return answer(
    judged.filter(({ score }) => score >= threshold).sort((a, b) => b.score - a.score),
    limit,
  );
}

const answer = <Match>(matches: Match[], limit: number): SourceAnswer<Match> => ({
  matches: matches.slice(0, limit),
  topScore: null,
  asOf: null,
});
