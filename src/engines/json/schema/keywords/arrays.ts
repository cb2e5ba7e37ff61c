/** Keywords on the elements of arrays. */
import { isObject } from "../../members.js";
import { type Call, Evaluated, isSchema } from "../model/call.js";
import { isAtLeast } from "../model/drafts.js";
import { inside, type Judge, schemasOf, step } from "./judge.js";

export const uniqueItems: Judge = (call) => {
  const { instance, value, run } = call;
  if (value !== true || !Array.isArray(instance)) return true;
  const seen = new Map<string, number>();
  for (const [index, one] of instance.entries()) {
    const text = canonical(one);
    const before = seen.get(text);
    if (before !== undefined)
      return run.fail(call, "uniqueItems", `must have no equal elements: ${before} and ${index} are`);
    seen.set(text, index);
  }
  return true;
};

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value === 0 ? 0 : value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

/** Judges elements from `start` by the keyword's schema. */
function elementsFrom(call: Call, start: number, isLeft: (index: number) => boolean = () => true): boolean {
  const { instance, value, seen } = call;
  if (!Array.isArray(instance) || !isSchema(value)) return true;
  let valid = true;
  for (let index = start; index < instance.length; index++) {
    if (!isLeft(index)) continue;
    seen.addIndex(index);
    if (!inside(call, value, index)) valid = false;
  }
  return valid;
}

/** Judges the first elements by a list of schemas. */
export function elementsByPlace(call: Call): boolean {
  const { instance, value, seen } = call;
  if (!Array.isArray(instance)) return true;
  let valid = true;
  for (const [index, schema] of schemasOf(value).entries()) {
    if (index >= instance.length) break;
    seen.addIndex(index);
    if (!inside(call, schema, index, step(call.schemaPath, index))) valid = false;
  }
  return valid;
}

export const items: Judge = (call) => {
  if (Array.isArray(call.value)) return elementsByPlace(call);
  const { prefixItems } = call.schema;
  const start = call.scope.resource.draft === "2020-12" && Array.isArray(prefixItems) ? prefixItems.length : 0;
  return elementsFrom(call, start);
};

export const additionalItems: Judge = (call) =>
  Array.isArray(call.schema.items) ? elementsFrom(call, call.schema.items.length) : true;

export const unevaluatedItems: Judge = (call) => {
  const before = new Set(call.seen.indexes);
  return elementsFrom(call, 0, (index) => !before.has(index));
};

/** How many elements must match, from minContains and maxContains where the draft has them. */
function containsBounds({ schema, scope }: Call): [least: number, most: number] {
  const { draft, ignores } = scope.resource;
  const { minContains, maxContains } = isAtLeast(draft, "2019-09") && !ignores.has("minContains") ? schema : {};
  return [
    typeof minContains === "number" ? minContains : 1,
    typeof maxContains === "number" ? maxContains : Number.POSITIVE_INFINITY,
  ];
}

export const contains: Judge = (call) => {
  const { instance, value, seen, run, scope } = call;
  if (!Array.isArray(instance) || !isSchema(value)) return true;
  const [least, most] = containsBounds(call);
  let found = 0;
  for (const [index, one] of instance.entries()) {
    if (!run.isValid(value, { ...call, instance: one, path: step(call.path, index) }, new Evaluated())) continue;
    found++;
    if (scope.resource.draft === "2020-12") seen.addIndex(index);
  }
  if (found < least) return run.fail(call, "contains", `must have at least ${least} such elements, and has ${found}`);
  return found <= most || run.fail(call, "maxContains", `must have at most ${most} such elements, and has ${found}`);
};
