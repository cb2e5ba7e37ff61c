/** Keywords on the members of objects. */
import { isObject } from "../../members.js";
import { type Call, Evaluated, isSchema } from "../model/call.js";
import { here, inside, type Judge, namedSchemas, step } from "./judge.js";
import { keywordOf, shown } from "./values.js";

export const properties: Judge = (call) => {
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

export const patternProperties: Judge = (call) => {
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

export const additionalProperties: Judge = (call) => {
  const { schema, run } = call;
  const named = isObject(schema.properties) ? schema.properties : {};
  const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
  return restOfMembers(
    call,
    (name) => !Object.hasOwn(named, name) && !patterns.some((source) => run.options.matches(source, name)),
  );
};

export const unevaluatedProperties: Judge = (call) => {
  const { names } = call.seen;
  const before = new Set(names);
  return restOfMembers(call, (name) => !before.has(name));
};

export const propertyNames: Judge = (call) => {
  const { instance, value, run } = call;
  if (!isObject(instance) || !isSchema(value)) return true;
  let valid = true;
  for (const name of Object.keys(instance))
    if (!run.judge(value, { ...call, instance: name, path: step(call.path, name) }, new Evaluated())) valid = false;
  return valid;
};

export const dependentSchemas: Judge = (call) => {
  const { instance, value } = call;
  if (!isObject(instance)) return true;
  let valid = true;
  for (const [name, schema] of namedSchemas(value))
    if (Object.hasOwn(instance, name) && !here(call, schema, step(call.schemaPath, name))) valid = false;
  return valid;
};

export const dependentRequired: Judge = (call) => {
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

export const dependencies: Judge = (call) => [dependentSchemas(call), dependentRequired(call)].every(Boolean);
