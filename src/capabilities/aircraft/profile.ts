import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { legacyRead, sourceSchema } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { type Airframe, airframeSchema } from "../../engines/aircraft/airframes.js";
import { addressOf } from "../../engines/aircraft/n-number.js";
import { invalid } from "../../errors.js";
import { type Match, type SanctionsList, sanctionsList } from "../../providers/ofac/list.js";
import { ofac } from "../../providers/ofac/provider.js";
import { errorOf, type Settled, settle } from "../../upstream/sections.js";
import { type AirframeKey, aircraftOrigins, aircraftSource, icao24Field } from "./_sources.js";
import { aircraftLookup } from "./lookup.js";

const DISCLAIMER = "Name-based and probabilistic; not a legal determination.";
/** Owners are persons and organizations; aircraft themselves are matched separately. */
const PARTIES = ["individual", "organization"] as const;

const sectionError = () => z.object({ code: z.string(), message: z.string() }).nullable();
const match = () =>
  z.object({
    confidence: z.number(),
    matchedName: z.string(),
    matchType: z.enum(["name", "alias", "identifier"]),
    entNum: z.number().int(),
    type: z.enum(["individual", "organization", "vessel", "aircraft"]),
    programs: z.array(z.string()),
    remarks: z.string().nullable(),
    url: z.string(),
  });
const screenedParty = () =>
  z.object({
    role: z.enum(["aircraft", "owner", "operator"]),
    name: z.string(),
    flagged: z.boolean(),
    topConfidence: z.number().describe("Of the nearest entry, also below the threshold"),
    matches: z.array(match()),
  });
const sanctionsSection = () =>
  z.object({
    found: z.boolean().describe("Whether there was anything to screen, and a list to screen it against"),
    flagged: z.boolean().nullable().describe("Null if nothing could be screened, which clears nobody"),
    threshold: z.number(),
    listDate: z.string().nullable(),
    screened: z.array(screenedParty()),
    error: sectionError(),
  });
const aircraftSection = () =>
  z.object({
    found: z.boolean(),
    data: airframeSchema().nullable(),
    source: sourceSchema().nullable().describe("Whose record it is"),
    error: sectionError(),
  });

export const aircraftProfile = /* @__PURE__ */ defineCapability({
  id: "aircraft.profile",
  summary:
    "A US aircraft's registration record, with its owner and operator screened by name against the OFAC sanctions list.",
  keywords: ["sanctions check", "sdn", "ofac screening", "due diligence", "compliance", "aircraft owner", "n-number"],
  price: "0.00432",
  provider: ofac,
  origins: (host) => [ofac, ...aircraftOrigins(host)],
  timeoutMs: 120_000,
  input: () =>
    z.strictObject({
      tail: text(2, 10).optional().describe("Tail number, such as N757F; blanks and hyphens are ignored"),
      icao24: icao24Field()
        .optional()
        .describe("Mode S transponder address: six hexadecimal digits. Give this or tail"),
      threshold: z
        .number()
        .min(0.1)
        .max(1)
        .default(0.5)
        .describe("Least confidence that flags a name: from 0.9 the same name, from 0.7 a likely variant"),
    }),
  output: legacyRead(() =>
    z.object({
      query: z.object({ tail: z.string().nullable(), icao24: z.string().nullable(), threshold: z.number() }),
      aircraft: aircraftSection(),
      sanctions: sanctionsSection(),
      disclaimer: z.string(),
    }),
  ),
  example: { tail: "N1801U", threshold: 0.8 },
  read({ tail: given, icao24, threshold }, ctx) {
    aircraftSource(ctx);
    if (given === undefined && icao24 === undefined) throw invalid("tail", "give a tail number or an icao24 address");
    const tail = given?.toUpperCase().replace(/[\s-]/g, "");
    // A mismatch could screen, and clear, the wrong aircraft.
    if (tail !== undefined && icao24 !== undefined && addressOf(tail) !== icao24)
      throw invalid("icao24", "is not the address of this tail number; give one of them");
    return { key: { tail, icao24 }, threshold };
  },
  async run({ key, threshold }, ctx) {
    const list = settle(sanctionsList, ctx, { what: "The sanctions list" });
    const aircraft = await findAircraft(ctx, key);
    const sanctions = await screenAircraft(await list, { key, airframe: aircraft.data, threshold });
    // An answer without either section would be worthless.
    if (aircraft.failure && !sanctions.found) throw aircraft.failure;
    return {
      query: { tail: key.tail ?? null, icao24: key.icao24 ?? null, threshold },
      aircraft: {
        found: aircraft.data !== null,
        data: aircraft.data,
        source: aircraft.source,
        error: errorOf(aircraft.failure),
      },
      sanctions,
      disclaimer: DISCLAIMER,
    };
  },
  warmUp: (ctx) => Promise.all([aircraftSource(ctx).load?.(ctx), sanctionsList(ctx)]),
});

