/**
 * Judges a caller's value by a schema, in bounded work: it stops at the first flaws, and leaves to the origin what is beyond
 * its steps. The schemas come from foreign documents, so no pattern of theirs is run.
 */
import { isIP } from "node:net";
import type { JsonSchema } from "../capability/json-schema.js";

export interface Flaw {
  path: (string | number)[];
  message: string;
}

const MAX_STEPS = 300_000;
const MAX_FLAWS = 20;

interface Judging {
  steps: number;
}

/** Flaws, of which callers are told. */
interface Found {
  flaws: Flaw[];
  most: number;
}

export function flawsOf(value: unknown, schema: JsonSchema): Flaw[] {
  const found: Found = { flaws: [], most: MAX_FLAWS };
  judge(value, schema, { path: [], found, judging: { steps: MAX_STEPS } });
  return found.flaws;
}

interface At {
  path: (string | number)[];
  found: Found;
  judging: Judging;
}

function judge(value: unknown, schema: JsonSchema, at: At): void {
  const { found, judging, path } = at;
  // guard: gateway: an input is judged in bounded work | - --judging.steps < 0 || | gateway/openapi
  if (--judging.steps < 0 || found.flaws.length >= found.most) return;
  const flaw = value === undefined ? "is required" : (typeFlaw(value, schema) ?? choiceFlaw(value, schema, at));
  const own = flaw ?? boundFlaw(value, schema);
  if (own !== undefined) found.flaws.push({ path, message: own });
  else if (Array.isArray(value)) judgeItems(value, schema, at);
  else if (typeof value === "object" && value !== null) judgeMembers(value as Record<string, unknown>, schema, at);
}

function judgeItems(list: readonly unknown[], { items }: JsonSchema, at: At): void {
  if (!items) return;
  for (const [index, one] of list.entries()) {
    if (at.judging.steps < 0 || at.found.flaws.length >= at.found.most) return;
    judge(one, items, { ...at, path: [...at.path, index] });
  }
}

function judgeMembers(object: Record<string, unknown>, schema: JsonSchema, at: At): void {
  const { properties = {}, required = [], additionalProperties: others } = schema;
  const flaw = (name: string, message: string) => at.found.flaws.push({ path: [...at.path, name], message });
  for (const name of required) if (!Object.hasOwn(object, name)) flaw(name, "is required");
  for (const [name, one] of Object.entries(object)) {
    if (at.judging.steps < 0 || at.found.flaws.length >= at.found.most) return;
    const inner = Object.hasOwn(properties, name) ? properties[name] : others;
    if (inner === false) flaw(name, "is not a known parameter");
    else if (typeof inner === "object" && inner !== null)
      judge(one, inner as JsonSchema, { ...at, path: [...at.path, name] });
  }
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  null: (value) => value === null,
};

function typeFlaw(value: unknown, { type }: JsonSchema): string | undefined {
  const types = [type ?? []].flat();
  if (types.length === 0 || types.some((one) => TYPES[one]?.(value))) return undefined;
  return `must be ${types.join(" or ")}`;
}

/** How many values an error lists. */
const TOLD = 12;

function choiceFlaw(value: unknown, { enum: values, const: only, anyOf }: JsonSchema, at: At): string | undefined {
  const allowed = values ?? (only === undefined ? undefined : [only]);
  if (allowed && !allowed.some((one) => isSame(one, value))) {
    const told = allowed.slice(0, TOLD).map((one) => JSON.stringify(one));
    return `must be ${allowed.length > TOLD ? "one of the known values, such as" : "one of"} ${told.join(", ")}`;
  }
  const fits = (choice: JsonSchema) => {
    const found: Found = { flaws: [], most: 1 };
    judge(value, choice, { ...at, found });
    return found.flaws.length === 0;
  };
  return anyOf && anyOf.length > 0 && !anyOf.some(fits) ? "fits none of the forms that it may have" : undefined;
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === "object" && one !== null && JSON.stringify(one) === JSON.stringify(other));

function boundFlaw(value: unknown, schema: JsonSchema): string | undefined {
  if (typeof value === "number") return numberFlaw(value, schema);
  if (typeof value === "string") return textFlaw(value, schema);
  return Array.isArray(value) ? sizeFlaw(value.length, [schema.minItems, schema.maxItems], "entries") : undefined;
}

function numberFlaw(value: number, schema: JsonSchema): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (!Number.isFinite(value)) return "must be a number";
  if (typeof minimum === "number" && value < minimum) return `must be at least ${minimum}`;
  if (typeof maximum === "number" && value > maximum) return `must be at most ${maximum}`;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) return `must be above ${exclusiveMinimum}`;
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) return `must be below ${exclusiveMaximum}`;
  if (typeof multipleOf !== "number" || multipleOf <= 0) return undefined;
  const times = value / multipleOf;
  return Math.abs(times - Math.round(times)) > 1e-6 ? `must be a multiple of ${multipleOf}` : undefined;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

/** Formats whose check refuses nothing that an origin would take; the others are told only. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDay,
  uuid: (text) => UUID.test(text),
  ipv4: (text) => isIP(text) === 4,
  ipv6: (text) => isIP(text) === 6,
};

function textFlaw(text: string, { minLength, maxLength, format = "" }: JsonSchema): string | undefined {
  // Characters beyond the first 65,536 count as two in JavaScript, so a text that seems too long is counted.
  const most = typeof maxLength === "number" && text.length > maxLength ? maxLength : undefined;
  const size = most === undefined || text.length > 2 * most ? text.length : [...text].length;
  const flaw = sizeFlaw(size, [minLength, most], "characters");
  if (flaw !== undefined) return flaw;
  const is = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return is && !is(text) ? `must have the format ${format}` : undefined;
}

function sizeFlaw(size: number, [least, most]: readonly unknown[], of: string): string | undefined {
  if (typeof least === "number" && size < least) return `must have at least ${least} ${of}`;
  return typeof most === "number" && size > most ? `must have at most ${most} ${of}` : undefined;
}
