/** Keywords that combine schemas, or refer to others. */
import { isObject } from "../../members.js";
import { type Call, Evaluated, isSchema, type Scope } from "../model/call.js";
import type { Resource, Schema } from "../model/registry.js";
import { here, type Judge, schemasOf, step } from "./judge.js";

export const allOf: Judge = (call) =>
  schemasOf(call.value).reduce<boolean>(
    (valid, schema, i) => here(call, schema, step(call.schemaPath, i)) && valid,
    true,
  );

/** Every schema that holds adds to what was seen, so all are tried. */
export const anyOf: Judge = (call) => {
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

export const oneOf: Judge = (call) => {
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

export const not: Judge = (call) => {
  const { value, run } = call;
  if (!isSchema(value) || !run.isValid(value, call, new Evaluated())) return true;
  return run.fail(call, "not", "must not match the schema of not");
};

export const ifThenElse: Judge = (call) => {
  const { value, schema, run, seen } = call;
  if (!isSchema(value)) return true;
  const own = new Evaluated();
  const branch = run.isValid(value, call, own) ? "then" : "else";
  seen.addAll(own);
  const next = Object.hasOwn(schema, branch) ? schema[branch] : true;
  return isSchema(next) ? here(call, next, call.schemaPath.replace(/if$/, branch)) : true;
};

const follow = (call: Call, schema: Schema, resource: Resource): boolean =>
  call.run.judge(schema, { ...call, scope: { resource, outer: call.scope } }, call.seen);

export const ref: Judge = (call) => {
  if (typeof call.value !== "string") return true;
  const { schema, resource } = call.run.options.registry.resolve(call.value, call.scope.resource);
  return follow(call, schema, resource);
};

/** The outermost resource that has the same dynamic anchor, if the reference leads to one at all. */
export const dynamicRef: Judge = (call) => {
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

export const recursiveRef: Judge = (call) => {
  if (typeof call.value !== "string") return true;
  const target = call.run.options.registry.resolve(call.value, call.scope.resource);
  if (!isRecursive(target.resource)) return follow(call, target.schema, target.resource);
  let { resource } = target;
  for (let scope: Scope | undefined = call.scope; scope; scope = scope.outer)
    if (isRecursive(scope.resource)) resource = scope.resource;
  return follow(call, resource.root, resource);
};
