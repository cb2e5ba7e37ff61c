/** Runs the capabilities of recordings with their recorded answers, or with changed ones. */
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capabilities } from "../../src/capabilities/index.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { CapabilityError } from "../../src/errors.js";
import { silent } from "../../src/lib/logger.js";
import { type RecordedExchange, type Recording, readRecordings, replay, writeTables } from "../support/recordings.js";
import { pathFromRoot } from "../support/render-indexes.js";

const FOLDER = pathFromRoot("../shared/upstreams/recorded");
export const present = existsSync(FOLDER);
export const { cases, parts, tables } = present ? readRecordings(FOLDER) : { cases: [], parts: [], tables: [] };
const byId = new Map<string, AnyCapability>(capabilities.map((capability) => [capability.id, capability]));
const modelLists = cases.filter(({ capability }) => capability === "ai.models").flatMap(({ exchanges }) => exchanges);

export const dataDir = mkdtempSync(join(tmpdir(), "live-"));
writeTables(tables, dataDir);

/** Optional keys are set where the recording was made with one, which its address shows. */
const KEYS_BY_ADDRESS: readonly [RegExp, Record<string, string>][] = [
  [/etherscan\.io/, { ETHERSCAN_API_KEY: "test-key" }],
  [/api\.sam\.gov/, { SAM_API_KEY: "test-key" }],
  [/api\.congress\.gov/, { CONGRESS_API_KEY: "test-key" }],
  [/publicAPI\/v2/, { BLS_API_KEY: "test-key" }],
  [/openrouter\.ai/, { AI_GATEWAY_API_KEY: "test-key", AI_GATEWAY_BASE_URL: "https://openrouter.ai/api/v1" }],
  [/api\.openai\.com/, { AI_GATEWAY_API_KEY: "test-key", AI_GATEWAY_BASE_URL: "https://api.openai.com/v1" }],
];

export const capabilityOf = ({ capability }: Recording): AnyCapability | undefined => byId.get(capability);

export interface Ran {
  result?: unknown;
  error?: unknown;
  /** The recorded exchanges that were asked for, each with its request. */
  served: Served[];
}

export interface Served {
  exchange: RecordedExchange;
  url: URL;
  body: string | undefined;
  contentType: string;
  bytes: Uint8Array;
}

export function optionsFor(capability: AnyCapability, { exchanges, secrets, now }: Recording) {
  const required = Object.fromEntries(capability.requires.map((name) => [name, "test-key"]));
  const byAddress = KEYS_BY_ADDRESS.filter(([address]) => exchanges.some(({ url }) => address.test(url)));
  return {
    dataDir,
    secrets: Object.assign(required, ...byAddress.map(([, keys]) => keys), secrets) as Record<string, string>,
    cache: false as const,
    logger: silent,
    clock: () => new Date(now ?? "2026-07-01T12:00:00Z"),
  };
}

export const answersFor = (recorded: Recording): RecordedExchange[] =>
  recorded.capability.startsWith("ai.") || recorded.capability === "agent.knowledge-delta"
    ? [...recorded.exchanges, ...modelLists]
    : recorded.exchanges;

export async function runRecorded(recorded: Recording, answers = answersFor(recorded)): Promise<Ran> {
  const capability = capabilityOf(recorded);
  if (!capability) return { error: new Error("no such capability"), served: [] };
  const { fetch, served } = serving(answers);
  return capability(recorded.input, { ...optionsFor(capability, recorded), fetch }).then(
    (result: unknown) => ({ result, served }),
    (error: unknown) => ({ error, served }),
  );
}

/** A replay that tells which exchange it served. */
export function serving(answers: readonly RecordedExchange[]) {
  const served: Served[] = [];
  const told = answers.map((exchange, at) => ({
    ...exchange,
    headers: { ...exchange.headers, "x-recorded": String(at) },
  }));
  const { fetch: inner } = replay(told);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await inner(input, init);
    const exchange = answers[Number(response.headers.get("x-recorded") ?? Number.NaN)];
    if (!exchange) return response;
    const bytes = new Uint8Array(await response.clone().arrayBuffer());
    const contentType = response.headers.get("content-type") ?? "";
    const body = typeof init?.body === "string" ? init.body : undefined;
    served.push({ exchange, url: new URL(String(input)), body, contentType, bytes });
    return response;
  };
  return { fetch, served };
}

/** Whether a run ended as one at a healthy upstream may: with a result, or with "not found". */
export const isHealthy = ({ error }: Pick<Ran, "error">): boolean =>
  error === undefined || (CapabilityError.is(error) && error.code === "NOT_FOUND");

export const hasRows = ({ error, result }: Pick<Ran, "error" | "result">): boolean => {
  if (error !== undefined) return false;
  const { items } = (result ?? {}) as { items?: unknown };
  return !Array.isArray(items) || items.length > 0;
};
