/** Risk flags of a business, each with its source. */
import type * as sources from "./_kyb-sources.js";

type MatchOf<Source extends (...args: never[]) => Promise<sources.SourceAnswer<unknown>>> =
  Awaited<ReturnType<Source>> extends sources.SourceAnswer<infer Match> ? Match : never;

/** `skipped`: there was no value to search for. */
export interface Section<Match> {
  status: "found" | "not_found" | "error" | "skipped";
  matches: Match[];
  topScore: number | null;
}

export interface Sections {
  gleif: Section<MatchOf<typeof sources.gleif>>;
  sec: Section<MatchOf<typeof sources.sec>>;
  sanctions: Section<MatchOf<typeof sources.sanctions>>;
  debarment: Section<MatchOf<typeof sources.debarment>>;
  registry: Section<MatchOf<typeof sources.registry>>;
  awards: Section<MatchOf<typeof sources.awards>>;
  tradeControls: Section<MatchOf<typeof sources.tradeControls>>;
}

export const SEVERITIES = ["low", "medium", "high"] as const;
export interface RiskFlag {
  code: string;
  severity: (typeof SEVERITIES)[number];
  source: keyof Sections;
  message: string;
}

/** A name this similar to a listed one is never cleared, whatever threshold the caller set. */
const NEAR = 0.65;

const LISTS = [
  { source: "sanctions", code: "SANCTIONS", what: "the OFAC sanctions list", clears: true },
  { source: "debarment", code: "DEBARMENT", what: "the federal exclusions of SAM.gov", clears: true },
  { source: "tradeControls", code: "TRADE_CONTROL", what: "the US export control lists", clears: false },
] as const;

/** Whether debarment and sanctions were both checked without a similar name. Other sources do not count. */
export const isCleared = ({ sanctions, debarment }: Sections): boolean => isClear(sanctions) && isClear(debarment);

const isClear = ({ status, topScore }: Section<unknown>) => status === "not_found" && (topScore ?? 1) < NEAR;

export function riskFlagsOf(sections: Sections): RiskFlag[] {
  return [...listFlags(sections), ...standingFlags(sections), ...otherFlags(sections)];
}

function listFlags(sections: Sections): RiskFlag[] {
  return LISTS.flatMap(({ source, code, what, clears }): RiskFlag[] => {
    const { status, matches, topScore } = sections[source];
    const [best] = matches;
    if (best) {
      const message = `${best.matchedName} is on ${what} (score ${best.score}).`;
      return [{ code: `${code}_MATCH`, severity: "high", source, message }];
    }
    if (clears && status !== "not_found")
      return [
        { code: `${code}_UNVERIFIED`, severity: "medium", source, message: `${upper(what)} could not be checked.` },
      ];
    if (topScore !== null && topScore >= NEAR) {
      const message = `A name near this one is on ${what} (score ${topScore}, below the threshold).`;
      return [{ code: `${code}_NEAR_MATCH`, severity: "medium", source, message }];
    }
    return [];
  });
}

/** Only for the nearest match of each register, because another company's lapse does not concern this one. */
function standingFlags({ gleif, registry }: Sections): RiskFlag[] {
  const flags: RiskFlag[] = [];
  const [entity, registration] = [gleif.matches[0], registry.matches[0]];
  if (entity?.registrationStatus === "LAPSED")
    flags.push({
      code: "LEI_LAPSED",
      severity: "medium",
      source: "gleif",
      message: `The LEI ${entity.lei} has lapsed.`,
    });
  if (entity && entity.status !== null && entity.status !== "ACTIVE")
    flags.push({
      code: "ENTITY_INACTIVE",
      severity: "medium",
      source: "gleif",
      message: `GLEIF has ${entity.name} as ${entity.status.toLowerCase()}.`,
    });
  if (registration && registration.statusNormalized !== "active")
    flags.push({
      code: "REGISTRY_NOT_GOOD_STANDING",
      severity: "medium",
      source: "registry",
      message: `${registration.state} has ${registration.name} as ${registration.status ?? "of unknown status"}.`,
    });
  return flags;
}

const IDENTITIES = ["gleif", "sec", "registry"] as const;

function otherFlags(sections: Sections): RiskFlag[] {
  const flags: RiskFlag[] = [];
  const asked = IDENTITIES.filter((source) => sections[source].status !== "skipped");
  if (asked.every((source) => sections[source].status === "not_found"))
    flags.push({
      code: "NO_LEGAL_IDENTITY_FOUND",
      severity: "low",
      source: "gleif",
      message: `None of the registers asked has this name: ${asked.join(", ")}.`,
    });
  for (const source of [...IDENTITIES, "awards", "tradeControls"] as const)
    if (sections[source].status === "error")
      flags.push({ code: "SOURCE_ERROR", severity: "low", source, message: `The source ${source} did not answer.` });
  return flags;
}

/** The most severe flag. */
export function riskLevelOf(flags: readonly RiskFlag[]): "none" | RiskFlag["severity"] {
  return SEVERITIES.findLast((severity) => flags.some((flag) => flag.severity === severity)) ?? "none";
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
