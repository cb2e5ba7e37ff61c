/** The keywords of JSON Schema in the order in which they are evaluated: the unevaluated ones look at the others. */
import { Decimal } from "../../../lib/decimal.js";
import { isEqual, isObject, type Members } from "../members.js";
import { pointerOf } from "../pointer.js";
import { type Call, Evaluated, isSchema, type Scope } from "./call.js";
import { DRAFTS, type Draft, isAtLeast } from "./drafts.js";
import type { Resource, Schema } from "./registry.js";

type Judge = (call: Call) => boolean;

const since = (draft: Draft): Draft[] => DRAFTS.filter((one) => isAtLeast(one, draft));
const ALL = since("draft-04");
const UNTIL_2019: Draft[] = ["draft-04", "draft-06", "draft-07", "2019-09"];

const step = (path: string, name: string | number): string => path + pointerOf([name]);
const schemasOf = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);
const namedSchemas = (value: unknown): [string, Schema][] =>
  isObject(value) ? (Object.entries(value).filter(([, one]) => isSchema(one)) as [string, Schema][]) : [];

/** Judges a member or an element by a subschema. */
function inside(call: Call, schema: Schema, key: string | number, schemaPath = call.schemaPath): boolean {
  const instance = (call.instance as Members)[key];
  return call.run.judge(schema, { ...call, instance, path: step(call.path, key), schemaPath }, new Evaluated());
}

/** Judges the same instance by a subschema. */
const here = (call: Call, schema: Schema, schemaPath = call.schemaPath, seen: Evaluated = call.seen): boolean =>
  call.run.judge(schema, { ...call, schemaPath }, seen);

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "object" ? "object" : typeof value;

const isOfType = (value: unknown, type: unknown): boolean =>
  typeOf(value) === type || (type === "integer" && typeof value === "number" && Number.isInteger(value));

/** A keyword of numbers, texts, lists or objects that says nothing about other instances. */
const ofNumbers =
  (fails: (instance: number, limit: number, schema: Members) => boolean, message: string): Judge =>
  (call) => {
    const { instance, value, schema, run } = call;
    if (typeof instance !== "number" || typeof value !== "number" || !fails(instance, value, schema)) return true;
    return run.fail(call, keywordOf(call), `must be ${message} ${value}`);
  };

const keywordOf = ({ schemaPath }: { schemaPath: string }): string => schemaPath.slice(schemaPath.lastIndexOf("/") + 1);

const sizeKeyword =
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

const charactersOf = (value: unknown) => (typeof value === "string" ? [...value].length : undefined);
const elementsOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const membersOf = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);

function isMultiple(instance: number, divisor: number): boolean {
  const [a, b] = [Decimal.parse(String(instance)), Decimal.parse(String(divisor))];
  if (!a || !b || b.isZero) return true;
  const scale = Math.max(a.scale, b.scale);
  return a.round(scale).units % b.round(scale).units === 0n;
}

const oneOfTypes: Judge = (call) => {
  const types = Array.isArray(call.value) ? call.value : [call.value];
  if (types.some((type) => isOfType(call.instance, type))) return true;
  return call.run.fail(call, "type", `must be ${types.join(" or ")}, and is ${typeOf(call.instance)}`);
};

const oneOfValues: Judge = (call) => {
  if (!Array.isArray(call.value) || call.value.some((one) => isEqual(one, call.instance))) return true;
  return call.run.fail(call, "enum", `must be one of ${shown(call.value)}`);
};

const sameValue: Judge = (call) =>
  isEqual(call.value, call.instance) || call.run.fail(call, "const", `must be ${shown(call.value)}`);

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const pattern: Judge = (call) => {
  const { instance, value, run } = call;
  if (typeof instance !== "string" || typeof value !== "string" || run.options.matches(value, instance)) return true;
  return run.fail(call, "pattern", `must match the pattern ${value.slice(0, 200)}`);
};

