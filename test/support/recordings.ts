/** Exchanges that were recorded at real upstreams, played back to the capability that they belong to. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { storedZip } from "./stored-zip.js";

export const recordedExchange = z.object({
  method: z.string().default("GET"),
  url: z.string(),
  requestBody: z.unknown().optional(),
  status: z.number().default(200),
  contentType: z.string().default("application/json"),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
  /** Of files that are no texts. */
  bodyEncoding: z.enum(["base64"]).optional(),
});
export type RecordedExchange = z.output<typeof recordedExchange>;

const recording = z.object({
  capability: z.string(),
  input: z.unknown().optional(),
  secrets: z.record(z.string(), z.string()).default({}),
  now: z.string().optional(),
  exchanges: z.array(recordedExchange),
  /** Facts of the result by dotted path; `error.status` and `error.code` of a failure. */
  expect: z.record(z.string(), z.unknown()).default({}),
  /** Numbers by dotted path, each with its tolerance. */
  expectApprox: z.record(z.string(), z.tuple([z.number(), z.number()])).default({}),
  /** What must occur somewhere in the result. */
  contains: z.array(z.string()).default([]),
  origin: z.object({
    partial: z.unknown().optional(),
    shapeOnly: z.unknown().optional(),
    /** Of a part of a code table: which one, and which part. */
    table: z.string().optional(),
    part: z.number().optional(),
  }),
});
export type Recording = z.output<typeof recording> & { file: string };

/** `<capability>/<case>.json`; beside them lie lists of vectors and of attacks. */
const RECORDING = /^(?!attacks)[^/]+\/(?!.*vectors\.json$)[^/]+\.json$/;

/** Every recording under `folder`, sorted: whole runs, parts of runs and shapes alone, and parts of code tables. */
export function readRecordings(folder: string): { cases: Recording[]; parts: Recording[]; tables: Recording[] } {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => RECORDING.test(file));
  const read = files.sort().map((file): Recording => {
    const text = readFileSync(join(folder, file), "utf8");
    return { ...recording.parse(JSON.parse(text), { error: () => `${file} is no recording` }), file };
  });
  const tables = read.filter(({ origin }) => origin.table !== undefined);
  const cases = read.filter(({ origin, file }) => !origin.partial && !origin.shapeOnly && !/\/data-/.test(file));
  const parts = read.filter(({ origin }) => origin.partial || origin.shapeOnly);
  return { cases, parts, tables };
}

/** Joins the recorded parts of code tables into the files that a host keeps in its data folder. */
export function writeTables(tables: Recording[], dataDir: string): void {
  mkdirSync(join(dataDir, "tables"), { recursive: true });
  const parts = new Map<string, string[]>();
  for (const { origin, exchanges } of tables) {
    const text = String(exchanges[0]?.body).replace(/\n?$/, "\n");
    // Every part repeats the header.
    const rows = (origin.part ?? 1) > 1 ? text.slice(text.indexOf("\n") + 1) : text;
    parts.set(origin.table ?? "", [...(parts.get(origin.table ?? "") ?? []), rows]);
  }
  for (const [table, rows] of parts) writeFileSync(join(dataDir, "tables", `${table}.tsv`), rows.join(""));
}

/** A `fetch` that answers each request with the recorded exchange that is most like it, and 599 where there is none. */
export function replay(exchanges: readonly RecordedExchange[]) {
  const used = new Map<RecordedExchange, number>();
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const request = await readRequest(input, init);
    asked.push(`${request.method} ${request.url}`);
    const [best] = exchanges
      .map((candidate) => ({ candidate, score: likeness(candidate, request) - (used.get(candidate) ?? 0) * 0.5 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    if (!best) return Response.json({ error: "not recorded" }, { status: 599 });
    used.set(best.candidate, (used.get(best.candidate) ?? 0) + 1);
    return toResponse(best.candidate, request);
  };
  return { fetch, asked };
}

interface Request {
  method: string;
  url: URL;
  body: string;
}

async function readRequest(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Request> {
  const request = input instanceof globalThis.Request ? input : undefined;
  const method = (init.method ?? request?.method ?? "GET").toUpperCase();
  const body = init.body == null ? ((await request?.clone().text()) ?? "") : String(init.body);
  return { method, url: new URL(request?.url ?? String(input)), body };
}

/** Minus one for another address; else more for each equal query parameter and for an equal body. */
function likeness(recorded: RecordedExchange, request: Request): number {
  const url = new URL(recorded.url);
  const place = ({ hostname, pathname }: URL) => hostname + pathname.replace(/\/$/, "");
  // Which node answers a JSON-RPC question is a matter of settings.
  const isRpc = isJsonRpc(request.body) && isJsonRpc(JSON.stringify(recorded.requestBody ?? recorded.body));
  if (recorded.method.toUpperCase() !== request.method || (!isRpc && place(url) !== place(request.url))) return -1;
  const equal = [...url.searchParams].filter(([name, value]) => request.url.searchParams.get(name) === value);
  return 1 + 2 * equal.length + bodyLikeness(recorded.requestBody, request.body);
}

function bodyLikeness(recorded: unknown, body: string): number {
  if (recorded === undefined || recorded === null) return 0;
  const [want, got] = [parsed(recorded), parsed(body)];
  if (JSON.stringify(want) === JSON.stringify(got)) return 11;
  const sameMethod = got?.method !== undefined && got.method === want?.method;
  return (sameMethod ? 3 : 0) + (JSON.stringify(got?.params) === JSON.stringify(want?.params) ? 3 : 0);
}

const isJsonRpc = (text: string | undefined) => /jsonrpc/.test(text ?? "");

function parsed(value: unknown): { [name: string]: unknown } | undefined {
  if (typeof value !== "string") return value as { [name: string]: unknown };
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function toResponse(
  { status, contentType, headers, body, bodyEncoding }: RecordedExchange,
  request: Request,
): Response {
  const init = { status, headers: { "content-type": contentType, ...headers } };
  if (status === 204) return new Response(null, init);
  if (/zip/.test(contentType) && typeof body === "object")
    return new Response(storedZip(body as Record<string, string>), init);
  if (bodyEncoding === "base64" || /^image\//.test(contentType))
    return new Response(Buffer.from(String(body), "base64"), init);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(isJsonRpc(request.body) ? withRequestId(text, request.body) : text, init);
}

/** A JSON-RPC answer carries the id of its question. */
function withRequestId(answer: string, question: string): string {
  const [own, asked] = [parsed(answer), parsed(question)];
  if (!own || !asked || Array.isArray(own) || Array.isArray(asked)) return answer;
  return JSON.stringify({ ...own, id: asked.id });
}
