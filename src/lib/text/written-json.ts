/** Values whose JSON text is known, so that nobody walks through large ones to write them again. */
import { createPacer } from "../pacer.js";
import { parseInTurns, shapeInTurns } from "./json.js";

const texts = new WeakMap<object, string>();

/** A list or an object of its JSON text, read with pauses for other work. Nobody may change it afterwards. */
export async function readWritten(json: string): Promise<unknown> {
  const pacer = createPacer();
  const value = await parseInTurns(json, await shapeInTurns(json, pacer), { pacer });
  if (typeof value === "object" && value !== null) texts.set(value, json);
  return value;
}

/** As deep as an answer holds what a thread read: items, the item, and a member of it. */
const MAX_LEVELS = 4;
/** Longer lists are of small values. */
const MAX_MEMBERS = 64;

/** Like JSON.stringify of what JSON can say, with the known texts of the values within it. */
export function writeJson(value: unknown, levels = MAX_LEVELS): string {
  if (typeof value !== "object" || value === null || levels === 0 || "toJSON" in value) return JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    if (value.length > MAX_MEMBERS) return JSON.stringify(value);
    return `[${value.map((one) => writeJson(one, levels - 1) ?? "null").join(",")}]`;
  }
  const members = Object.entries(value);
  if (members.length > MAX_MEMBERS) return JSON.stringify(value);
  const written = members.flatMap(([name, one]) => {
    const text = writeJson(one, levels - 1);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${written.join(",")}}`;
}
