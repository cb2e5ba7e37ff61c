/** Renders src/providers/<name>/inventory.ts from the shapes of recorded answers and from what providers document. */
import { readdirSync } from "node:fs";
import type { CallKeys } from "../../src/capability/provider.js";
import { type CallShape, readShape } from "../../src/drift/shape.js";
import { SHAPES } from "../../src/drift/shapes.js";
import { nameOf, parentOf, ROOT } from "../../src/upstream/inventory/paths.js";

/** Keys that a provider documents, or that public fixtures of its API show, beside those of recordings. */
export interface KnownKeys {
  method?: "GET" | "POST";
  /** Where several hosts of the provider have the same path. */
  host?: string;
  /** Of the address, with `*` for a segment that inputs fill in. */
  path: string;
  by?: string;
  /** Where the keys stand. */
  source: string;
  /** By place: `items[]`, or the empty path of the answer itself. Keys are parted by blanks or by `|`. */
  objects: Record<string, string>;
  /** Keys that records often lack: `items[].address`. */
  rare?: readonly string[];
  /** Places whose keys are values, such as symbols of coins. */
  tables?: readonly string[];
  /** Keys that a result reads, where nobody has recorded an answer: with letters of their types, `name s|staff nz`. */
  read?: Record<string, string>;
  /** A recorded call that answers alike. */
  like?: { provider: string; path: string; by?: string };
}

type Key = { letters: string; usual: boolean; steady: boolean } | "unread";
type Places = Map<string, Map<string, Key>>;

interface Call extends Omit<CallKeys, "objects"> {
  places: Places;
}

const NOTES = new URL("../drift/known-keys/", import.meta.url);

/** Text of the inventory by folder of `src/providers`. */
export async function renderInventories(): Promise<Map<string, string>> {
  const calls = new Map<string, Map<string, Call>>();
  for (const shape of SHAPES.map(readShape))
    if (shape.format === "json" || shape.format === "csv" || shape.format === "xml") addShape(calls, shape);
  const notes: [provider: string, KnownKeys][] = [];
  for (const file of readdirSync(NOTES).filter((name) => name.endsWith(".ts"))) {
    const { knownKeys } = (await import(new URL(file, NOTES).href)) as { knownKeys: readonly KnownKeys[] };
    for (const note of knownKeys) notes.push([file.replace(/\.ts$/, ""), note]);
  }
  for (const [provider, note] of notes) addNote(calls, provider, note);
  // What is like another has the notes of that one, too.
  for (const [provider, note] of notes) if (note.like) addLike(calls, provider, note, note.like);
  return new Map([...calls].map(([provider, own]) => [provider, textOf([...own.values()])]));
}

function callOf(
  calls: Map<string, Map<string, Call>>,
  provider: string,
  { method, host, path, by }: Omit<CallKeys, "objects">,
) {
  const own = calls.get(provider) ?? new Map<string, Call>();
  calls.set(provider, own);
  const key = by?.startsWith("method=") ? by : `${method} ${host ?? ""}${path} ${by ?? ""}`;
  const known = own.get(key) ?? {
    method,
    ...(host === undefined ? {} : { host }),
    path,
    ...(by === undefined ? {} : { by }),
    places: new Map(),
  };
  own.set(key, known);
  return known;
}

/** A key that fewer objects have says nothing by its absence. */
const USUAL = 0.2;
/** A key that so many have is missed once many answers lack it. */
const STEADY = 0.95;

function addShape(calls: Map<string, Map<string, Call>>, shape: CallShape): void {
  const { provider, method, path, by } = shape;
  const hosts = SHAPES.filter((one) => one.provider === provider && one.path === path && one.by === by);
  const host = new Set(hosts.map((one) => one.host)).size > 1 && !by?.startsWith("method=") ? shape.host : undefined;
  const call = { method, ...(host === undefined ? {} : { host }), path, ...(by === undefined ? {} : { by }) };
  const { places } = callOf(calls, provider, call);
  for (const [key, { read, types, present, of }] of shape.fields) {
    if (key === ROOT || /[\]}]$/.test(key)) continue;
    add(
      places,
      key,
      read
        ? { letters: [...types].sort().join(""), usual: present >= of * USUAL, steady: present >= of * STEADY }
        : "unread",
    );
  }
}

