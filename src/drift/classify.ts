/** Says of each answer that a check met what became of its upstream. */

import { CapabilityError } from "../errors.js";
import { isRpc, segmentsOf } from "../upstream/inventory/calls.js";
import { findShape, nameOfCall, providerAt } from "./calls.js";
import { compare, type Difference, emptyList, newestIn } from "./compare.js";
import type { Exchange } from "./observe.js";
import type { CallShape } from "./shape.js";
import { type Decoded, decodeTree } from "./tree.js";

/**
 * - `ok`: as it was;
 * - `empty`, `stale`, `shape`, `parser`: something to mend: no rows where there were some, old data, another structure, or
 *   an answer that our own reader refuses;
 * - `auth`, `quota`, `blocked`, `outage`: it could not be asked: the key is refused, the allowance is spent, a page for
 *   people stands in the way, or nothing usable came.
 */
export type DriftClass = "ok" | "empty" | "stale" | "shape" | "parser" | "auth" | "quota" | "blocked" | "outage";

export const TO_MEND: ReadonlySet<DriftClass> = new Set(["empty", "stale", "shape", "parser"]);

/** The worst first: what explains the others. */
const ORDER: readonly DriftClass[] = ["shape", "parser", "stale", "empty", "auth", "quota", "blocked", "outage", "ok"];
export const worse = (a: DriftClass, b: DriftClass): DriftClass => (ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b);

/** The verdict on one call of an upstream. */
export interface DriftVerdict {
  provider: string;
  call: string;
  class: DriftClass;
  status: number;
  differences: Difference[];
  /** Age in days of the newest data, and the days allowed, where it is stale. */
  age?: { days: number; allowed: number };
  /** The list that is empty. */
  list?: string;
}

/** How a capability's run ended, with what it was asked for. */
export interface CapabilityRun {
  exchanges: readonly Exchange[];
  /** Undefined if it gave a result. */
  error?: unknown;
  /** Whether its result has no rows. */
  isEmpty: boolean;
  /** Whether it was asked for something that exists. */
  expectsRows: boolean;
  freshDays?: number | undefined;
  /** Whether requests carried a key of the host. */
  keyed: boolean;
  now: number;
}

/** A verdict for each answer of a run. */
export async function classify(run: CapabilityRun, shapes: readonly CallShape[]): Promise<DriftVerdict[]> {
  const verdicts = await Promise.all(run.exchanges.map((exchange) => judge(exchange, run, shapes)));
  return withOutcome(verdicts, run);
}

async function judge(exchange: Exchange, run: CapabilityRun, shapes: readonly CallShape[]): Promise<DriftVerdict> {
  const { method, url, body, status } = exchange;
  const request = { method, url, body };
  const shape = findShape(shapes, request);
  const verdict: DriftVerdict = {
    provider: shape?.provider ?? (isRpc(request) ? "evm" : providerAt(shapes, url)),
    call: shape?.call ?? unknownCall(url),
    class: "ok",
    status,
    differences: [],
  };
  const reached = classOfStatus(exchange, run);
  if (reached) return { ...verdict, ...reached };
  const decoded = await decodeTree(exchange);
  return { ...verdict, ...classOfBody(decoded, run, shape) };
}

/** Of a call that nobody recorded: its last segment, which may hold what was asked for. */
function unknownCall(url: URL): string {
  const words = segmentsOf(url.pathname).filter((segment) => /^[a-z][a-z_-]{1,30}$/.test(segment));
  return nameOfCall(`/${words.join("/")}`, undefined);
}

type Found = Pick<DriftVerdict, "class"> & Partial<DriftVerdict>;

/** Statuses that say why an upstream could not be asked; 403 depends on whether a key was sent. */
const CLASS_OF_STATUS: Readonly<Record<number, DriftClass>> = {
  ...{
    0: "outage",
    401: "auth",
    402: "quota",
    403: "blocked",
    407: "blocked",
    408: "outage",
    429: "quota",
    451: "blocked",
  },
};

