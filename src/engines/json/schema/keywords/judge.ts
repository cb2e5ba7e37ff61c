/** Judges of keywords: how they go on to other schemas, and to parts of the instance. */
import { isObject, type Members } from "../../members.js";
import { pointerOf } from "../../pointer.js";
import { type Call, Evaluated, isSchema } from "../model/call.js";
import type { Schema } from "../model/registry.js";

export type Judge = (call: Call) => boolean;

export const step = (path: string, name: string | number): string => path + pointerOf([name]);

export const schemasOf = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

export const namedSchemas = (value: unknown): [string, Schema][] =>
  isObject(value) ? (Object.entries(value).filter(([, one]) => isSchema(one)) as [string, Schema][]) : [];

/** Judges a member or an element by a subschema. */
export function inside(call: Call, schema: Schema, key: string | number, schemaPath = call.schemaPath): boolean {
  const instance = (call.instance as Members)[key];
  return call.run.judge(schema, { ...call, instance, path: step(call.path, key), schemaPath }, new Evaluated());
}

/** Judges the same instance by a subschema. */
export const here = (call: Call, schema: Schema, schemaPath = call.schemaPath, seen: Evaluated = call.seen): boolean =>
  call.run.judge(schema, { ...call, schemaPath }, seen);