const format: Judge = (call) => {
  const { instance, value, run } = call;
  const { isFormat } = run.options;
  if (!isFormat || typeof instance !== "string" || typeof value !== "string" || isFormat(value, instance)) return true;
  return run.fail(call, "format", `must be of the format ${value}`);
};

const required: Judge = (call) => {
  const { instance, value, run } = call;
  if (!isObject(instance) || !Array.isArray(value)) return true;
  let valid = true;
  for (const name of value)
    if (!Object.hasOwn(instance, name)) valid = run.fail(call, "required", `must have the member ${shown(name)}`);
  return valid;
};

const uniqueItems: Judge = (call) => {
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

const properties: Judge = (call) => {
  const { instance, value, seen } = call;
  if (!isObject(instance)) return true;
  let valid = true;
  for (const [name, schema] of namedSchemas(value)) {
    if (!Object.hasOwn(instance, name)) continue;
    seen.addName(name);
    if (!inside(call, schema, name, step(call.schemaPath, name))) valid = false;
  }
  return valid;
};

const patternProperties: Judge = (call) => {
  const { instance, value, seen, run } = call;
  if (!isObject(instance)) return true;
  let valid = true;
  for (const [source, schema] of namedSchemas(value))
    for (const name of Object.keys(instance)) {
      if (!run.options.matches(source, name)) continue;
      seen.addName(name);
      if (!inside(call, schema, name, step(call.schemaPath, source))) valid = false;
    }
  return valid;
};

/** Judges the members that `isLeft` by the keyword's schema. */
function restOfMembers(call: Call, isLeft: (name: string) => boolean): boolean {
  const { instance, value, seen, run } = call;
  if (!isObject(instance) || !isSchema(value)) return true;
  let valid = true;
  for (const name of Object.keys(instance).filter(isLeft)) {
    seen.addName(name);
    if (value === false)
      valid = run.fail({ ...call, path: step(call.path, name) }, keywordOf(call), "is not a known member");
    else if (!inside(call, value, name)) valid = false;
  }
  return valid;
}

const additionalProperties: Judge = (call) => {
  const { schema, run } = call;
  const named = isObject(schema.properties) ? schema.properties : {};
  const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
  return restOfMembers(
    call,
    (name) => !Object.hasOwn(named, name) && !patterns.some((source) => run.options.matches(source, name)),
  );
};

const unevaluatedProperties: Judge = (call) => {
  const { names } = call.seen;
  const before = new Set(names);
  return restOfMembers(call, (name) => !before.has(name));
};

const propertyNames: Judge = (call) => {
  const { instance, value, run } = call;
  if (!isObject(instance) || !isSchema(value)) return true;
  let valid = true;
  for (const name of Object.keys(instance))
    if (!run.judge(value, { ...call, instance: name, path: step(call.path, name) }, new Evaluated())) valid = false;
  return valid;
};

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
function elementsByPlace(call: Call): boolean {
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

const items: Judge = (call) => {
  if (Array.isArray(call.value)) return elementsByPlace(call);
  const { prefixItems } = call.schema;
  const start = call.scope.resource.draft === "2020-12" && Array.isArray(prefixItems) ? prefixItems.length : 0;
  return elementsFrom(call, start);
};

const additionalItems: Judge = (call) =>
  Array.isArray(call.schema.items) ? elementsFrom(call, call.schema.items.length) : true;

const unevaluatedItems: Judge = (call) => {
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

const contains: Judge = (call) => {
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

const allOf: Judge = (call) =>
  schemasOf(call.value).reduce<boolean>(
    (valid, schema, i) => here(call, schema, step(call.schemaPath, i)) && valid,
    true,
  );

/** Every schema that holds adds to what was seen, so all are tried. */
const anyOf: Judge = (call) => {
  const { run, seen } = call;
  const before = run.errors.length;
  const schemas = schemasOf(call.value);
  let isOne = schemas.length === 0;
  for (const [i, schema] of schemas.entries()) {
    const own = new Evaluated();
    if (!here(call, schema, step(call.schemaPath, i), own)) continue;
    isOne = true;
    seen.addAll(own);
  }
  if (!isOne) return run.fail(call, "anyOf", "must match one of the schemas of anyOf");
  run.errors.length = before;
  return true;
};

const oneOf: Judge = (call) => {
  const { run, seen } = call;
  const before = run.errors.length;
  const matching: Evaluated[] = [];
  for (const [i, schema] of schemasOf(call.value).entries()) {
    const own = new Evaluated();
    if (here(call, schema, step(call.schemaPath, i), own)) matching.push(own);
  }
  const [first, second] = matching;
  if (first) run.errors.length = before;
  if (!first || second)
    return run.fail(call, "oneOf", `must match exactly one of the schemas of oneOf, and matches ${matching.length}`);
  seen.addAll(first);
  return true;
};

const not: Judge = (call) => {
  const { value, run } = call;
  if (!isSchema(value) || !run.isValid(value, call, new Evaluated())) return true;
  return run.fail(call, "not", "must not match the schema of not");
};

const ifThenElse: Judge = (call) => {
  const { value, schema, run, seen } = call;
  if (!isSchema(value)) return true;
  const own = new Evaluated();
  const branch = run.isValid(value, call, own) ? "then" : "else";
  seen.addAll(own);
  const next = Object.hasOwn(schema, branch) ? schema[branch] : true;
  return isSchema(next) ? here(call, next, call.schemaPath.replace(/if$/, branch)) : true;
};

const dependentSchemas: Judge = (call) => {
  const { instance, value } = call;
  if (!isObject(instance)) return true;
  let valid = true;
  for (const [name, schema] of namedSchemas(value))
    if (Object.hasOwn(instance, name) && !here(call, schema, step(call.schemaPath, name))) valid = false;
  return valid;
};

const dependentRequired: Judge = (call) => {
  const { instance, value, run } = call;
  if (!isObject(instance) || !isObject(value)) return true;
  let valid = true;
  for (const [name, needed] of Object.entries(value)) {
    if (!Array.isArray(needed) || !Object.hasOwn(instance, name)) continue;
    for (const other of needed)
      if (!Object.hasOwn(instance, other))
        valid = run.fail(call, keywordOf(call), `must have the member ${shown(other)} beside ${shown(name)}`);
  }
  return valid;
};

const dependencies: Judge = (call) => [dependentSchemas(call), dependentRequired(call)].every(Boolean);

const follow = (call: Call, schema: Schema, resource: Resource): boolean =>
  call.run.judge(schema, { ...call, scope: { resource, outer: call.scope } }, call.seen);

const ref: Judge = (call) => {
  if (typeof call.value !== "string") return true;
  const { schema, resource } = call.run.options.registry.resolve(call.value, call.scope.resource);
  return follow(call, schema, resource);
};

/** The outermost resource that has the same dynamic anchor, if the reference leads to one at all. */
const dynamicRef: Judge = (call) => {
  if (typeof call.value !== "string") return true;
  const target = call.run.options.registry.resolve(call.value, call.scope.resource);
  const { anchor } = target;
  if (anchor === "" || !target.resource.dynamicAnchors.has(anchor)) return follow(call, target.schema, target.resource);
  let { schema, resource } = target;
  for (let scope: Scope | undefined = call.scope; scope; scope = scope.outer) {
    const dynamic = scope.resource.dynamicAnchors.get(anchor);
    if (dynamic === undefined) continue;
    schema = dynamic;
    resource = scope.resource;
  }
  return follow(call, schema, resource);
};

const isRecursive = ({ root }: Resource): boolean => isObject(root) && root.$recursiveAnchor === true;

const recursiveRef: Judge = (call) => {
  if (typeof call.value !== "string") return true;
  const target = call.run.options.registry.resolve(call.value, call.scope.resource);
  if (!isRecursive(target.resource)) return follow(call, target.schema, target.resource);
  let { resource } = target;
  for (let scope: Scope | undefined = call.scope; scope; scope = scope.outer)
    if (isRecursive(scope.resource)) resource = scope.resource;
  return follow(call, resource.root, resource);
};

const KEYWORDS: readonly [keyword: string, drafts: readonly Draft[], judge: Judge][] = [
  ["$ref", ALL, ref],
  ["$recursiveRef", ["2019-09"], recursiveRef],
  ["$dynamicRef", ["2020-12"], dynamicRef],
  ["type", ALL, oneOfTypes],
  ["enum", ALL, oneOfValues],
  ["const", since("draft-06"), sameValue],
  ["multipleOf", ALL, ofNumbers((a, b) => !isMultiple(a, b), "a multiple of")],
  ["maximum", ["draft-04"], ofNumbers((a, b, s) => (s.exclusiveMaximum === true ? a >= b : a > b), "at most")],
  ["maximum", since("draft-06"), ofNumbers((a, b) => a > b, "at most")],
  ["exclusiveMaximum", since("draft-06"), ofNumbers((a, b) => a >= b, "less than")],
  ["minimum", ["draft-04"], ofNumbers((a, b, s) => (s.exclusiveMinimum === true ? a <= b : a < b), "at least")],
  ["minimum", since("draft-06"), ofNumbers((a, b) => a < b, "at least")],
  ["exclusiveMinimum", since("draft-06"), ofNumbers((a, b) => a <= b, "more than")],
  ["maxLength", ALL, sizeKeyword(charactersOf, true, "characters")],
  ["minLength", ALL, sizeKeyword(charactersOf, false, "characters")],
  ["pattern", ALL, pattern],
  ["format", ALL, format],
  ["maxItems", ALL, sizeKeyword(elementsOf, true, "elements")],
  ["minItems", ALL, sizeKeyword(elementsOf, false, "elements")],
  ["uniqueItems", ALL, uniqueItems],
  ["maxProperties", ALL, sizeKeyword(membersOf, true, "members")],
  ["minProperties", ALL, sizeKeyword(membersOf, false, "members")],
  ["required", ALL, required],
  ["dependentRequired", since("2019-09"), dependentRequired],
  ["allOf", ALL, allOf],
  ["anyOf", ALL, anyOf],
  ["oneOf", ALL, oneOf],
  ["not", ALL, not],
  ["if", since("draft-07"), ifThenElse],
  ["dependentSchemas", since("2019-09"), dependentSchemas],
  ["dependencies", ALL, dependencies],
  ["prefixItems", ["2020-12"], elementsByPlace],
  ["items", UNTIL_2019, items],
  ["items", ["2020-12"], (call) => (Array.isArray(call.value) ? true : items(call))],
  ["additionalItems", UNTIL_2019, additionalItems],
  ["contains", since("draft-06"), contains],
  ["properties", ALL, properties],
  ["patternProperties", ALL, patternProperties],
  ["additionalProperties", ALL, additionalProperties],
  ["propertyNames", since("draft-06"), propertyNames],
  ["unevaluatedItems", since("2019-09"), unevaluatedItems],
  ["unevaluatedProperties", since("2019-09"), unevaluatedProperties],
];

export type Judged = [keyword: string, value: unknown, judge: Judge];

/** The keywords of a schema that count. Until 2019-09 nothing counts beside a $ref. */
export function keywordsOf(schema: Members, { draft, ignores }: Resource): Judged[] {
  const isAlone = typeof schema.$ref === "string" && !isAtLeast(draft, "2019-09");
  return KEYWORDS.filter(
    ([keyword, drafts]) =>
      Object.hasOwn(schema, keyword) &&
      drafts.includes(draft) &&
      !ignores.has(keyword) &&
      (!isAlone || keyword === "$ref"),
  ).map(([keyword, , judge]) => [keyword, schema[keyword], judge]);
}
