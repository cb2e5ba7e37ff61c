import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit, text } from "../../capability/fields.js";
import { legacyRead } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { readName } from "../../engines/names/words.js";
import { invalid } from "../../errors.js";
import { type SanctionsList, sanctionsList } from "../../providers/ofac/list.js";
import { ofac } from "../../providers/ofac/provider.js";
import { colorado, connecticut, newYork } from "../../providers/socrata/provider.js";
import { withoutWildcards } from "../../providers/socrata/soql.js";
import { findAgent, fullNameOf } from "../../providers/state-registries/connecticut-profile.js";
import { searchRegistry } from "../../providers/state-registries/provider.js";
import { type Registration, registrationSchema, STATES } from "../../providers/state-registries/registration.js";
import { errorOf, failureOfAll, type Settled, settle } from "../../upstream/sections.js";
import { nearestName, rarity, rarityOf } from "./_names.js";
import { PARTIES, sanctionMatch, toSanctionMatch } from "./_sanctions.js";

const DISCLAIMER = "name-based, probabilistic";
/** Number of rows to compare for the nearest name. */
const CANDIDATES = 5;
/** Text in place of an agent's name. */
const NO_NAME = /^(?:none|n\/?a|not available|unknown|secretary of state|.*registered agent (?:revoked|resigned).*)$/i;

const sectionError = () => z.object({ code: z.string(), message: z.string() }).nullable();
const state = () => z.enum(["found", "not_found", "error"]);

export const businessEntityScreen = /* @__PURE__ */ defineCapability({
  id: "business.entity-screen",
  summary: "A US state's registration of a business, with it and its registered agent screened by name for sanctions.",
  keywords: ["ofac", "sdn", "sanctions check", "kyb", "registered agent", "due diligence", "secretary of state"],
  price: "0.00576",
  origins: [newYork, colorado, connecticut, ofac],
  source: {
    provider: "State business registers of New York, Colorado and Connecticut; OFAC",
    url: "https://sanctionslist.ofac.treas.gov",
    license: "Open NY terms; public domain (Colorado, Connecticut, OFAC)",
  },
  timeoutMs: 120_000,
  input: () =>
    z.strictObject({
      state: z.enum(STATES).describe("Whose register"),
      name: text(2, 120)
        .optional()
        .describe("Name of the business. It is screened even where the register has none of it"),
      entityId: text(2, 30).optional().describe("Id in the register; wins over name"),
      threshold: z
        .number()
        .min(0.1)
        .max(1)
        .default(0.5)
        .describe("Least score that flags a name: from 0.9 the same name, from 0.7 a likely variant. Default 0.5"),
      limit: limit(5, 10).describe("Sanction matches per screened name"),
    }),
  output: legacyRead(() =>
    z.object({
      ok: z.literal(true),
      query: z.object({ state: z.enum(STATES), name: z.string().nullable(), entityId: z.string().nullable() }),
      entity: z.object({ status: state(), record: registrationSchema().nullable(), error: sectionError() }),
      registeredAgent: z.object({ status: state(), name: z.string().nullable(), error: sectionError() }),
      sanctions: z.object({
        status: z
          .enum(["found", "not_found", "error", "skipped"])
          .describe("not_found: screened, and nothing reached the threshold; skipped: there was no name to screen"),
        listDate: z.string().nullable(),
        threshold: z.number(),
        screened: z.array(
          z.object({
            role: z.enum(["entity", "registeredAgent"]),
            name: z.string(),
            flagged: z.boolean(),
            topScore: z.number().describe("Of the nearest entry, also below the threshold"),
            matches: z.array(sanctionMatch()),
          }),
        ),
        error: sectionError(),
      }),
      flagged: z
        .boolean()
        .nullable()
        .describe("False only if the entity and its agent were both looked up and screened; null clears nobody"),
      disclaimer: z.string(),
      meta: rarity().nullable().describe("How rare the words are that matched; null where no list was screened"),
    }),
  ),
  example: { state: "CT", name: "BEL-KAP-STEEL LLC" },
  check({ name = "", entityId }) {
    if (!entityId?.trim() && withoutWildcards(name).length < 2)
      throw invalid("", "give an entityId, or a name of at least two characters other than % and _");
  },
  async run({ state, name: given, entityId, threshold, limit }, ctx) {
    const [registry, list] = await Promise.all([
      settle((own) => findEntity({ state, name: given, entityId }, own), ctx, { what: "The register" }),
      settle(sanctionsList, ctx, { what: "The sanctions list" }),
    ]);
    const failure = failureOfAll([registry, list]);
    if (failure) throw failure;
    const record = registry.value;
    const agent = await agentOf(registry, ctx);
    const subjects = [
      ...distinct([record?.name, given]).map((name) => ({ role: "entity" as const, name })),
      ...distinct([agent.value ?? undefined]).map((name) => ({ role: "registeredAgent" as const, name })),
    ];
    const sanctions = await screen(list, { subjects, threshold, limit });
    const matches = sanctions.screened.flatMap((one) => one.matches);
    const isComplete = sanctions.status === "not_found" && !registry.failure && !agent.failure;
    return {
      ok: true as const,
      query: { state, name: given ?? null, entityId: entityId ?? null },
      entity: {
        status: statusOf(registry),
        record: record ?? null,
        error: errorOf(registry.failure),
      },
      registeredAgent: {
        status: statusOf(agent),
        name: agent.value ?? null,
        error: errorOf(agent.failure),
      },
      sanctions,
      flagged: sanctions.status === "found" ? true : isComplete ? false : null,
      disclaimer: DISCLAIMER,
      meta: list.value ? rarityOf(list.value.list.size, matches) : null,
    };
  },
  warmUp: sanctionsList,
});

