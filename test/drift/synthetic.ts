/** An answer made of a shape, so that what recordings show can be tried where they do not lie. */

import type { CallShape } from "../../src/drift/shape.js";
import { ROOT, type Tree, type TypeLetter } from "../../src/upstream/inventory/paths.js";

const SAMPLES: Record<TypeLetter, Tree> = {
  s: "some text",
  f: "12",
  d: "2026-05-01",
  n: 12,
  b: true,
  z: null,
  o: {},
  a: [],
};
/** Objects and lists first: what is below them needs them. */
const ORDER = "oansfdbz";

/** Two rows wherever there are some. */
export function answerOf(shape: CallShape): Tree {
  return valueAt(shape, ROOT);
}

function valueAt(shape: CallShape, path: string): Tree {
  const { types, words } = shape.fields.get(path) ?? { types: new Set<TypeLetter>(["s"]) };
  const [letter = "s"] = [...types].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  if (letter === "a") return rowsAt(shape, path);
  if (letter !== "o") return words?.[0] ?? SAMPLES[letter];
  if (shape.fields.has(`${path}{}`)) return { "2026-05-01": valueAt(shape, `${path}{}`) };
  const names = namesBelow(shape, path);
  return Object.fromEntries(names.map((name) => [name, valueAt(shape, path === ROOT ? name : `${path}.${name}`)]));
}

function rowsAt(shape: CallShape, path: string): Tree[] {
  const places = [...shape.fields.keys()].flatMap((one) => {
    const rest = one.startsWith(`${path}[`) ? one.slice(path.length) : "";
    return /^\[\d+\]$/.test(rest) ? [Number(rest.slice(1, -1))] : [];
  });
  if (places.length > 0)
    return Array.from({ length: Math.max(...places) + 1 }, (_, at) => valueAt(shape, `${path}[${at}]`));
  return [valueAt(shape, `${path}[]`), valueAt(shape, `${path}[]`)];
}

const namesBelow = (shape: CallShape, path: string): string[] => {
  const above = path === ROOT ? "" : `${path}.`;
  return [...shape.fields.keys()].flatMap((one) => {
    const rest = one.startsWith(above) ? one.slice(above.length) : "";
    return rest !== "" && !/[.[{]/.test(rest) ? [rest] : [];
  });
};
