/** The look of one call's answers when they were recorded: paths and types, and no values. */
import { nameOf, parentOf, ROOT, type TypeLetter } from "../upstream/inventory/paths.js";
import type { FieldCount, Fields } from "./fields.js";
import type { DecodedFormat } from "./tree.js";

export interface CallShape {
  /** Folder of its provider in `src/providers`. */
  provider: string;
  /** Short name of the call, such as `institutions`. */
  call: string;
  method: string;
  host: string;
  /** Segments of its path; `*` for one that inputs fill in. */
  path: string;
  /** The mark that tells it from others at the same address: `method=eth_call`. */
  by?: string;
  format: DecodedFormat;
  /** How many answers were recorded. */
  answers: number;
  /** The newest day in them. */
  newest?: string;
  /** Of answers that were never recorded: derived from the provider's documentation. */
  origin?: "documented";
  /** Capabilities that read it. */
  readers: readonly string[];
  fields: ReadonlyMap<string, FieldShape>;
}

export interface FieldShape {
  types: ReadonlySet<TypeLetter>;
  present: number;
  /** Objects that could have had it. */
  of: number;
  /** Whether a result depends on it. */
  read: boolean;
  /** How often it was null, where it also had values; undefined if that is not known. */
  nulls?: number;
  /** Fewest rows of a list. */
  least?: number;
  words?: readonly string[];
}

/** A shape as it stands in the generated file: a field a line, such as `data[].CERT n 3/3 !`, parted by tabs. */
export type StoredShape = Omit<CallShape, "fields"> & { fields: string };

export const TYPE_NAMES: Readonly<Record<TypeLetter, string>> = {
  ...{ s: "string", f: "string", d: "string", n: "number", b: "boolean", o: "object", a: "list", z: "null" },
};

/** Words of an enumeration: constants, no names and no codes of anybody. */
const CONSTANT = /^(?:[A-Z][A-Z_]{1,23}|[a-z][a-z_-]{1,23}|[A-Z][a-z]{2,15}|[YN])$/;
const NAMES =
  /name|city|town|countr|state|street|title|symbol|address|currency|owner|author|label|id$|ticker|text|juris/i;
const MAX_WORDS = 6;
/** Each word of an enumeration occurs this often on average; fewer would be values. */
const MIN_REPEATS = 5;

/** Fields that are read with what is known of them; of others beside them the names, which tell a new name from an old one. */
export function storeFields(fields: Fields, read: ReadonlySet<string>): string {
  const others = new Map<string, string[]>();
  for (const path of fields.keys()) {
    const above = parentOf(path);
    if (path === ROOT || read.has(path) || !(read.has(above) || above === ROOT) || /[\]}]$/.test(path)) continue;
    others.set(above, [...(others.get(above) ?? []), nameOf(path)]);
  }
  return [
    ...[...fields].filter(([path]) => path === ROOT || read.has(path)).map(([path, field]) => line(path, field, read)),
    ...[...others].map(([above, names]) => ["~", above || "$", names.join("|")].join("\t")),
  ].join("\n");
}

function line(path: string, { types, present, of, least, words }: FieldCount, read: ReadonlySet<string>): string {
  const letters = (Object.keys(types) as TypeLetter[]).sort().join("");
  const own = read.has(path) ? constants(path, words, present) : undefined;
  const marks = [
    path === ROOT || read.has(path) ? "!" : "",
    types.z && types.z < present ? `z${types.z}` : "",
    least === undefined ? "" : `#${least}`,
    own ? `=${own.join("|")}` : "",
  ];
  return [path || "$", letters, `${present}/${of}`, ...marks].filter(Boolean).join("\t");
}

function constants(path: string, words: Map<string, number> | undefined, present: number): string[] | undefined {
  if (!words || words.size < 2 || words.size > MAX_WORDS || NAMES.test(path)) return undefined;
  if (present < words.size * MIN_REPEATS || ![...words.keys()].every((word) => CONSTANT.test(word))) return undefined;
  return [...words.keys()].sort();
}

export function readShape({ fields, ...facts }: StoredShape): CallShape {
  return { ...facts, fields: new Map(fields.split("\n").flatMap(readLine)) };
}

const UNREAD: FieldShape = { types: new Set(), present: 0, of: 0, read: false };

function readLine(line: string): [string, FieldShape][] {
  const [path = "", letters = "", share = "", ...marks] = line.split("\t");
  if (path === "~")
    return share
      .split("|")
      .map((name) => [letters === "$" ? name : `${letters}.${name}`, UNREAD] as [string, FieldShape]);
  const [present = 0, of = 0] = share.split("/").map(Number);
  const mark = (sign: string) => marks.find((one) => one.startsWith(sign))?.slice(1);
  const [nulls, least, words] = [mark("z"), mark("#"), mark("=")];
  const field: FieldShape = {
    types: new Set(letters as Iterable<TypeLetter>),
    present,
    of,
    read: mark("!") !== undefined,
    ...(nulls === undefined ? {} : { nulls: Number(nulls) }),
    ...(least === undefined ? {} : { least: Number(least) }),
    ...(words === undefined ? {} : { words: words.split("|") }),
  };
  return [[path === "$" ? ROOT : path, field]];
}