function addNote(calls: Map<string, Map<string, Call>>, provider: string, note: KnownKeys): void {
  const { method = "GET", objects, rare = [], path, by, host } = note;
  const call = { method, ...(host === undefined ? {} : { host }), path, ...(by === undefined ? {} : { by }) };
  const { places } = callOf(calls, provider, call);
  for (const [place, keys] of Object.entries(note.read ?? {}))
    for (const key of keys.split("|")) {
      const [name = "", letters = ""] = key.split(" ");
      add(places, place === ROOT ? name : `${place}.${name}`, { letters, usual: true, steady: false });
    }
  for (const [place, names] of Object.entries(objects))
    for (const name of names.split(names.includes("|") ? "|" : /\s+/).map((one) => one.trim()))
      if (name) add(places, place === ROOT ? name : `${place}.${name}`, "unread");
  for (const one of rare) {
    const key = places.get(parentOf(one))?.get(nameOf(one));
    if (key && key !== "unread") Object.assign(key, { usual: false, steady: false });
  }
  for (const table of note.tables ?? []) places.delete(table);
}

function addLike(
  calls: Map<string, Map<string, Call>>,
  provider: string,
  { method = "GET", host, path, by }: KnownKeys,
  like: NonNullable<KnownKeys["like"]>,
): void {
  const model = [...(calls.get(like.provider)?.values() ?? [])].find(
    (call) => call.path === like.path && call.by === like.by,
  );
  if (!model) throw new Error(`nobody has recorded ${like.provider} ${like.path}`);
  const call = { method, ...(host === undefined ? {} : { host }), path, ...(by === undefined ? {} : { by }) };
  callOf(calls, provider, call).places = model.places;
}

function add(places: Places, path: string, key: Key): void {
  const above = parentOf(path);
  const keys = places.get(above) ?? new Map<string, Key>();
  places.set(above, keys);
  const known = keys.get(nameOf(path));
  if (known === undefined || known === "unread") keys.set(nameOf(path), key);
  else if (key !== "unread")
    keys.set(nameOf(path), {
      letters: [...new Set(known.letters + key.letters)].sort().join(""),
      usual: known.usual && key.usual,
      steady: known.steady && key.steady,
    });
}

function textOf(calls: Call[]): string {
  const rows = calls
    .map(({ places, ...call }) => ({ ...call, objects: [...places].flatMap(lineOf).join("\n") }))
    .filter(({ objects }) => objects !== "")
    .sort((a, b) => `${a.path} ${a.by ?? ""}`.localeCompare(`${b.path} ${b.by ?? ""}`));
  return [
    "// Generated: npx vitest run test/generated.test.ts -u",
    'import type { CallKeys } from "../../capability/provider.js";',
    "",
    "/** Keys that its answers are known to have: recorded, or documented by it. */",
    "// biome-ignore format: one line each",
    "export const inventory: readonly CallKeys[] = [",
    ...rows.map((row) => `  ${JSON.stringify(row)},`),
    "];",
    "",
  ].join("\n");
}

/** Places without a key that is read need no line. */
function lineOf([place, keys]: [string, Map<string, Key>]): string[] {
  const read = [...keys].flatMap(([name, key]) =>
    key === "unread" ? [] : [`${name}${key.usual ? (key.steady ? "!" : "") : "?"} ${key.letters}`],
  );
  if (read.length === 0) return [];
  const others = [...keys].flatMap(([name, key]) => (key === "unread" ? [name] : []));
  return [[place, read.join("|"), others.join("|")].join("\t")];
}
