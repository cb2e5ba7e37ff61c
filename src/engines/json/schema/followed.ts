/** Follows every reference of a schema before an instance is there: to nowhere, without end, or by too many ways. */
import { invalid } from "../../../errors.js";
import type { Members } from "../members.js";
import { isSchema } from "./model/call.js";
import { isAtLeast, subschemasOf } from "./model/drafts.js";
import type { Registry, Resource, Target } from "./model/registry.js";

/** Schemas that one instance is judged by at most, counted once a way. Without references it is the number of them all. */
const MAX_WAYS = 10_000;

/** Keywords that judge the same instance as the schema in which they stand. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"];
const REFERENCES = ["$ref", "$recursiveRef", "$dynamicRef"];

/** Throws INVALID_INPUT for a schema that an instance could not be judged by. Linear in its size. */
export function assertFollowable(registry: Registry): void {
  const ended = new Set<Members>();
  const ways = new Map<Members, number>();
  for (const [schema, resource] of registry.given()) {
    assertEnds({ schema, resource }, { registry, ended, open: new Set() });
    if (waysOf({ schema, resource }, registry, ways) > MAX_WAYS)
      throw invalid("schema", `has too many combinations: more than ${MAX_WAYS} by its references`);
  }
}

interface Walk {
  registry: Registry;
  ended: Set<Members>;
  open: Set<Members>;
}

function assertEnds({ schema, resource }: Target, walk: Walk): void {
  const { registry, ended, open } = walk;
  if (typeof schema === "boolean" || ended.has(schema)) return;
  if (open.has(schema)) throw invalid("schema", "refers to itself without end");
  open.add(schema);
  const own = registry.resourceOf(schema, resource);
  for (const next of [...referred(schema, own, registry), ...within(inPlace(schema), own)]) assertEnds(next, walk);
  open.delete(schema);
  ended.add(schema);
}

/** A schema that is met within itself counts as one: how often it is used depends on the instance. */
function waysOf({ schema, resource }: Target, registry: Registry, known: Map<Members, number>): number {
  if (typeof schema === "boolean") return 1;
  const before = known.get(schema);
  if (before !== undefined) return before;
  known.set(schema, 1);
  const own = registry.resourceOf(schema, resource);
  const parts = within(isAlone(schema, own) ? {} : schema, own);
  let ways = 1;
  for (const next of [...referred(schema, own, registry), ...parts]) ways += waysOf(next, registry, known);
  ways = Math.min(ways, MAX_WAYS + 1);
  known.set(schema, ways);
  return ways;
}

/** Until 2019-09 nothing counts beside a $ref. */
const isAlone = (schema: Members, { draft }: Resource): boolean =>
  typeof schema.$ref === "string" && !isAtLeast(draft, "2019-09");

const inPlace = (schema: Members): Members =>
  Object.fromEntries(IN_PLACE.filter((name) => Object.hasOwn(schema, name)).map((name) => [name, schema[name]]));

const within = (schema: Members, resource: Resource): Target[] =>
  subschemasOf(schema, resource.draft)
    .filter(isSchema)
    .map((part) => ({ schema: part, resource }));

function referred(schema: Members, resource: Resource, registry: Registry): Target[] {
  return REFERENCES.map((name) => schema[name])
    .filter((to) => typeof to === "string")
    .map((to) => registry.resolve(to, resource));
}
