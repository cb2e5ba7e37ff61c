/** The drafts of JSON Schema, and where each has subschemas. */

export const DRAFTS = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"] as const;
export type Draft = (typeof DRAFTS)[number];

const URIS: Record<Draft, string> = {
  "draft-04": "http://json-schema.org/draft-04/schema",
  "draft-06": "http://json-schema.org/draft-06/schema",
  "draft-07": "http://json-schema.org/draft-07/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
};

export const uriOf = (draft: Draft): string => URIS[draft];

/** The draft that `$schema` names; undefined for another metaschema. */
export const draftNamed = (uri: string): Draft | undefined => {
  const plain = uri.replace(/#$/, "").replace(/^https(?=:\/\/json-schema\.org\/draft-)/, "http");
  return DRAFTS.find((draft) => URIS[draft] === plain);
};

export const isAtLeast = (draft: Draft, other: Draft): boolean => DRAFTS.indexOf(draft) >= DRAFTS.indexOf(other);

/** Where a keyword has subschemas: one, a list, or one a name. `items` and `dependencies` may be several of them. */
type Form = "one" | "list" | "named";

const FORMS: readonly [Form, Draft, readonly string[]][] = [
  ["one", "draft-04", ["not", "additionalProperties", "additionalItems", "items"]],
  ["list", "draft-04", ["allOf", "anyOf", "oneOf", "items"]],
  ["named", "draft-04", ["properties", "patternProperties", "definitions", "dependencies"]],
  ["one", "draft-06", ["contains", "propertyNames"]],
  ["one", "draft-07", ["if", "then", "else"]],
  ["one", "2019-09", ["unevaluatedItems", "unevaluatedProperties", "contentSchema"]],
  ["named", "2019-09", ["$defs", "dependentSchemas"]],
  ["list", "2020-12", ["prefixItems"]],
];

/** The subschemas of a schema. */
export function subschemasOf(schema: Record<string, unknown>, draft: Draft): unknown[] {
  return FORMS.filter(([, since]) => isAtLeast(draft, since)).flatMap(([form, , keywords]) =>
    keywords
      .filter((keyword) => Object.hasOwn(schema, keyword))
      .flatMap((keyword) => subschemasIn(schema[keyword], form)),
  );
}

function subschemasIn(value: unknown, form: Form): unknown[] {
  if (Array.isArray(value)) return form === "list" ? value : [];
  if (form !== "named") return form === "one" ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}
