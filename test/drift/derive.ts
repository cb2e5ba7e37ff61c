/** Derives the shapes of upstreams' answers from their recordings, and which fields results depend on. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFilledIn, nameOfCall } from "../../src/drift/calls.js";
import { type FieldCount, type Fields, fieldsOf } from "../../src/drift/fields.js";
import { type StoredShape, storeFields } from "../../src/drift/shape.js";
import { type DecodedFormat, decodeTree } from "../../src/drift/tree.js";
import { discriminator, isRpc, segmentsOf } from "../../src/upstream/inventory/calls.js";
import { isObject, nameOf, parentOf, ROOT, type Tree } from "../../src/upstream/inventory/paths.js";
import { readProviderFiles } from "../support/providers.js";
import type { RecordedExchange, Recording } from "../support/recordings.js";
import { pathFromRoot } from "../support/render-indexes.js";
import { changed, renamedInText } from "./change.js";
import { answersFor, capabilityOf, hasRows, isHealthy, runRecorded, type Served } from "./recorded-runs.js";

interface Gathered {
  method: string;
  host: string;
  path: string;
  by: string | undefined;
  formats: DecodedFormat[];
  answers: number;
  newest: number;
  readers: Set<string>;
  fields: Fields;
  read: Set<string>;
  origin?: "documented";
}

interface Sources {
  cases: readonly Recording[];
  /** Recordings of some of the exchanges of a run, which cannot be replayed. */
  parts: readonly Recording[];
  /** Made up after documentation, for calls that nobody recorded. */
  documented: readonly Recording[];
}

export async function deriveShapes({ cases, parts, documented }: Sources): Promise<StoredShape[]> {
  const calls = new Map<string, Gathered>();
  for (const recorded of cases) await gather(recorded, calls);
  const made = new Map<string, Gathered>();
  for (const recorded of documented) await gather(recorded, made);
  for (const [key, call] of made)
    if (!calls.get(key)?.answers && call.answers > 0) calls.set(key, { ...call, origin: "documented" });
  const providers = await providersByHost();
  const complete = new Set(calls.keys());
  for (const recorded of parts) await gatherPart(recorded, { calls, complete, providers });
  const stored = [...calls.values()].filter(({ answers }) => answers > 0).map((call) => store(call, providers));
  return withDistinctNames(stored).sort((a, b) => `${a.provider} ${a.call}`.localeCompare(`${b.provider} ${b.call}`));
}

async function gather(recorded: Recording, calls: Map<string, Gathered>): Promise<void> {
  const capability = capabilityOf(recorded);
  if (!capability) return;
  const ran = await runRecorded(recorded);
  if (!isHealthy(ran)) return;
  const [said, before, rows] = [wordsOf(recorded.input), outcomeOf(ran), hasRows(ran)];
  for (const served of ran.served) {
    const call = callOf(served, said, calls);
    if (served.exchange.status !== 200) continue;
    const { format, tree } = await decodeTree({ ...served, whole: true });
    call.answers++;
    call.formats.push(format);
    call.readers.add(capability.id);
    if (tree === undefined) continue;
    const fields = fieldsOf(tree, { flat: format === "xml", now: Date.parse(recorded.now ?? "2026-11-01T00:00:00Z") });
    merge(call, fields, rows);
    if (!hasRows(ran)) continue;
    const unread = [...fields.keys()].filter((path) => path !== ROOT && !call.read.has(path));
    for (const path of unread)
      if (await isRead(recorded, served.exchange, { path, tree, format, before })) markRead(call, path);
  }
}

interface PartContext {
  calls: Map<string, Gathered>;
  complete: ReadonlySet<string>;
  providers: Map<string, string>;
}

