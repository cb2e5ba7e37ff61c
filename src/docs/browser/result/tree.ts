/** The schema of an answer as a tree: names, types and meanings, inner parts folded from the second level on. */
import type { Schema } from "../shared/api.js";
import { type Child, h } from "../shared/dom.js";

/** Levels that are open. */
const OPEN = 2;
const MAX_CHOICES = 12;
/** Parts of every answer, which say nothing of this one. */
const ASIDE = new Set(["source", "meta"]);

export function treeOf(schema: Schema): HTMLElement {
  const inner = innerOf(schema);
  return inner.length > 0 ? branch(inner, 1) : h("p", { class: "about" }, typeOf(schema));
}

interface Member {
  name: string;
  schema: Schema;
  optional: boolean;
}

const branch = (members: Member[], level: number): HTMLElement =>
  h(
    "ul",
    { class: "tree" },
    members.map((member) => h("li", {}, leaf(member, level))),
  );

function leaf({ name, schema, optional }: Member, level: number): Child {
  const inner = innerOf(schema);
  const head = [
    h("code", {}, name),
    h("span", { class: "kind" }, [typeOf(schema), optional ? "may be missing" : ""].filter(Boolean).join(" · ")),
  ];
  const about = aboutOf(schema);
  const said = about !== "" && h("p", { class: "about" }, about);
  if (inner.length === 0) return [h("div", {}, head), said];
  return h(
    "details",
    { open: level < OPEN && !ASIDE.has(name) },
    h("summary", {}, head),
    said,
    branch(inner, level + 1),
  );
}

/** The members below a value: of the object, of a list's entries, or of every variant. */
function innerOf(schema: Schema): Member[] {
  const { properties, required = [], items, anyOf, oneOf } = schema;
  if (properties)
    return Object.entries(properties).map(([name, inner]) => ({
      name,
      schema: inner,
      optional: !required.includes(name),
    }));
  if (items) return innerOf(items);
  const variants = (anyOf ?? oneOf ?? []).filter(({ type }) => type !== "null");
  const [only] = variants;
  if (variants.length <= 1) return only ? innerOf(only) : [];
  return variants.flatMap((variant, i) =>
    innerOf(variant).length > 0 ? [{ name: `variant ${i + 1}`, schema: variant, optional: false }] : [],
  );
}

/** A type in words: `list of string or null`. */
function typeOf(schema: Schema): string {
  const { type, items, anyOf, oneOf, enum: choices, const: value, format } = schema;
  if (value !== undefined) return JSON.stringify(value);
  if (choices && choices.length <= MAX_CHOICES) return choices.map((one) => JSON.stringify(one)).join(" | ");
  const variants = anyOf ?? oneOf;
  if (variants) return [...new Set(variants.map(typeOf))].join(" or ");
  if (type === "array") return items && typeOf(items) !== "any" ? `list of ${typeOf(items)}` : "list";
  const name = [type ?? "any"].flat().join(" or ");
  return format ? `${name} (${format})` : name;
}

function aboutOf({ description, items }: Schema): string {
  return description ?? items?.description ?? "";
}

/** A value of this shape, whose texts and numbers stand for real ones. */
export function placeholderOf(schema: Schema, depth = 0): unknown {
  const { type, properties, items, anyOf, oneOf, enum: choices, const: value, default: preset } = schema;
  if (value !== undefined) return value;
  if (choices) return choices[0];
  if (preset !== undefined) return preset;
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, depth > 5 ? null : placeholderOf(inner, depth + 1)]),
    );
  const [variant] = (anyOf ?? oneOf ?? []).filter((one) => one.type !== "null");
  if (variant) return placeholderOf(variant, depth);
  const [name] = [type ?? "object"].flat();
  if (name === "array") return items && depth <= 5 ? [placeholderOf(items, depth + 1)] : [];
  return plainOf(name, schema);
}

function plainOf(type: string | undefined, { format, minimum }: Schema): unknown {
  if (type === "string") return FORMATS[format ?? ""] ?? "text";
  if (type === "number" || type === "integer") return minimum ?? 0;
  if (type === "boolean") return true;
  return type === "null" ? null : {};
}

const FORMATS: Record<string, string> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  uri: "https://example.com/",
  email: "someone@example.com",
  uuid: "00000000-0000-4000-8000-000000000000",
};
