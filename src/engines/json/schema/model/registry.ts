/** Schemas by address: resources, anchors, and what a reference leads to. Nothing is ever fetched. */
import { invalid } from "../../../../errors.js";
import { lazy } from "../../../../lib/lazy.js";
import { isObject, type Members } from "../../members.js";
import { indexOf, readPointer } from "../../pointer.js";
import { type Draft, draftNamed, isAtLeast, subschemasOf } from "./drafts.js";

export type Schema = boolean | Members;

/** A schema with an address of its own. */
export interface Resource {
  uri: string;
  root: Schema;
  draft: Draft;
  /** The keywords of a metaschema's vocabularies that do not count; empty for the drafts themselves. */
  ignores: ReadonlySet<string>;
  anchors: Map<string, Schema>;
  dynamicAnchors: Map<string, Schema>;
}

export interface Target {
  schema: Schema;
  resource: Resource;
}

const NO_KEYWORDS: ReadonlySet<string> = new Set();
const VALIDATION = [
  ...["type", "const", "enum", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength"],
  ...["minLength", "pattern", "maxItems", "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties"],
  ...["minProperties", "required", "dependentRequired"],
];

const metaschemas = lazy(async () => {
  const { METASCHEMAS } = await import("../metaschemas.js");
  return METASCHEMAS.map((text) => JSON.parse(text) as Members);
});

export class Registry {
  readonly #resources = new Map<string, Resource>();
  readonly #resolved = new Map<string, Target & { anchor: string }>();
  readonly #resourceOf = new Map<Members, Resource>();
  #own = 0;

  /** A registry with the metaschemas of all drafts. */
  static async create(): Promise<Registry> {
    const registry = new Registry();
    for (const schema of await metaschemas()) {
      const uri = String(schema.$id ?? schema.id);
      registry.add(schema, uri, draftNamed(String(schema.$schema)) ?? "2020-12", "schema");
    }
    registry.#own = registry.#resourceOf.size;
    return registry;
  }

  /** Adds a schema with all its parts, and returns its own resource. */
  add(schema: Schema, uri: string, draft: Draft, field: string): Resource {
    return this.#begin(schema, withoutFragment(uri), draft, field);
  }

  /** All that was added to the metaschemas, with what is added meanwhile. */
  *given(): Iterable<[schema: Members, resource: Resource]> {
    let at = 0;
    for (const entry of this.#resourceOf) if (at++ >= this.#own) yield entry;
  }

  has(uri: string): boolean {
    return this.#resources.has(withoutFragment(uri));
  }

  /** The resource that a subschema belongs to. */
  resourceOf(schema: Members, within: Resource): Resource {
    return this.#resourceOf.get(schema) ?? within;
  }

  /** The schema that a reference leads to. Throws INVALID_INPUT if it is not here. */
  resolve(reference: string, from: Resource): Target & { anchor: string } {
    const key = `${from.uri} ${reference}`;
    const known = this.#resolved.get(key);
    if (known) return known;
    const target = this.#resolveNew(reference, from);
    this.#resolved.set(key, target);
    return target;
  }

  #resolveNew(reference: string, from: Resource): Target & { anchor: string } {
    const uri = join(reference, from.uri);
    const resource = uri && this.#resources.get(withoutFragment(uri));
    const unknown = () =>
      invalid(
        "schema",
        `refers to ${reference.slice(0, 200)}, which is not here: add it to schemas; nothing is fetched`,
      );
    if (!uri || !resource) throw unknown();
    const fragment = decoded(uri.slice(withoutFragment(uri).length + 1));
    if (fragment === "") return { schema: resource.root, resource, anchor: "" };
    if (!fragment.startsWith("/")) {
      const schema = resource.anchors.get(fragment);
      if (schema === undefined) throw unknown();
      return { schema, resource, anchor: fragment };
    }
    const target = this.#walk(resource, readPointer(fragment) ?? []);
    if (!target) throw unknown();
    return { ...target, anchor: "" };
  }

  #walk(start: Resource, names: readonly string[]): Target | undefined {
    let value: unknown = start.root;
    let resource = start;
    for (const name of names) {
      if (Array.isArray(value)) value = value[indexOf(name) ?? -1];
      else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
      if (isObject(value)) resource = this.#resourceOf.get(value) ?? resource;
    }
    if (typeof value === "boolean") return { schema: value, resource };
    if (!isObject(value)) return undefined;
    // A place that no keyword of the draft has: its parts are added now.
    if (!this.#resourceOf.has(value)) this.#index(value, resource, "schema");
    return { schema: value, resource: this.#resourceOf.get(value) ?? resource };
  }

  #begin(root: Schema, uri: string, inherited: Draft, field: string): Resource {
    const [draft, ignores] = this.#draftOf(root, inherited);
    const resource: Resource = { uri, root, draft, ignores, anchors: new Map(), dynamicAnchors: new Map() };
    const id = isObject(root) ? idOf(root, draft) : undefined;
    if (id !== undefined && !id.startsWith("#")) resource.uri = withoutFragment(join(id, uri) ?? uri);
    const before = this.#resources.get(resource.uri);
    if (before && before.root !== root && resource.uri !== uri && !isKnownDraft(resource.uri))
      throw invalid(field, `has two schemas with the id ${resource.uri}`);
    this.#resources.set(resource.uri, resource);
    if (!this.#resources.has(uri)) this.#resources.set(uri, resource);
    if (isObject(root)) this.#indexAt(root, resource, field);
    return resource;
  }

  /** As `$schema` says: a draft, or a metaschema that leaves vocabularies out. */
  #draftOf(root: Schema, inherited: Draft): [draft: Draft, ignores: ReadonlySet<string>] {
    const named = isObject(root) && typeof root.$schema === "string" ? root.$schema : undefined;
    if (named === undefined) return [inherited, NO_KEYWORDS];
    const own = draftNamed(named);
    const meta = own ? undefined : this.#resources.get(withoutFragment(named));
    return [own ?? meta?.draft ?? inherited, meta && isObject(meta.root) ? ignoredBy(meta.root) : NO_KEYWORDS];
  }

  /** Adds a subschema, which may begin a resource of its own. */
  #index(schema: unknown, within: Resource, field: string): void {
    if (!isObject(schema) || this.#resourceOf.has(schema)) return;
    const id = idOf(schema, within.draft);
    if (id === undefined || id.startsWith("#")) this.#indexAt(schema, within, field);
    else this.#begin(schema, within.uri, within.draft, field);
  }

  #indexAt(schema: Members, resource: Resource, field: string): void {
    this.#resourceOf.set(schema, resource);
    for (const [anchor, isDynamic] of anchorsOf(schema, resource.draft)) {
      resource.anchors.set(anchor, schema);
      if (isDynamic) resource.dynamicAnchors.set(anchor, schema);
    }
    for (const subschema of subschemasOf(schema, resource.draft)) this.#index(subschema, resource, field);
  }
}

