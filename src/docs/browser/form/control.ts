/** Form control of a single value: a line of text, a choice, or JSON. */
import { type Field, type Schema, textOf } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { type Issue, type Part, textsOf } from "../shared/part.js";
import { isBase64, pickerFor } from "./pickers.js";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function control(field: Field, path: string): Part {
  const { schema, example } = field;
  const id = `field-${path}`;
  const input = controlFor(field, {
    id,
    "aria-describedby": `${id}-kind ${id}-about ${id}-issue`,
    autocomplete: "off",
  });
  input.value = example === undefined ? "" : writtenIn(schema, example);
  const picker = input instanceof HTMLSelectElement ? undefined : pickerFor(field, id, write);
  function write(text: string, hint = ""): void {
    input.value = text;
    input.setAttribute("placeholder", hint);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  picker?.follow(input.value);
  // It comes before the form's own listener, which reads the value.
  input.addEventListener("input", () => picker?.follow(input.value));
  const { label, kind, about, issue, complain } = textsOf(field, id, factsOf(field));
  return {
    element: h(
      "div",
      { class: "field" },
      h("label", { for: id }, label),
      kind,
      picker ? h("div", { class: "picked" }, input, picker.element) : input,
      about,
      issue,
    ),
    read: () => picker?.value?.() ?? parse(path, schema, input.value),
    complain(issues: Issue[]) {
      const found = complain(issues.filter((one) => one.path === path || one.path.startsWith(`${path}.`)));
      if (found) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    },
  };
}

const factsOf = ({ schema, required }: Field): string[] =>
  [
    isLines(schema) ? "one a line" : typeText(schema),
    required ? "required" : "",
    rangeText(schema),
    lengthText(schema),
    presetText(schema),
  ].filter(Boolean);

function controlFor({ name, schema, example, description }: Field, props: Record<string, string>): Control {
  const choices = choicesOf(schema);
  if (choices)
    return h(
      "select",
      props,
      h("option", { value: "" }, schema.default === undefined ? "–" : `${schema.default} (default)`),
      choices.map((choice) => h("option", { value: String(choice) }, String(choice))),
    );
  if (isBase64(name, schema, description))
    return h("textarea", { ...props, rows: 2, spellcheck: "false", class: "json" });
  if (isDate(schema, example)) return h("input", { ...props, type: "date" });
  if (isLong(schema, example)) return h("textarea", { ...props, rows: rowsFor(example) });
  if (isText(schema) || isShort(schema, example))
    return h("input", { ...props, type: "text", inputmode: isNumber(schema) ? "decimal" : "text" });
  if (isLines(schema)) return h("textarea", { ...props, rows: 4 });
  return h("textarea", { ...props, rows: 6, spellcheck: "false", class: "json" });
}

function choicesOf(schema: Schema): unknown[] | undefined {
  if (schema.enum && schema.enum.length <= 60) return schema.enum;
  return schema.type === "boolean" ? [true, false] : undefined;
}

const typesOf = ({ type, anyOf, oneOf }: Schema): string[] =>
  type === undefined ? (anyOf ?? oneOf ?? []).flatMap(typesOf) : [type].flat();
const takesOnly = (schema: Schema, ...types: string[]): boolean =>
  typesOf(schema).length > 0 && typesOf(schema).every((type) => types.includes(type));
const isNumber = (schema: Schema) => takesOnly(schema, "number", "integer");
/** Whether the value fits on a line of text. */
const isText = (schema: Schema) => takesOnly(schema, "string", "number", "integer", "boolean", "null");
/** Whether text is usual though JSON is possible, too: a colour, or a gradient. */
const isShort = (schema: Schema, example: unknown) =>
  typesOf(schema).includes("string") && typeof (example ?? "") === "string" && !isLines(schema);
/** Whether it may have lines, which a line of text would lose. */
const isLong = ({ type, format, maxLength = 0 }: Schema, example: unknown) =>
  type === "string" && format === undefined && (maxLength > 400 || /\n/.test(String(example ?? "")));
const rowsFor = (example: unknown) => Math.min(Math.max(String(example ?? "").split("\n").length + 1, 3), 12);
/** Whether a browser's own control for days fits. */
const isDate = ({ format, type }: Schema, example: unknown) =>
  format === "date" && type === "string" && /^(?:\d{4}-\d{2}-\d{2})?$/.test(String(example ?? ""));
/** Whether it is a list with one value on each line. */
const isLines = ({ type, items }: Schema) =>
  type === "array" && items !== undefined && takesOnly(items, "string", "number", "integer");

const typeText = (schema: Schema) => [...new Set(typesOf(schema))].join(" or ") || "JSON";
const rangeText = ({ minimum, maximum }: Schema) =>
  minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : "";
/** Short bounds only: a long one is a limit that few meet. */
const lengthText = ({ type, minLength, maxLength, format, pattern }: Schema) => {
  if (type !== "string" || maxLength === undefined || maxLength > 1000 || format || pattern) return "";
  return minLength ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`;
};
const presetText = ({ default: preset }: Schema) => (preset === undefined ? "" : `default ${JSON.stringify(preset)}`);

function writtenIn(schema: Schema, value: unknown): string {
  if (isText(schema) || isShort(schema, value)) return textOf(value);
  return isLines(schema) && Array.isArray(value) ? value.join("\n") : JSON.stringify(value, null, 2);
}

function parse(path: string, schema: Schema, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const { items } = schema;
  if (items && isLines(schema)) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => parse(path, items, line));
  }
  const types = typesOf(schema);
  if (!isText(schema)) {
    try {
      return JSON.parse(trimmed);
    } catch {
      // A union may include plain text.
      if (types.includes("string")) return text;
      throw new Error(`${path} is not valid JSON.`);
    }
  }
  if (types.includes("boolean") && (trimmed === "true" || trimmed === "false")) return trimmed === "true";
  return isNumberFor(types, trimmed) ? Number(trimmed) : text;
}

/** Decimal text keeps its digits, where text may be sent. */
function isNumberFor(types: string[], text: string): boolean {
  const number = Number(text);
  const takesNumbers = types.some((type) => type === "number" || type === "integer");
  return takesNumbers && Number.isFinite(number) && (!types.includes("string") || String(number) === text);
}
