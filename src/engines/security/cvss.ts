/** Reads CVSS vectors of versions 2.0 to 4.0 and computes their scores. */
import { invalid, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { type Scores, scoresOfVersion2 } from "./cvss2.js";
import { scoresOfVersion3 } from "./cvss3.js";

export const CALCULATOR = { engine: "ae-cvss-calculator", version: "1.0.13" };

const calculator = /* @__PURE__ */ lazy(async () => {
  const { default: library } = await import("ae-cvss-calculator").catch(without("ae-cvss-calculator"));
  return library;
});

export type CvssVersion = "2.0" | "3.0" | "3.1" | "4.0";

export interface Metric {
  id: string;
  name: string;
  value: string;
  words: string;
}

export interface Assessment {
  version: CvssVersion;
  scores: Scores;
  severity: "none" | "low" | "medium" | "high" | "critical" | null;
  metrics: Metric[];
  missing: string[];
}

/** The scores of a vector. Throws INVALID_INPUT for text that is none. */
export async function assess(vector: string): Promise<Assessment> {
  const { version, parts } = split(vector);
  const library = await calculator();
  const known = metricsOf(new (classOf(library, version))());
  const metrics = parts.map(([id, value]): Metric => {
    const metric = known.get(id);
    if (!metric) throw invalid("vector", `has the metric "${id}", which CVSS ${version} does not have`);
    const words = metric.values.get(value);
    if (words === undefined)
      throw invalid("vector", `has "${value}" for ${id}; it must be one of ${[...metric.values.keys()].join(", ")}`);
    return { id, name: metric.name, value, words };
  });
  const given = new Map(parts);
  const missing = [...known].filter(([id, { isBase }]) => isBase && !given.has(id)).map(([id]) => id);
  const scores = missing.length > 0 ? NO_SCORES : scoresOf(library, version, given);
  return { version, scores, severity: severityOf(version, scores.overall), metrics, missing };
}

const NO_SCORES: Scores = { base: null, temporal: null, environmental: null, overall: null, threat: null };

type Library = Awaited<ReturnType<typeof calculator>>;

const classOf = ({ Cvss2, Cvss3P0, Cvss3P1, Cvss4P0 }: Library, version: CvssVersion) =>
  ({ "2.0": Cvss2, "3.0": Cvss3P0, "3.1": Cvss3P1, "4.0": Cvss4P0 })[version];

function scoresOf(library: Library, version: CvssVersion, given: ReadonlyMap<string, string>): Scores {
  if (version === "2.0") return scoresOfVersion2(given);
  if (version !== "4.0") return scoresOfVersion3(version, given);
  const text = [...given].map(([id, value]) => `/${id}:${value}`).join("");
  const scores = new library.Cvss4P0(`CVSS:4.0${text}`).calculateScores();
  const { base, baseMetricsOnly, environmental, threat, overall } = scores as Partial<
    Record<"base" | "baseMetricsOnly" | "environmental" | "threat" | "overall", number>
  >;
  return {
    base: baseMetricsOnly ?? base ?? null,
    temporal: null,
    environmental: environmental ?? null,
    overall: overall ?? null,
    threat: threat ?? null,
  };
}

/** The scale of the standard; version 2 has none, and that of the NVD is used. */
function severityOf(version: CvssVersion, score: number | null): Assessment["severity"] {
  if (score === null) return null;
  if (version === "2.0") return score < 4 ? "low" : score < 7 ? "medium" : "high";
  if (score === 0) return "none";
  if (score < 4) return "low";
  return score < 7 ? "medium" : score < 9 ? "high" : "critical";
}

function split(vector: string): { version: CvssVersion; parts: [string, string][] } {
  const text = vector.trim().replace(/^\((.*)\)$/, "$1");
  const prefix = /^CVSS:([^/]*)\//.exec(text);
  const version = prefix?.[1] ?? "2.0";
  if (!isVersion(version) || (prefix && version === "2.0"))
    throw invalid("vector", `begins with CVSS:${version}; it must begin with CVSS:3.0/, CVSS:3.1/ or CVSS:4.0/`);
  const seen = new Set<string>();
  const parts = text.slice(prefix?.[0].length ?? 0).split("/");
  return {
    version,
    parts: parts.map((part): [string, string] => {
      const [id = "", value, ...rest] = part.split(":");
      if (!id || !value || rest.length > 0)
        throw invalid("vector", `must be metrics such as AV:N divided by "/"; "${part.slice(0, 40)}" is none`);
      if (seen.has(id)) throw invalid("vector", `has the metric ${id} twice`);
      seen.add(id);
      return [id, value];
    }),
  };
}

const isVersion = (text: string): text is CvssVersion => ["2.0", "3.0", "3.1", "4.0"].includes(text);

interface KnownMetric {
  name: string;
  isBase: boolean;
  /** Words by value. */
  values: Map<string, string>;
}

/** The library's own table of metrics. */
interface Table {
  getRegisteredComponents(): Iterable<
    [
      { name: string },
      { name: string; shortName: string; values: { shortName: string; name: string; hide?: boolean }[] }[],
    ]
  >;
}

function metricsOf(table: Table): Map<string, KnownMetric> {
  const known = new Map<string, KnownMetric>();
  for (const [category, components] of table.getRegisteredComponents())
    for (const { name, shortName, values } of components) {
      const isBase = category.name === "base";
      // The library knows base metrics that are not defined; the standard does not.
      const usable = values.filter((value) => !value.hide && !(isBase && ["X", "ND"].includes(value.shortName)));
      known.set(shortName, { name, isBase, values: new Map(usable.map((value) => [value.shortName, value.name])) });
    }
  return known;
}