/** The record, or null with the reason if it could not be read. An unregistered aircraft is not a failure. */
async function findAircraft(ctx: Context, { tail, icao24 }: AirframeKey) {
  if (icao24 === undefined && !/^N[A-Z0-9]{1,5}$/.test(tail ?? "")) return { data: null, source: null };
  const asked = icao24 === undefined ? { tail } : { icao24 };
  const { value, failure } = await settle((own) => own.call(aircraftLookup, asked), ctx, { what: "The register" });
  if (failure && failure.code !== "NOT_FOUND") return { data: null, source: null, failure };
  return { data: value?.items[0] ?? null, source: value?.source ?? null };
}

interface Subject {
  key: AirframeKey;
  airframe: Airframe | null;
  threshold: number;
}

type LoadedList = Awaited<ReturnType<typeof sanctionsList>>;

async function screenAircraft({ value: loaded, failure }: Settled<LoadedList>, subject: Subject) {
  const { threshold } = subject;
  const nothing = { found: false, flagged: null, threshold, listDate: null, screened: [] };
  if (failure) return { ...nothing, error: errorOf(failure) };
  const { list, listDate } = loaded;
  const screened = [...screenIdentifiers(list, subject), ...(await screenParties(list, subject))];
  if (screened.length === 0) return { ...nothing, listDate, error: null };
  return { found: true, flagged: screened.some(({ flagged }) => flagged), threshold, listDate, screened, error: null };
}

/** Listed aircraft are found by their own identifiers, whoever owns them. Finding none says nothing about the owner. */
function screenIdentifiers(list: SanctionsList, { key, airframe }: Subject) {
  const matches = list.airframe(airframe ?? { registration: key.tail ?? null, icao24: key.icao24 ?? null });
  if (matches.length === 0) return [];
  const name = airframe?.registration ?? key.tail ?? key.icao24 ?? "";
  const items = matches.map((found) => toItem(found, "identifier"));
  return [{ role: "aircraft" as const, name, flagged: true, topConfidence: 1, matches: items }];
}

async function screenParties(list: SanctionsList, { airframe, threshold }: Subject) {
  const parties = [
    { role: "owner" as const, name: airframe?.owner },
    { role: "operator" as const, name: airframe?.operator === airframe?.owner ? null : airframe?.operator },
  ];
  return Promise.all(parties.flatMap(({ role, name }) => (name ? [screenParty(list, { role, name, threshold })] : [])));
}

async function screenParty(
  list: SanctionsList,
  { role, name, threshold }: { role: "owner" | "operator"; name: string; threshold: number },
) {
  const { topScore, matches } = await list.screen(name, { threshold, types: PARTIES });
  const items = matches.map((found) => toItem(found, found.aliasType ? "alias" : "name"));
  return { role, name, flagged: items.length > 0, topConfidence: topScore, matches: items };
}

function toItem(found: Match, matchType: "name" | "alias" | "identifier") {
  const { score, matchedName, entNum, type, programs, remarks, url } = found;
  return { confidence: score, matchedName, matchType, entNum, type, programs, remarks, url };
}