function classOfStatus(
  { status, failure, headers, url }: Exchange,
  { keyed, expectsRows }: CapabilityRun,
): Found | undefined {
  if (failure !== undefined || status >= 500) return { class: "outage" };
  if (status === 403 && keyed) return { class: "auth" };
  const known = CLASS_OF_STATUS[status];
  // Other refusals are judged by the run: a caller's 404 is an answer.
  if (known || status >= 400) return { class: known ?? "ok" };
  if (status >= 300) return { class: leads(headers.get("location"), url) ? "blocked" : "ok" };
  return status === 204 && expectsRows ? { class: "empty" } : undefined;
}

/** Whether a redirect leads to another site. */
function leads(location: string | null, from: URL): boolean {
  if (!location) return false;
  try {
    return (
      new URL(location, from).hostname.split(".").slice(-2).join(".") !== from.hostname.split(".").slice(-2).join(".")
    );
  } catch {
    return true;
  }
}

function classOfBody(decoded: Decoded, run: CapabilityRun, shape: CallShape | undefined): Found {
  const { format, tree } = decoded;
  if (shape && format === shape.format && tree === undefined) return { class: "ok" };
  if (format === "html") return { class: shape?.format === "html" ? "ok" : "blocked" };
  if (format === "cut") return { class: "outage" };
  if (!shape) return { class: "ok" };
  if (format === "empty") return { class: run.expectsRows ? "empty" : "ok" };
  if (tree === undefined || format !== shape.format)
    return { class: "shape", differences: [otherFormat(shape, format)] };
  const differences = compare(tree, shape);
  if (differences.length > 0) return { class: "shape", differences };
  return emptyOrOld(decoded, run, shape) ?? { class: "ok" };
}

const otherFormat = ({ format }: CallShape, now: string): Difference => ({
  path: "$",
  was: format,
  now,
  count: 1,
  of: 1,
});

const DAY_MS = 86_400_000;

function emptyOrOld(
  decoded: Decoded,
  { expectsRows, freshDays, now }: CapabilityRun,
  shape: CallShape,
): Found | undefined {
  const list = expectsRows ? emptyList(decoded, shape) : undefined;
  if (list !== undefined) return { class: "empty", list };
  if (freshDays === undefined || shape.newest === undefined || decoded.tree === undefined) return undefined;
  const newest = newestIn(decoded.tree, now);
  if (newest === undefined || now - newest <= (freshDays + 1) * DAY_MS) return undefined;
  return { class: "stale", age: { days: Math.floor((now - newest) / DAY_MS), allowed: freshDays } };
}

/** Adds what only the whole run shows: the last answer is the one that ended it. */
function withOutcome(verdicts: DriftVerdict[], run: CapabilityRun): DriftVerdict[] {
  const last = verdicts.at(-1);
  if (!last || verdicts.some((one) => one.class !== "ok")) return verdicts;
  const found = classOfOutcome(run, last);
  return found === undefined ? verdicts : [...verdicts.slice(0, -1), { ...last, ...found }];
}

function classOfOutcome({ error, isEmpty, expectsRows }: CapabilityRun, { status }: DriftVerdict): Found | undefined {
  if (error === undefined) return isEmpty && expectsRows ? { class: "empty" } : undefined;
  if (!CapabilityError.is(error)) return { class: "parser" };
  if (error.code === "NOT_FOUND") return expectsRows ? { class: "empty" } : undefined;
  if (error.code === "UPSTREAM_RATE_LIMIT") return { class: "quota" };
  if (error.code === "PROVIDER_NOT_CONFIGURED") return { class: "auth" };
  if (error.code === "UPSTREAM_TIMEOUT" || error.code === "OVERLOADED") return { class: "outage" };
  const moved = status >= 400 ? [{ path: "$", was: "status 200", now: `status ${status}`, count: 1, of: 1 }] : [];
  return moved.length > 0 ? { class: "shape", differences: moved } : { class: "parser" };
}
