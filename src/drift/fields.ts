/** Describes a tree by the paths of its fields: types, presence and rows, and no value but the words of enumerations. */
import {
  childrenOf,
  dayOf,
  letterOf,
  nameOf,
  parentOf,
  ROOT,
  type Tree,
  type TypeLetter,
} from "../upstream/inventory/paths.js";

export interface FieldCount {
  /** Objects that could have it. */
  of: number;
  /** Objects that have it. */
  present: number;
  types: Partial<Record<TypeLetter, number>>;
  /** Of a list: the fewest and all rows. */
  least?: number;
  rows?: number;
  /** Texts by how often they occur; undefined once they are too many for an enumeration. */
  words?: Map<string, number> | undefined;
  /** Newest point in time, in epoch milliseconds. */
  newest?: number;
}

export type Fields = Map<string, FieldCount>;

const MAX_PATHS = 2_000;
const MAX_WORDS = 12;

/** Counts of all fields of a tree. `flat`: a list of one is written as its only member, as XML does. */
export function fieldsOf(tree: Tree, { flat = false, now = Number.POSITIVE_INFINITY } = {}): Fields {
  const fields: Fields = new Map();
  const walk = { fields, flat, latest: now + DAY };
  note(walk, ROOT, tree);
  visit(walk, ROOT, tree);
  for (const [path, field] of fields) field.of = Math.max(field.present, holdersOf(fields, path));
  return fields;
}

const DAY = 86_400_000;

interface Walk {
  fields: Fields;
  flat: boolean;
  latest: number;
}

/** How many objects there are at the path above. */
function holdersOf(fields: Fields, path: string): number {
  const above = fields.get(parentOf(path));
  if (!above || path === ROOT) return 1;
  return /\[\]$|\{\}$|\[\d+\]$/.test(path) ? 0 : (above.types.o ?? 0);
}

function visit(walk: Walk, path: string, value: Tree): void {
  if (walk.fields.size > MAX_PATHS) return;
  for (const [, here, inner] of childrenOf(path, value, walk.flat)) {
    // A member of a flat list stands at the place of the list.
    if (here !== path) note(walk, here, inner);
    visit(walk, here, inner);
  }
}

function note({ fields, latest }: Walk, path: string, value: Tree): void {
  const field: FieldCount = fields.get(path) ?? { of: 0, present: 0, types: {}, words: new Map() };
  fields.set(path, field);
  const letter = letterOf(value);
  field.present++;
  field.types[letter] = (field.types[letter] ?? 0) + 1;
  if (Array.isArray(value)) {
    field.least = Math.min(field.least ?? value.length, value.length);
    field.rows = (field.rows ?? 0) + value.length;
  }
  if (typeof value === "string") noteWord(field, value);
  const time = timeOf(path, value);
  if (time !== undefined && time <= latest) field.newest = Math.max(field.newest ?? 0, time);
}

function noteWord(field: FieldCount, value: string): void {
  if (!field.words) return;
  field.words.set(value, (field.words.get(value) ?? 0) + 1);
  if (field.words.size > MAX_WORDS) field.words = undefined;
}

/** Numbers are times by their name and size, or as the first cell of a row. */
const TIME_NAME = /time|date|stamp|_at$|At$|updated|\bts\b|period|\[0\]$/i;

export function timeOf(path: string, value: Tree): number | undefined {
  if (typeof value === "string" && letterOf(value) === "d") return dayOf(value);
  const number = typeof value === "number" || /^\d{10}(?:\d{3})?$/.test(String(value)) ? Number(value) : Number.NaN;
  if (Number.isNaN(number) || !TIME_NAME.test(nameOf(path))) return undefined;
  if (number > 9e8 && number < 5e9) return number * 1000;
  return number > 9e11 && number < 5e12 ? number : undefined;
}