/** What is read of an answer that no run shows is what the source names. */
async function gatherPart(recorded: Recording, { calls, complete, providers }: PartContext): Promise<void> {
  const said = wordsOf(recorded.input);
  for (const exchange of recorded.exchanges) {
    const url = new URL(exchange.url);
    const body = exchange.requestBody === undefined ? undefined : textOf(exchange.requestBody);
    const provider = providers.get(url.host) ?? providers.get(url.host.split(".").slice(-2).join("."));
    if (exchange.status !== 200 || provider === undefined || SUPERSEDED.test(exchange.url)) continue;
    const bytes = new TextEncoder().encode(textOf(exchange.body));
    const call = callOf({ exchange, url, body, contentType: exchange.contentType, bytes }, said, calls, complete);
    if (!call) continue;
    const { format, tree } = await decodeTree({ contentType: exchange.contentType, bytes, whole: true });
    call.answers++;
    call.formats.push(format);
    call.readers.add(recorded.capability);
    if (tree === undefined) continue;
    const fields = fieldsOf(tree, { flat: format === "xml", now: Date.parse("2026-11-01T00:00:00Z") });
    merge(call, fields, true);
    const source = sourceOf(provider, recorded.capability);
    for (const path of fields.keys()) if (isNamedIn(source, nameOf(path))) markRead(call, path);
  }
}

/** Addresses that nothing of ours asks any more. */
const SUPERSEDED = /restcountries|autocompletions|vercel\.sh/;

const textOf = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body));

function sourceOf(provider: string, capability: string): string {
  const [group = "", name = ""] = capability.split(".");
  const folders = [`src/providers/${provider}`, `src/capabilities/${group}`].map(pathFromRoot);
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  return files
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => file.includes("/providers/") || /\/_/.test(file) || file.endsWith(`${name}.ts`))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}

const isNamedIn = (source: string, name: string): boolean =>
  name.length > 1 &&
  new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, "\\$&")}(?![\\w$])\\s*["']?\\s*[:\\],]`).test(source);

function callOf(served: Served, said: Set<string>, calls: Map<string, Gathered>): Gathered;
function callOf(
  served: Served,
  said: Set<string>,
  calls: Map<string, Gathered>,
  unless: ReadonlySet<string>,
): Gathered | undefined;
function callOf(
  { exchange, url, body }: Served,
  said: Set<string>,
  calls: Map<string, Gathered>,
  unless: ReadonlySet<string> = new Set(),
): Gathered | undefined {
  const request = { method: exchange.method.toUpperCase(), url, body };
  const by = discriminator(request);
  const path = isRpc(request) ? "/" : templateOf(url.pathname, said);
  const key = isRpc(request) ? `rpc ${by}` : [request.method, url.host, path, by].join(" ");
  if (unless.has(key)) return undefined;
  const known = calls.get(key);
  if (known) return known;
  const fresh: Gathered = {
    ...{ method: request.method, host: url.host, path, by, formats: [], answers: 0, newest: 0 },
    ...{ readers: new Set<string>(), fields: new Map(), read: new Set<string>() },
  };
  calls.set(key, fresh);
  return fresh;
}

const templateOf = (path: string, said: Set<string>): string =>
  `/${segmentsOf(path)
    // One file a coin: they are alike.
    .map((segment) => (isFilledIn(segment, said) || /_[A-Z]{3,4}\.json$/.test(segment) ? "*" : segment))
    .join("/")}`;

function wordsOf(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) wordsOf(inner, found);
  else if (value !== undefined && value !== null) {
    found.add(String(value).toLowerCase());
    for (const part of String(value)
      .toLowerCase()
      .split(/[\s,/-]+/))
      if (part.length > 2) found.add(part);
  }
  return found;
}

function merge(call: Gathered, fields: Fields, rows: boolean): void {
  for (const [path, field] of fields) {
    const known: FieldCount = call.fields.get(path) ?? { of: 0, present: 0, types: {}, words: new Map() };
    known.of += field.of;
    known.present += field.present;
    for (const [letter, count] of Object.entries(field.types) as ["s", number][])
      known.types[letter] = (known.types[letter] ?? 0) + count;
    if (field.least !== undefined && rows) known.least = Math.min(known.least ?? field.least, field.least);
    known.words = field.words && known.words ? sum(known.words, field.words) : undefined;
    call.newest = Math.max(call.newest, field.newest ?? 0);
    call.fields.set(path, known);
  }
}

/** Every object at the way above could have had the field. */
function countHolders(fields: Fields): void {
  for (const [path, field] of fields)
    if (path !== ROOT && !/[\]}]$/.test(path))
      field.of = Math.max(field.present, fields.get(parentOf(path))?.types.o ?? 0);
}

function sum(a: Map<string, number>, b: Map<string, number>): Map<string, number> {
  for (const [word, count] of b) a.set(word, (a.get(word) ?? 0) + count);
  return a;
}

