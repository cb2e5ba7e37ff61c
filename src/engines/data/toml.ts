/** TOML 1.0 to values and back: dates stay as they are written. */
import { invalid, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { MAX_DEPTH } from "../json/bounds.js";
import { type Members, setMember } from "../json/members.js";
import { ExactNumber } from "../json/text.js";
import type { DataReadOptions } from "./formats.js";
import { assertToml10 } from "./toml-strict.js";

const library = lazy(() => import("smol-toml").catch(without("smol-toml")));

export async function readToml(bytes: Uint8Array, { note }: Pick<DataReadOptions, "note">): Promise<unknown> {
  const { parse } = await library();
  const text = decoded(bytes);
  let table: unknown;
  try {
    table = parse(text, { integersAsBigInt: "asNeeded", maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RangeError) throw error;
    const { line, column } = error as { line?: number; column?: number };
    const [what = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw invalid("", `is not TOML: ${what.slice(0, 200)}${line ? ` (line ${line}, column ${column})` : ""}`);
  }
  assertToml10(text);
  return plainOf(table, note);
}

/** TOML is UTF-8, with one byte order mark at most. */
function decoded(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid("", "is not TOML: it must be UTF-8");
  }
  if (text.startsWith("\uFEFF\uFEFF")) throw invalid("", "is not TOML: it begins with two byte order marks");
  return text;
}

function plainOf(value: unknown, note: (message: string) => void): unknown {
  if (typeof value === "bigint") return new ExactNumber(value.toString());
  if (typeof value === "number" && !Number.isFinite(value)) {
    note(`${value} is not a number of JSON and became a text`);
    return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
  if (value instanceof Date)
    return value
      .toISOString()
      .replace(/(\.\d*?)0+(?!\d)/, "$1")
      .replace(/\.(?!\d)/, "");
  if (Array.isArray(value)) return value.map((one) => plainOf(one, note));
  if (typeof value !== "object" || value === null) return value;
  const members: Members = {};
  for (const [name, one] of Object.entries(value)) setMember(members, name, plainOf(one, note));
  return members;
}

/** TOML text. It has no null: such members are left out, with a note. */
export async function writeToml(value: unknown, note: (message: string) => void): Promise<string> {
  const { stringify } = await library();
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof ExactNumber)
    throw invalid("to", "toml has tables only: choose an object by path, or another format");
  return stringify(writable(value, note));
}

function writable(value: unknown, note: (message: string) => void): unknown {
  if (value instanceof ExactNumber) {
    if (/^-?\d{1,19}$/.test(value.text)) return BigInt(value.text);
    note(`${value.text} does not fit TOML's numbers and became a text`);
    return value.text;
  }
  if (typeof value === "string") return wellFormed(value, note);
  if (Array.isArray(value)) {
    const kept = value.filter((one) => one !== null);
    if (kept.length < value.length) note("TOML has no null: nulls in lists were left out");
    return kept.map((one) => writable(one, note));
  }
  if (typeof value !== "object" || value === null) return value;
  const members: Members = {};
  for (const [name, one] of Object.entries(value)) {
    if (one === null) note(`TOML has no null: ${name} was left out`);
    else setMember(members, wellFormed(name, note), writable(one, note));
  }
  return members;
}

/** TOML is UTF-8, which has no halves of surrogate pairs; the library throws on them. */
function wellFormed(text: string, note: (message: string) => void): string {
  if (!/\p{Cs}/u.test(text)) return text;
  note("TOML has no halves of surrogate pairs: they became U+FFFD");
  return text.replace(/\p{Cs}/gu, "\ufffd");
}
