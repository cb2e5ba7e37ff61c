/** A form for an endpoint's parameters, and the input that is in it. */
import { type Field, type Schema, textOf } from "./api.js";
import { h } from "./dom.js";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface InputForm {
  element: HTMLElement;
  /** Throws an Error that names the field. */
  read(): Record<string, unknown>;
  /** Tells what the service found wrong, at the fields. */
  complain(issues: { path: string; message: string }[]): void;
}

export function inputForm(fields: Field[], onChange: () => void): InputForm {
  const controls = fields.map((field) => ({ field, ...control(field) }));
  const rows = controls.map(({ row }) => row);
  const element = h("div", { class: "fields", oninput: onChange }, rows.length > 0 ? rows : "It takes no parameters.");
  return {
    element,
    read: () =>
      Object.fromEntries(
        controls.flatMap(({ field, input }) => {
          const value = parse(field, input.value);
          return value === undefined ? [] : [[field.name, value]];
        }),
      ),
    complain(issues) {
      for (const { field, input, issue } of controls) {
        const found = issues.filter(({ path }) => path === field.name || path.startsWith(`${field.name}.`));
        issue.textContent = found.map(({ message }) => message).join("; ");
        if (found.length > 0) input.setAttribute("aria-invalid", "true");
        else input.removeAttribute("aria-invalid");
      }
    },
  };
}

function control(field: Field): { row: HTMLElement; input: Control; issue: HTMLElement } {
  const { name, required, schema, description, example } = field;
  const id = `field-${name}`;
  const input = controlFor(schema, {
    id,
    "aria-describedby": `${id}-kind ${id}-about ${id}-issue`,
    autocomplete: "off",
  });
  input.value = example === undefined ? "" : isText(schema) ? textOf(example) : JSON.stringify(example, null, 2);
  const facts = [typeText(schema), required ? "required" : "", rangeText(schema), presetText(schema)].filter(Boolean);
  const issue = h("p", { class: "issue", id: `${id}-issue`, role: "alert" });
  const row = h(
    "div",
    { class: "field" },
    h("label", { for: id }, h("code", {}, name)),
    h("span", { class: "kind", id: `${id}-kind` }, facts.join(" · ")),
    input,
    h("p", { id: `${id}-about`, class: "about" }, description),
    issue,
  );
  return { row, input, issue };
}

function controlFor(schema: Schema, props: Record<string, string>): Control {
  const choices = choicesOf(schema);
  if (choices)
    return h(
      "select",
      props,
      h("option", { value: "" }, schema.default === undefined ? "–" : `${schema.default} (default)`),
      choices.map((choice) => h("option", { value: String(choice) }, String(choice))),
    );
  if (isText(schema)) return h("input", { ...props, type: "text", inputmode: isNumber(schema) ? "decimal" : "text" });
  return h("textarea", { ...props, rows: 6, spellcheck: "false", class: "json" });
}

function choicesOf(schema: Schema): unknown[] | undefined {
  if (schema.enum && schema.enum.length <= 60) return schema.enum;
  return schema.type === "boolean" ? [true, false] : undefined;
}

const typesOf = ({ type, anyOf, oneOf }: Schema): string[] =>
  type === undefined ? (anyOf ?? oneOf ?? []).flatMap(typesOf) : [type].flat();
const isNumber = (schema: Schema) => typesOf(schema).every((type) => type === "number" || type === "integer");
/** Whether a line of text says it all. */
const isText = (schema: Schema) => !typesOf(schema).some((type) => type === "object" || type === "array");

const typeText = (schema: Schema) => [...new Set(typesOf(schema))].join(" or ");
const rangeText = ({ minimum, maximum }: Schema) =>
  minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : "";
const presetText = ({ default: preset }: Schema) => (preset === undefined ? "" : `default ${JSON.stringify(preset)}`);

function parse({ name, schema }: Field, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const types = typesOf(schema);
  if (!isText(schema)) {
    try {
      return JSON.parse(trimmed);
    } catch {
      // A union may take plain text, too.
      if (types.includes("string")) return text;
      throw new Error(`${name} is not valid JSON.`);
    }
  }
  if (types.includes("boolean") && (trimmed === "true" || trimmed === "false")) return trimmed === "true";
  if (types.some((type) => type === "number" || type === "integer") && Number.isFinite(Number(trimmed)))
    return Number(trimmed);
  return text;
}
