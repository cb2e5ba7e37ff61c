/** The syntax dictionary, read once: what an application identifier (AI) holds, needs and excludes. */
import { DICTIONARY } from "./gs1-table.js";

export interface Component {
  /** N digits, X the 82 characters of GS1, Y 39 of them, Z base64url. */
  characters: "N" | "X" | "Y" | "Z";
  min: number;
  max: number;
  optional: boolean;
  /** Names of further tests, in their order. */
  tests: string[];
}

export interface DictionaryEntry {
  ai: string;
  title: string;
  /** Whether a separator must follow, where another element does. */
  separator: boolean;
  /** Whether a digital link may have it as a data attribute. */
  attribute: boolean;
  components: Component[];
  /** Each of the lists must be met by one of its groups of identifiers that stand together. */
  needs: string[][][];
  excludes: string[];
  /** Sequences of qualifiers behind this primary key of a digital link; undefined for what is not a primary key. */
  qualifiers: string[][] | undefined;
}

export const minLength = ({ components }: DictionaryEntry): number =>
  components.reduce((sum, { min, optional }) => sum + (optional ? 0 : min), 0);
export const maxLength = ({ components }: DictionaryEntry): number => components.reduce((sum, { max }) => sum + max, 0);

const COMPONENT = /^(\[?)([NXYZ])(\.\.)?(\d+)\]?((?:,\w+)*)$/;

function readRow(row: string): [first: string, last: string, entry: Omit<DictionaryEntry, "ai">] {
  const [definition = "", title = ""] = row.split(/ ?# /);
  const [range = "", ...words] = definition.trim().split(" ");
  const flags = /^[*?]+$/.test(words[0] ?? "") ? (words.shift() ?? "") : "";
  const [first = "", last = first] = range.split("-");
  const values = (key: string) =>
    words.filter((word) => word.startsWith(`${key}=`)).map((word) => word.slice(key.length + 1));
  const keys = values("dlpkey").flatMap((sequences) => sequences.split("|"));
  return [
    first,
    last,
    {
      title: title.trim(),
      separator: !flags.includes("*"),
      attribute: flags.includes("?"),
      components: words.flatMap(readComponent),
      needs: values("req").map((groups) => groups.split(",").map((group) => group.split("+"))),
      excludes: values("ex").flatMap((list) => list.split(",")),
      qualifiers: words.includes("dlpkey") ? [[]] : keys.length > 0 ? keys.map((list) => list.split(",")) : undefined,
    },
  ];
}

function readComponent(word: string): Component[] {
  const [, optional, characters, variable, length, tests] = COMPONENT.exec(word) ?? [];
  if (!characters) return [];
  return [
    {
      characters: characters as Component["characters"],
      min: variable ? 1 : Number(length),
      max: Number(length),
      optional: optional === "[",
      tests: (tests ?? "").split(",").filter(Boolean),
    },
  ];
}

const ENTRIES = new Map<string, DictionaryEntry>();
/** All identifiers that begin with the same two digits are of one length. */
const LENGTHS = new Map<string, number>();
for (const row of DICTIONARY) {
  const [first, last, entry] = readRow(row);
  for (let number = Number(first); number <= Number(last); number++) {
    const ai = String(number).padStart(first.length, "0");
    ENTRIES.set(ai, { ai, ...entry });
    LENGTHS.set(ai.slice(0, 2), ai.length);
  }
}

export const entryOf = (ai: string): DictionaryEntry | undefined => ENTRIES.get(ai);

/** The entry whose identifier stands at a place of a message. */
export function entryAt(message: string, at: number): DictionaryEntry | undefined {
  const length = LENGTHS.get(message.slice(at, at + 2));
  return length === undefined ? undefined : ENTRIES.get(message.slice(at, at + length));
}

/** Whether an identifier is meant by a pattern such as `310n`. */
export const matches = (pattern: string, ai: string): boolean =>
  pattern.length === ai.length && [...pattern].every((sign, at) => sign === "n" || sign === ai[at]);