function statusOf({ value, failure }: Settled<unknown>): "found" | "not_found" | "error" {
  if (failure) return "error";
  return value ? "found" : "not_found";
}

interface Wanted {
  state: (typeof STATES)[number];
  name: string | undefined;
  entityId: string | undefined;
}

/** The entity of an id, or the nearest of the first ones by name, active ones before others. */
async function findEntity({ state, name = "", entityId }: Wanted, ctx: Context): Promise<Registration | undefined> {
  const id = entityId?.trim();
  const page = { limit: CANDIDATES, offset: 0 };
  if (id) {
    const found = await searchRegistry(state, { entityId: id }, page, ctx);
    return found.find((one) => one.entityId === id || one.accountNumber === id);
  }
  const found = await searchRegistry(state, { name: withoutWildcards(name) }, page, ctx);
  const asked = await readName(name);
  const judged = await Promise.all(
    found.map(async (record) => {
      const { score, confidence } = await nearestName(asked, [record.name]);
      // A name that begins with the requested words is more likely than an agent's that ends with them.
      const begins = (await readName(record.name)).written.startsWith(asked.core);
      return { record, score, rank: confidence === "high" ? 2 : Number(begins) };
    }),
  );
  const isActive = ({ statusNormalized }: Registration) => Number(statusNormalized === "active");
  judged.sort((a, b) => b.rank - a.rank || b.score - a.score || isActive(b.record) - isActive(a.record));
  return judged[0]?.record;
}

/** Connecticut has a separate register of agents. Without its answer the agent is unknown. */
async function agentOf(
  { value: record, failure }: Settled<Registration | undefined>,
  ctx: Context,
): Promise<Settled<string | null>> {
  if (failure) return { failure };
  if (!record) return { value: null };
  if (record.state !== "CT") return { value: realName(record.registeredAgent?.name) };
  const { entityId: id, accountNumber } = record;
  return settle(
    async (own) => {
      const agent = await findAgent({ id, accountnumber: accountNumber }, own);
      return realName(agent && fullNameOf(agent));
    },
    ctx,
    { what: "The register" },
  );
}

const realName = (name: string | null | undefined): string | null =>
  name && !NO_NAME.test(name.trim()) && /\p{L}/u.test(name) ? name : null;

/** Names in their first spelling, ignoring case. */
function distinct(names: readonly (string | undefined)[]): string[] {
  const given = names.flatMap((name) => name?.trim() || []);
  return [...new Map(given.toReversed().map((name) => [name.toLowerCase(), name])).values()].reverse();
}

interface Screening {
  subjects: { role: "entity" | "registeredAgent"; name: string }[];
  threshold: number;
  limit: number;
}

type LoadedList = { list: SanctionsList; listDate: string };

async function screen({ value: loaded, failure }: Settled<LoadedList>, { subjects, threshold, limit }: Screening) {
  if (failure) return { status: "error" as const, listDate: null, threshold, screened: [], error: errorOf(failure) };
  const { list, listDate } = loaded;
  const screened = await Promise.all(
    subjects.map(async ({ role, name }) => {
      const { topScore, matches } = await list.screen(name, { threshold, limit, types: PARTIES });
      const items = await Promise.all(matches.map((found) => toSanctionMatch(list, name, found)));
      return { role, name, flagged: items.length > 0, topScore, matches: items };
    }),
  );
  const isFlagged = screened.some(({ flagged }) => flagged);
  const status = screened.length === 0 ? ("skipped" as const) : isFlagged ? ("found" as const) : ("not_found" as const);
  return { status, listDate, threshold, screened, error: null };
}