const outcomeOf = ({ result, error }: { result?: unknown; error?: unknown }): string =>
  JSON.stringify(error === undefined ? result : { code: (error as { code?: string }).code });

interface Question {
  path: string;
  tree: Tree;
  format: DecodedFormat;
  before: string;
}

/** Whether a result changes when the field is renamed, or emptied where it has no name. */
async function isRead(recorded: Recording, exchange: RecordedExchange, question: Question): Promise<boolean> {
  const body = bodyWithout(exchange, question);
  if (body === undefined) return false;
  const answers = answersFor(recorded);
  const ran = await runRecorded(
    recorded,
    answers.map((one) => (one === exchange ? { ...one, body } : one)),
  );
  return outcomeOf(ran) !== question.before;
}

function bodyWithout({ body }: RecordedExchange, { path, tree, format }: Question): unknown {
  if (format === "json") {
    const given = typeof body === "string" ? (JSON.parse(body) as Tree) : (body as Tree);
    const headed = Array.isArray(given) && Array.isArray(given[0]) && Array.isArray(tree) && isObject(tree[0] ?? null);
    if (!headed) return changed(given, path, { rename: (name) => `${name}Renamed` });
    const [header, ...rows] = given as Tree[][];
    return [(header ?? []).map((name) => (name === nameOf(path) ? `${name}Renamed` : name)), ...rows];
  }
  if (typeof body !== "string") return undefined;
  const renamed = renamedInText(body, nameOf(path), `${nameOf(path)}Renamed`);
  return renamed === body ? undefined : renamed;
}

/** With a field its way is read, too. */
function markRead({ read }: Gathered, path: string): void {
  for (let way = path; way !== ROOT; way = parentOf(way)) read.add(way);
  read.add(ROOT);
}

function store(call: Gathered, providers: Map<string, string>): StoredShape {
  const { method, host, path, by, formats, answers, newest, readers, fields, read, origin } = call;
  const [format = "text"] = formats;
  countHolders(fields);
  return {
    provider: providerOf(call, providers),
    call: nameOfCall(path, by),
    ...{ method, host, path },
    ...(by === undefined ? {} : { by }),
    format,
    answers,
    // The days in answers that were made up tell nothing.
    ...(newest > 0 && !origin ? { newest: new Date(newest).toISOString().slice(0, 10) } : {}),
    ...(origin ? { origin } : {}),
    readers: [...readers].sort(),
    fields: storeFields(fields, read),
  };
}

function providerOf({ host, path, by }: Gathered, providers: Map<string, string>): string {
  if (by?.startsWith("method=")) return "evm";
  if (/\/(?:chat\/completions|images\/generations|v1\/models)$/.test(path)) return "ai-gateway";
  const first = `/${segmentsOf(path)[0] ?? ""}`;
  return (
    providers.get(host + first) ?? providers.get(host) ?? providers.get(host.split(".").slice(-2).join(".")) ?? host
  );
}

/** Folders of `src/providers` by host, by domain, and by host with the first segment where hosts are shared. */
async function providersByHost(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const add = (key: string, name: string) => found.has(key) || found.set(key, name);
  for (const { name, providers } of await readProviderFiles())
    for (const { baseUrl, withKey } of providers)
      for (const address of [baseUrl, withKey?.baseUrl ?? baseUrl]) {
        const { host, pathname } = new URL(address);
        add(`${host}/${segmentsOf(pathname)[0] ?? ""}`, name);
        add(host, name);
        add(host.split(".").slice(-2).join("."), name);
      }
  return found;
}

/** Of calls of one name, the one for a single thing says so, and the one asked most often keeps the name. */
function withDistinctNames(shapes: StoredShape[]): StoredShape[] {
  const alike = (all: StoredShape[], { provider, call }: StoredShape) =>
    all.filter((other) => other.provider === provider && other.call === call);
  const named = shapes.map((shape) =>
    alike(shapes, shape).length > 1 && shape.path.endsWith("/*") ? { ...shape, call: `${shape.call} by id` } : shape,
  );
  return named.map((shape) => {
    const [most] = alike(named, shape).sort((a, b) => b.answers - a.answers);
    return most === shape ? shape : { ...shape, call: `${shape.call} at ${shape.host}` };
  });
}
