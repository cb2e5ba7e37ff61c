/** Keywords on values alone: types, constants, numbers, lengths, patterns and formats. */
import { Decimal } from "../../../../lib/decimal.js";
import { isEqual, isObject, type Members } from "../../members.js";
import type { Judge } from "./judge.js";

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "object" ? "object" : typeof value;

const isOfType = (value: unknown, type: unknown): boolean =>
  typeOf(value) === type || (type === "integer" && typeof value === "number" && Number.isInteger(value));

/** A keyword of numbers, texts, lists or objects that says nothing about other instances. */
export const ofNumbers =
  (fails: (instance: number, limit: number, schema: Members) => boolean, message: string): Judge =>
  (call) => {
    const { instance, value, schema, run } = call;
    if (typeof instance !== "number" || typeof value !== "number" || !fails(instance, value, schema)) return true;
    return run.fail(call, keywordOf(call), `must be ${message} ${value}`);
  };

export const keywordOf = ({ schemaPath }: { schemaPath: string }): string =>
  schemaPath.slice(schemaPath.lastIndexOf("/") + 1);

export const sizeKeyword =
  (sizeOf: (instance: unknown) => number | undefined, isMax: boolean, what: string): Judge =>
  (call) => {
    const { instance, value, run } = call;
    const size = sizeOf(instance);
    if (size === undefined || typeof value !== "number" || (isMax ? size <= value : size >= value)) return true;
    return run.fail(
      call,
      keywordOf(call),
      `must have at ${isMax ? "most" : "least"} ${value} ${what}, and has ${size}`,
    );
  };

export const charactersOf = (value: unknown) => (typeof value === "string" ? [...value].length : undefined);

export const elementsOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined);

export const membersOf = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);

export function isMultiple(instance: number, divisor: number): boolean {
  const [a, b] = [Decimal.parse(String(instance)), Decimal.parse(String(divisor))];
  if (!a || !b || b.isZero) return true;
  const scale = Math.max(a.scale, b.scale);
  return a.round(scale).units % b.round(scale).units === 0n;
}

export const oneOfTypes: Judge = (call) => {
  const types = Array.isArray(call.value) ? call.value : [call.value];
  if (types.some((type) => isOfType(call.instance, type))) return true;
  return call.run.fail(call, "type", `must be ${types.join(" or ")}, and is ${typeOf(call.instance)}`);
};

export const oneOfValues: Judge = (call) => {
  if (!Array.isArray(call.value) || call.value.some((one) => isEqual(one, call.instance))) return true;
  return call.run.fail(call, "enum", `must be one of ${shown(call.value)}`);
};

export const sameValue: Judge = (call) =>
  isEqual(call.value, call.instance) || call.run.fail(call, "const", `must be ${shown(call.value)}`);

export function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

export const pattern: Judge = (call) => {
  const { instance, value, run } = call;
  if (typeof instance !== "string" || typeof value !== "string" || run.options.matches(value, instance)) return true;
  return run.fail(call, "pattern", `must match the pattern ${value.slice(0, 200)}`);
};

export const format: Judge = (call) => {
  const { instance, value, run } = call;
  const { isFormat } = run.options;
  if (!isFormat || typeof instance !== "string" || typeof value !== "string" || isFormat(value, instance)) return true;
  return run.fail(call, "format", `must be of the format ${value}`);
};

export const required: Judge = (call) => {
  const { instance, value, run } = call;
  if (!isObject(instance) || !Array.isArray(value)) return true;
  let valid = true;
  for (const name of value)
    if (!Object.hasOwn(instance, name)) valid = run.fail(call, "required", `must have the member ${shown(name)}`);
  return valid;
};
