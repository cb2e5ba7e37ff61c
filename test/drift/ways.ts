/** The twelve ways in which upstreams really break, each done to a recorded answer, and the class that each should get. */

import type { DriftClass } from "../../src/drift/classify.js";
import { fieldsOf, timeOf } from "../../src/drift/fields.js";
import type { CallShape } from "../../src/drift/shape.js";
import type { Decoded } from "../../src/drift/tree.js";
import { isObject, letterOf, nameOf, type Tree } from "../../src/upstream/inventory/paths.js";
import { changed, renamedInText } from "./change.js";

/** What the server sends: a body with its headers, or a broken one. */
export interface Sent {
  status?: number;
  contentType?: string;
  headers?: Record<string, string>;
  body: string | Uint8Array;
}

export interface Answer {
  contentType: string;
  text: string;
  bytes: Uint8Array;
  decoded: Decoded;
  shape: CallShape;
  /** Days that the live example allows; undefined where age means nothing. */
  freshDays: number | undefined;
  /** Which of the fields that fit is changed: 0 the first, just below 1 the last. */
  pick: number;
}

export interface Way {
  name: string;
  expects: DriftClass;
  /** Where it does not apply, and why. */
  notFor: string;
  /** Undefined where it does not apply to this answer. */
  apply(answer: Answer): Sent | undefined;
}

const CONSENT = "https://consent.example/accept?continue=1";
export const PAGE =
  "<!doctype html><html><head><title>Just a moment</title></head><body>Checking your browser</body></html>";

export const WAYS: readonly Way[] = [
  {
    name: "field renamed",
    expects: "shape",
    notFor: "answers without named fields that a result depends on",
    apply: (answer) => onField(answer, isAlwaysThere, (path) => ({ path, change: { rename: (name) => `${name}_v2` } })),
  },
  {
    name: "type changed",
    expects: "shape",
    notFor: "CSV and XML, where everything is text, and answers without a value that a result depends on",
    apply: (answer) =>
      answer.decoded.format === "json"
        ? onField(answer, isValue, (path) => ({ path, change: { to: otherType } }))
        : undefined,
  },
  {
    name: "null where a value was",
    expects: "shape",
    notFor: "XML, which has no null, and fields that were null before",
    apply: (answer) =>
      answer.decoded.format === "xml"
        ? undefined
        : onField(answer, isNeverNull, (path) => ({ path, change: { to: () => null } })),
  },
  {
    name: "list for object",
    expects: "shape",
    notFor: "CSV and XML, and answers without objects",
    apply: (answer) =>
      answer.decoded.format === "json"
        ? onField(answer, isInnerObject, (path) => ({ path, change: { to: (value) => [value] } }), onlyObject(answer))
        : undefined,
  },
  {
    name: "HTML with status 200",
    expects: "blocked",
    notFor: "",
    apply: () => ({ contentType: "text/html", body: PAGE }),
  },
  {
    name: "empty list",
    expects: "empty",
    notFor: "answers without a list that always had rows",
    apply: (answer) => onField(answer, isTopList, (path) => ({ path, change: { to: () => [] } }), onlyHeader(answer)),
  },
  {
    name: "old data",
    expects: "stale",
    notFor: "answers without a date, and those whose age means nothing",
    apply: (answer) => (answer.freshDays === undefined || !answer.shape.newest ? undefined : older(answer)),
  },
  {
    name: "other pagination",
    expects: "shape",
    notFor: "answers without a list that a result depends on",
    apply: (answer) =>
      answer.decoded.format === "json"
        ? onField(answer, isTopList, (path) => ({ path, change: { to: intoPage } }))
        : undefined,
  },
  {
    name: "rate limit without header",
    expects: "quota",
    notFor: "",
    apply: () => ({ status: 429, contentType: "text/plain", body: "Too many requests" }),
  },
  {
    name: "redirect to a consent page",
    expects: "blocked",
    notFor: "",
    apply: () => ({ status: 302, headers: { location: CONSENT }, contentType: "text/html", body: "" }),
  },
  {
    name: "gzip broken",
    expects: "outage",
    notFor: "",
    apply: () => ({ headers: { "content-encoding": "gzip" }, body: "\u001f\u008b broken" }),
  },
  {
    name: "half an answer",
    expects: "outage",
    notFor: "text of lines without columns, and answers of a few bytes",
    apply: ({ decoded, bytes }) =>
      decoded.format === "text" || bytes.byteLength < 20 ? undefined : { body: bytes.subarray(0, middleOf(bytes)) },
  },
];

/** Half of it, and not just behind a line. */
function middleOf(bytes: Uint8Array): number {
  const half = Math.floor(bytes.byteLength / 2);
  const end = bytes.indexOf(10, half);
  const start = bytes.lastIndexOf(10, half);
  if (start < 0 || end < 0) return half;
  return Math.max(start + 2, Math.min(half, start + Math.floor((end - start) / 2)));
}

type Picked = { path: string; change: Parameters<typeof changed>[2] };
type Test = (path: string, answer: Answer, fields: ReturnType<typeof fieldsOf>) => boolean;

/** Changes one field that a result depends on: of those that fit, the one that is picked. */
function onField(answer: Answer, fits: Test, pick: (path: string) => Picked, otherwise?: string): Sent | undefined {
  const { decoded, shape, text, contentType } = answer;
  if (decoded.tree === undefined) return undefined;
  const fields = fieldsOf(decoded.tree, { flat: decoded.format === "xml" });
  const candidates = [...shape.fields.keys()].filter((path) => fields.has(path) && fits(path, answer, fields));
  const path = candidates[Math.floor(candidates.length * answer.pick)] ?? otherwise;
  if (path === undefined) return undefined;
  const { change } = pick(path);
  if (decoded.format === "json")
    return { contentType, body: JSON.stringify(changed(parsed(text, decoded), path, change)) };
  if (!("rename" in change)) return inTable(answer, path, change.to);
  const body = renamedInText(text, nameOf(path), change.rename(nameOf(path)));
  return body === text ? undefined : { contentType, body };
}

