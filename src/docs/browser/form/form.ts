/** A form for an endpoint's parameters, nested like its input. */
import { type Field, membersOf, type Schema } from "../shared/api.js";
import { h, put } from "../shared/dom.js";
import { type Issue, type Part, textsOf } from "../shared/part.js";
import { control } from "./control.js";

export interface InputForm {
  element: HTMLElement;
  /** The input. Throws an Error that names the field. */
  read(): Record<string, unknown>;
  /** Shows the service's complaints at the fields. */
  complain(issues: Issue[]): void;
}

export function inputForm(fields: Field[], onChange: () => void): InputForm {
  const { element, read, complain } = members(fields, "");
  element.addEventListener("input", onChange);
  if (fields.length === 0) put(element, "It takes no parameters.");
  return { element, read, complain };
}

/** The form part for a field, chosen by its schema. */
function partFor(field: Field, path: string): Part {
  const { type, properties, items, oneOf } = field.schema;
  if (type === "object" && properties) return group(field, path);
  if (type === "array" && items && (items.properties || variantsOf(items))) return list(field, path);
  return oneOf && variantsOf(field.schema) ? variants(field, path) : control(field, path);
}

const below = (path: string, name: string | number): string => (path === "" ? String(name) : `${path}.${name}`);

/** The fields of an object, one below the other. */
function members(fields: Field[], path: string) {
  const parts = fields.map((field) => ({ name: field.name, part: partFor(field, below(path, field.name)) }));
  return {
    element: h(
      "div",
      { class: "fields" },
      parts.map(({ part }) => part.element),
    ),
    read: (): Record<string, unknown> =>
      Object.fromEntries(
        parts.flatMap(({ name, part }) => {
          const value = part.read();
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    complain(issues: Issue[]) {
      for (const { part } of parts) part.complain(issues);
    },
  };
}

/** A part with inner parts, folded if nothing in it is required. */
function frame(field: Field, path: string, kind: string, content: HTMLElement) {
  const id = `field-${path}`;
  const facts = [kind, field.required ? "required" : ""].filter(Boolean);
  const texts = textsOf(field, id, facts);
  const props = { class: "field nested", id, open: field.required || field.example !== undefined };
  const element = h(
    "details",
    props,
    h("summary", {}, texts.label, " ", texts.kind),
    h(
      "div",
      { role: "group", "aria-label": path, "aria-describedby": `${id}-about` },
      texts.about,
      texts.issue,
      content,
    ),
  );
  const complain = (issues: Issue[]) => {
    if (issues.some((issue) => issue.path === path || issue.path.startsWith(`${path}.`))) element.open = true;
    texts.complain(issues.filter((issue) => issue.path === path));
  };
  return { element, complain };
}

/** An object; an empty one is left out, unless it is required. */
function group(field: Field, path: string): Part {
  const inner = members(membersOf(field.schema, field.example as Record<string, unknown> | undefined), path);
  const outer = frame(field, path, "object", inner.element);
  return {
    element: outer.element,
    read() {
      const value = inner.read();
      return field.required || Object.keys(value).length > 0 ? value : undefined;
    },
    complain(issues) {
      outer.complain(issues);
      inner.complain(issues);
    },
  };
}

/** The member whose value distinguishes the variants of an object; undefined if there is none. */
function variantsOf({ oneOf }: Schema): { tag: string; kinds: Map<string, Schema> } | undefined {
  const [first] = oneOf ?? [];
  const tag = Object.entries(first?.properties ?? {}).find(([, { const: value }]) => typeof value === "string")?.[0];
  const values = oneOf?.map(({ properties }) => properties?.[tag ?? ""]?.const);
  if (!tag || !oneOf || !values?.every((value) => typeof value === "string")) return undefined;
  return { tag, kinds: new Map(oneOf.map((schema, i) => [String(values[i]), schema])) };
}

/** An object with variants: the variant is chosen first, and its fields follow. */
function variants(field: Field, path: string): Part {
  const { tag, kinds } = variantsOf(field.schema) ?? { tag: "", kinds: new Map<string, Schema>() };
  const example = field.example as Record<string, unknown> | undefined;
  const names = [...kinds.keys()];
  const kind = control(
    { name: tag, required: true, schema: { enum: names, type: "string" }, description: "", example: example?.[tag] },
    below(path, tag),
  );
  const content = h("div");
  let inner = members([], path);
  const choose = () => {
    const schema = kinds.get(String(kind.read() ?? ""));
    inner = members(schema ? membersOf(schema, example).filter(({ name }) => name !== tag) : [], path);
    put(content, inner.element);
  };
  choose();
  kind.element.addEventListener("input", choose);
  const outer = frame(field, path, "object", h("div", { class: "fields" }, kind.element, content));
  return {
    element: outer.element,
    read() {
      const value = kind.read();
      return value === undefined ? undefined : { [tag]: value, ...inner.read() };
    },
    complain(issues) {
      outer.complain(issues);
      kind.complain(issues);
      inner.complain(issues);
    },
  };
}

/** A list of objects, with buttons to add and remove. */
function list(field: Field, path: string): Part {
  const { items = {} } = field.schema;
  const examples = Array.isArray(field.example) ? field.example : [];
  let parts: Part[] = [];
  const rows = h("div", { class: "fields" });
  const changed = () => rows.dispatchEvent(new Event("input", { bubbles: true }));
  const itemAt = (index: number, example: unknown): Part => {
    const name = String(index);
    return partFor(
      { name, required: true, schema: items, description: items.description ?? "", example },
      below(path, name),
    );
  };
  /** Paths contain the position of an entry, so all entries are rebuilt from their values. */
  const show = (values: unknown[]) => {
    parts = values.map((value, i) => itemAt(i, value));
    put(
      rows,
      parts.map((part, i) =>
        h(
          "div",
          { class: "entry" },
          part.element,
          h("button", { type: "button", onclick: () => without(i) }, `Remove ${path}.${i}`),
        ),
      ),
    );
  };
  const without = (index: number) => {
    show(parts.map((part) => part.read()).filter((_, i) => i !== index));
    changed();
  };
  const add = () => {
    show([...parts.map((part) => part.read()), examples[0]]);
    changed();
  };
  show(examples);
  const content = h("div", {}, rows, h("button", { type: "button", onclick: add }, `Add to ${path}`));
  const outer = frame(field, path, "list", content);
  return {
    element: outer.element,
    read() {
      const values = parts.map((part) => part.read());
      return field.required || values.length > 0 ? values : undefined;
    },
    complain(issues) {
      outer.complain(issues);
      for (const part of parts) part.complain(issues);
    },
  };
}
