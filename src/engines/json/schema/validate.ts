/** Validates an instance against a JSON Schema. */
import { invalid } from "../../../errors.js";
import { isObject } from "../members.js";
import { Evaluation } from "./evaluate.js";
import { assertFollowable } from "./followed.js";
import { isFormat } from "./formats.js";
import { Evaluated, type RunOptions, type SchemaError } from "./model/call.js";
import { type Draft, draftNamed, uriOf } from "./model/drafts.js";
import { Registry, type Resource, type Schema } from "./model/registry.js";
import { patternMatcher } from "./patterns.js";

export interface ValidateTask {
  schema: Schema;
  instance: unknown;
  draft: Draft | "auto";
  /** Other schemas: with an id of their own, or beside one. */
  schemas: readonly unknown[];
  formats: "annotate" | "assert";
  maxErrors: number;
}

export interface SchemaVerdict {
  valid: boolean;
  draft: Draft;
  errors: SchemaError[];
  /** Different paths of the errors. */
  errorPaths: string[];
}

/** Where a schema without an id stands. */
const BASE = "schema://given/";

export async function validate({ instance, maxErrors, ...task }: ValidateTask): Promise<SchemaVerdict> {
  const { draft, errorsIn } = await validatorOf(task);
  const errors = errorsIn(instance);
  const paths = new Set(errors.map(({ path }) => path));
  return {
    valid: errors.length === 0,
    draft,
    errors: errors.slice(0, maxErrors),
    errorPaths: [...paths].slice(0, maxErrors),
  };
}

export interface Validator {
  draft: Draft;
  /** Throws INVALID_INPUT for a schema that no instance could be judged by: see `assertFollowable`. */
  assertFollowable(): void;
  /** Throws RESULT_TOO_LARGE for an instance that takes too many steps, and INVALID_INPUT for a reference to nowhere. */
  errorsIn(instance: unknown): SchemaError[];
}

/** A schema that is checked once, for any number of instances. Rejects with INVALID_INPUT for one that is invalid. */
export async function validatorOf(
  task: Omit<ValidateTask, "instance" | "maxErrors"> & Pick<RunOptions, "maxSteps">,
): Promise<Validator> {
  const { schema, formats, maxSteps } = task;
  const registry = await Registry.create();
  const draft = draftOf(task);
  // A metaschema among the others decides which keywords count, so that they come first.
  for (const [i, one] of task.schemas.entries()) addOther(registry, one, i, draft);
  const matches = await patternMatcher();
  assertSchema(schema, draft, { registry, matches });
  const resource = registry.add(schema, BASE, draft, "schema");
  const options: RunOptions = {
    registry,
    matches,
    ...(formats === "assert" ? { isFormat } : {}),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  };
  const assertAll = () => assertFollowable(registry);
  return { draft, assertFollowable: assertAll, errorsIn: (instance) => errorsOf(schema, instance, resource, options) };
}

/** Judges a schema for instances to come. Rejects with INVALID_INPUT for one that none could be judged by. */
export async function judgeSchema(task: Pick<ValidateTask, "schema" | "draft" | "formats">): Promise<{ draft: Draft }> {
  const { draft, assertFollowable } = await validatorOf({ ...task, schemas: [] });
  assertFollowable();
  return { draft };
}

function errorsOf(schema: Schema, instance: unknown, resource: Resource, options: RunOptions): SchemaError[] {
  const run = new Evaluation(options);
  const place = { instance, path: "", schemaPath: "", scope: { resource, outer: undefined } };
  return run.judge(schema, place, new Evaluated()) ? [] : run.errors;
}

function draftOf({ schema, draft }: Pick<ValidateTask, "schema" | "draft">): Draft {
  if (draft !== "auto") return draft;
  const named = isObject(schema) && typeof schema.$schema === "string" ? draftNamed(schema.$schema) : undefined;
  return named ?? "2020-12";
}

/** `{ id, schema }`, or a schema with an id. */
function addOther(registry: Registry, given: unknown, index: number, draft: Draft): void {
  const field = `schemas.${index}`;
  const isEntry =
    isObject(given) && typeof given.id === "string" && "schema" in given && Object.keys(given).length === 2;
  const schema = isEntry ? given.schema : given;
  if (!isObject(schema) && typeof schema !== "boolean") throw invalid(field, "must be a schema, or { id, schema }");
  const own = isObject(schema) ? (schema.$id ?? schema.id) : undefined;
  const id = isEntry ? given.id : own;
  if (typeof id !== "string" || !URL.canParse(id))
    throw invalid(field, "must have an id that is an absolute URI, or be { id, schema }");
  registry.add(schema, id, draft, field);
}

/** A schema is judged by its draft's metaschema, so that what it says can be relied on. */
function assertSchema(schema: Schema, draft: Draft, { registry, matches }: RunOptions): void {
  const { schema: metaschema, resource } = registry.resolve(uriOf(draft), { uri: BASE } as Resource);
  const [first] = errorsOf(metaschema, schema, resource, { registry, matches });
  if (first) throw invalid("schema", `is not a schema of ${draft}: ${first.path || "the whole"} ${first.message}`);
}