/** Rows under a row of names are changed as objects, and so they are sent: as good as a header of another name. */
const parsed = (text: string, { tree }: Decoded): Tree => {
  const given = JSON.parse(text.replace(/^\uFEFF/, "")) as Tree;
  return Array.isArray(given) && Array.isArray(given[0]) && Array.isArray(tree) && isObject(tree[0] ?? null)
    ? (tree ?? null)
    : given;
};

/** A table of which a column, or every row, is taken. */
function inTable({ decoded, text, contentType }: Answer, path: string, to: (value: Tree) => Tree): Sent | undefined {
  const { tree } = decoded;
  if (decoded.format !== "csv" || !Array.isArray(tree)) return undefined;
  const [first] = tree;
  if (path === "") return { contentType, body: isObject(first ?? null) ? text.slice(0, text.indexOf("\n") + 1) : "" };
  if (!isObject(first ?? null)) return undefined;
  const names = Object.keys(first as object);
  const separator = text.slice(0, text.indexOf("\n")).includes("\t") ? "\t" : ",";
  const rows = tree.map((row) =>
    names.map((name) => cell(name === nameOf(path) ? to(null) : ((row as Record<string, Tree>)[name] ?? null))),
  );
  return { contentType, body: [names.map(cell), ...rows].map((cells) => cells.join(separator)).join("\n") };
}

const cell = (value: Tree): string => {
  const text = value === null ? "" : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const read: Test = (path, { shape }) => shape.fields.get(path)?.read ?? false;
const isField = (path: string) => path !== "" && !/[\]}]$/.test(path);

/** In every object that could have it: here, and whenever it was seen. */
const isAlwaysThere: Test = (path, answer, fields) => {
  const field = answer.shape.fields.get(path);
  const here = fields.get(path);
  return read(path, answer, fields) && isField(path) && field?.present === field?.of && here?.present === here?.of;
};

const isValue: Test = (path, answer, fields) => {
  const { types = new Set() } = answer.shape.fields.get(path) ?? {};
  const [only] = [...types].filter((letter) => letter !== "z");
  const kinds = new Set([...types].map((letter) => (letter === "d" || letter === "f" ? "s" : letter)));
  kinds.delete("z");
  return (
    read(path, answer, fields) &&
    isField(path) &&
    kinds.size === 1 &&
    /[nsbdf]/.test(String(only ?? "")) &&
    hasValues(path, fields)
  );
};

const hasValues = (path: string, fields: ReturnType<typeof fieldsOf>) => {
  const { present = 0, types = {} } = fields.get(path) ?? {};
  return present > (types.z ?? 0);
};

const isNeverNull: Test = (path, answer, fields) => {
  const field = answer.shape.fields.get(path);
  const scalar = [...(field?.types ?? [])].every((letter) => /[nsbdf]/.test(letter));
  return read(path, answer, fields) && isField(path) && scalar;
};

const isInnerObject: Test = (path, answer, fields) =>
  read(path, answer, fields) && isField(path) && [...(answer.shape.fields.get(path)?.types ?? [])].join("") === "o";

const isTopList: Test = (path, { shape, decoded }, fields) =>
  !/[[{]/.test(path) &&
  (shape.fields.get(path)?.read || (path === "" && decoded.format === "csv")) === true &&
  (shape.fields.get(path)?.least ?? 0) > 0 &&
  (fields.get(path)?.rows ?? 0) > 0;

/** The whole answer, where it is an object. */
const onlyObject = ({ decoded }: Answer): string | undefined => (isObject(decoded.tree ?? null) ? "" : undefined);

/** The whole answer, where it is a table. */
const onlyHeader = ({ decoded }: Answer): string | undefined =>
  decoded.format === "csv" && Array.isArray(decoded.tree) && isObject(decoded.tree[0] ?? null) ? "" : undefined;

function otherType(value: Tree): Tree {
  if (value === null) return null;
  if (typeof value === "number") return `about ${value}`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return { value };
}

const intoPage = (value: Tree): Tree => ({ results: value, page: 1, next: "eyJvIjoxfQ" });

const YEARS_MS = 3 * 365 * 86_400_000;

/** Every point in time three years earlier. */
function older({ decoded, text, contentType }: Answer): Sent | undefined {
  if (decoded.format === "json") return { contentType, body: JSON.stringify(shifted(JSON.parse(text) as Tree, "")) };
  const days = /\b(20\d\d)(-?\d\d-?\d\d)/g;
  const body = text.replaceAll(days, (_, year, rest) => `${Number(year) - 3}${rest}`);
  return body === text ? undefined : { contentType, body };
}

function shifted(value: Tree, path: string): Tree {
  if (Array.isArray(value)) return value.map((inner, at) => shifted(inner, `${path}[${at}]`));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        shiftedText(name),
        shifted(inner, path === "" ? name : `${path}.${name}`),
      ]),
    );
  if (typeof value === "string" && letterOf(value) === "d") return shiftedText(value);
  const time = timeOf(path, value);
  if (time === undefined || value === null) return value;
  const ms = time - YEARS_MS;
  const moved = Number(value) > 1e11 ? ms : Math.floor(ms / 1000);
  return typeof value === "string" ? String(moved) : moved;
}

const shiftedText = (text: string) => text.replace(/^(20\d\d)(?=-?\d\d-?\d\d)/, (year) => String(Number(year) - 3));