const isKnownDraft = (uri: string): boolean => draftNamed(uri) !== undefined;

/** Until 2019-09, what stands beside a $ref is ignored. */
function idOf(schema: Members, draft: Draft): string | undefined {
  const id = schema[draft === "draft-04" ? "id" : "$id"];
  if (typeof id !== "string") return undefined;
  return !isAtLeast(draft, "2019-09") && typeof schema.$ref === "string" ? undefined : id;
}

function anchorsOf(schema: Members, draft: Draft): [anchor: string, isDynamic: boolean][] {
  if (!isAtLeast(draft, "2019-09")) {
    const id = idOf(schema, draft);
    return id?.startsWith("#") && id.length > 1 ? [[id.slice(1), false]] : [];
  }
  const { $anchor, $dynamicAnchor } = schema;
  return [
    ...(typeof $anchor === "string" ? [[$anchor, false] as [string, boolean]] : []),
    ...(typeof $dynamicAnchor === "string" && draft === "2020-12" ? [[$dynamicAnchor, true] as [string, boolean]] : []),
  ];
}

function ignoredBy(metaschema: Members): ReadonlySet<string> {
  const vocabularies = isObject(metaschema.$vocabulary) ? Object.keys(metaschema.$vocabulary) : undefined;
  return vocabularies && !vocabularies.some((uri) => uri.endsWith("/vocab/validation"))
    ? new Set(VALIDATION)
    : NO_KEYWORDS;
}

const withoutFragment = (uri: string): string => uri.split("#", 1)[0] ?? "";

function join(reference: string, base: string): string | undefined {
  if (reference.startsWith("#")) return withoutFragment(base) + reference;
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
