/** The ways in which an upstream fails, as a `fetch` meets them, and a verdict on what a capability makes of each. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyCapability } from "../../src/capability/types.js";
import { CapabilityError, type ErrorCode } from "../../src/errors.js";
import { fakeClock } from "./clock.js";

export interface Outage {
  /** What the upstream does, to be read after "that". */
  what: string;
  /** What the caller may be told. */
  codes: readonly ErrorCode[];
  answer(signal: AbortSignal | null | undefined): Response | Promise<Response>;
  /** Ends the call from outside, for what would otherwise take as long as the call may. */
  deadlineMs?: number;
}

const PRIVATE_HOST = "169.254.169.254";
const UNREADABLE = ["UPSTREAM_ERROR", "UPSTREAM_SCHEMA"] as const;

const json = (body: string, init: ResponseInit = {}) => {
  const headers = { "content-type": "application/json", ...init.headers };
  return new Response(body, { ...init, headers });
};

export const OUTAGES: readonly Outage[] = [
  {
    what: "refuses the connection",
    codes: ["UPSTREAM_ERROR"],
    answer: () => {
      throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 192.0.2.7:443") });
    },
  },
  {
    what: "does not answer in its own time",
    codes: ["UPSTREAM_TIMEOUT"],
    answer: () => {
      throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
    },
  },
  {
    what: "hangs until the call's time is up",
    codes: ["UPSTREAM_TIMEOUT"],
    answer: (signal) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })),
    deadlineMs: 300,
  },
  {
    what: "asks for a pause of two minutes",
    codes: ["UPSTREAM_RATE_LIMIT"],
    answer: () => json('{"error":"slow down"}', { status: 429, headers: { "retry-after": "120" } }),
  },
  { what: "answers 500", codes: ["UPSTREAM_ERROR"], answer: () => json('{"error":"stack trace"}', { status: 500 }) },
  { what: "answers 503", codes: ["UPSTREAM_ERROR"], answer: () => json("", { status: 503 }) },
  {
    what: "answers with a web page",
    codes: UNREADABLE,
    answer: () => new Response("<!doctype html><title>Sign in</title>", { headers: { "content-type": "text/html" } }),
  },
  { what: "stops in the middle of its JSON", codes: UNREADABLE, answer: () => json('{"data":[{"value":1},{"val') },
  {
    what: "breaks off while it answers",
    codes: ["UPSTREAM_ERROR"],
    answer: () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{"data":[')),
          pull: (controller) => controller.error(new TypeError("terminated")),
        }),
        { headers: { "content-type": "application/json" } },
      ),
  },
  { what: "answers nothing", codes: UNREADABLE, answer: () => json("") },
  { what: "answers with other fields", codes: UNREADABLE, answer: () => json('{"renamed":true}') },
  { what: "answers with rows of other fields", codes: UNREADABLE, answer: () => json('[{"renamed":true}]') },
  {
    what: "redirects to a private host",
    codes: ["UPSTREAM_ERROR"],
    answer: () => json("", { status: 302, headers: { location: `http://${PRIVATE_HOST}/latest/meta-data/` } }),
  },
];

/** What no message to a caller may hold, besides secrets: stacks, paths, addresses, library words, upstream bodies. */
const INTERNALS =
  /\n\s+at |node:|file:\/\/|\.ts:\d|ECONNREFUSED|192\.0\.2\.7|169\.254|fetch failed|terminated|stack trace|<!doctype|renamed|undefined|\[object/i;

export interface Outcome {
  /** What was requested through the injected fetch. */
  requests: URL[];
  /** Whether it was a file that was downloaded, past the client that knows time and rate limits by name. */
  download: boolean;
  result?: unknown;
  error?: unknown;
}

const webPage = () =>
  new Response(`<title>Page</title><p>${"Some words, and more. ".repeat(50)}`, {
    headers: { "content-type": "text/html" },
  });
/** One pixel. */
const picture = () =>
  new Response(
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    ),
    { headers: { "content-type": "image/png" } },
  );

/** Runs a capability's example while every upstream fails in the same way. Nothing is kept, and all keys are set. */
export async function runDuring(capability: AnyCapability, outage: Outage, secrets: Secrets): Promise<Outcome> {
  const requests: URL[] = [];
  let download = false;
  const named = new Set(JSON.stringify(capability.example).match(/https:[^"]+/g));
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input instanceof Request ? input.url : input));
    // What the caller named is no upstream of ours: it answers well, so that the provider behind it gets its turn.
    if (named.has(url.href)) return url.pathname.endsWith("g") ? picture() : webPage();
    // The client follows redirects itself; where publishers put their files, nobody knows in advance.
    download ||= init?.redirect !== "manual";
    requests.push(url);
    return outage.answer(init?.signal);
  };
  const options = {
    fetch,
    secrets,
    clock: fakeClock(),
    cache: false as const,
    // Callers' own addresses are looked up before they are fetched.
    outbound: { lookup: async () => [{ address: "93.184.215.14", family: 4 }] },
    // Never made: a file that could not be downloaded leaves nothing behind.
    dataDir: join(tmpdir(), "coinslot-no-such-folder"),
    ...(outage.deadlineMs === undefined ? {} : { signal: AbortSignal.timeout(outage.deadlineMs) }),
  };
  return capability(capability.example, options).then(
    (result: unknown) => ({ requests, download, result }),
    (error: unknown) => ({ requests, download, error }),
  );
}

export type Secrets = Record<string, string>;

/** What is wrong with an outcome, in words; empty when nothing is. */
export function faultsOf(outcome: Outcome, outage: Outage, secrets: Secrets): string[] {
  const { requests, download, result, error } = outcome;
  if (requests.length === 0) return ["asked nobody"];
  if (error === undefined) return [`was sold all the same: ${JSON.stringify(result)?.slice(0, 200)}`];
  if (!CapabilityError.is(error)) return [`ended in a bare ${error}`];
  const { code, status, message, retryAfter, issues } = error;
  const faults: string[] = [];
  const codes = download ? [...outage.codes, "UPSTREAM_ERROR"] : outage.codes;
  if (!codes.includes(code)) faults.push(`is called ${code} (${message}), not ${codes.join(" or ")}`);
  if (status !== (code === "UPSTREAM_RATE_LIMIT" ? 429 : 502)) faults.push(`has status ${status}`);
  if (code === "UPSTREAM_RATE_LIMIT" && !(retryAfter && retryAfter > 0)) faults.push("does not say when to come back");
  const told = JSON.stringify({ message, issues });
  if (INTERNALS.test(message)) faults.push(`tells what it should not: ${message}`);
  for (const [name, value] of Object.entries(secrets)) if (told.includes(value)) faults.push(`tells ${name}`);
  if (requests.some(({ hostname }) => hostname === PRIVATE_HOST)) faults.push("followed to a private host");
  return faults;
}

/** Whether a capability says that there is nothing: an empty list, or 404. */
export function saysNothingFound({ result, error }: Pick<Outcome, "result" | "error">): boolean {
  if (CapabilityError.is(error)) return error.code === "NOT_FOUND";
  const items = (result as { items?: unknown[] } | undefined)?.items;
  return Array.isArray(items) && items.length === 0;
}
