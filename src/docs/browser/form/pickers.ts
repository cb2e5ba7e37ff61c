/** Pickers beside a text: a colour, a date with its time, a file in base64. The text stays what is sent. */
import type { Field, Schema } from "../shared/api.js";
import { h } from "../shared/dom.js";

export interface Picker {
  element: HTMLElement;
  /** Follows the text that was typed. */
  follow(text: string): void;
  /** Replaces the text, if what was picked is too long to be shown. */
  value?(): string | undefined;
}

type Write = (text: string, hint?: string) => void;

const HEX = /^#[0-9a-f]{6}$/i;
const COLOUR = /colou?r/i;
const COLOUR_NAMES = /^(?:bg|fg|foreground|background)$|colou?r$/i;

/** The picker that fits a field of text; undefined for most. */
export function pickerFor({ name, schema, description }: Field, id: string, write: Write): Picker | undefined {
  if (isBase64(name, schema, description)) return filePicker(name, id, write);
  if (schema.format === "date-time") return timePicker(name, write);
  const isColour = !schema.enum && schema.format === undefined;
  return isColour && (COLOUR_NAMES.test(name) || COLOUR.test(description.slice(0, 40)))
    ? colourPicker(name, String(schema.default ?? ""), write)
    : undefined;
}

export const isBase64 = (name: string, { contentEncoding, type }: Schema, description: string): boolean =>
  contentEncoding === "base64" || (type === "string" && (name === "file" || /\bin base64\b/i.test(description)));

function colourPicker(name: string, preset: string, write: Write): Picker {
  const input = h("input", { type: "color", class: "swatch", "aria-label": `Pick a colour for ${name}` });
  input.addEventListener("input", () => write(input.value));
  return {
    element: input,
    follow(text) {
      const colour = text.trim() || preset;
      if (HEX.test(colour)) input.value = colour;
    },
  };
}

/** Seconds are left out by browsers where they are zero. */
const MINUTES = "2026-01-01T00:00".length;

function timePicker(name: string, write: Write): Picker {
  const input = h("input", {
    type: "datetime-local",
    step: 1,
    "aria-label": `Pick a date and time for ${name}, in UTC`,
  });
  input.addEventListener("input", () => {
    if (input.value) write(`${input.value}${input.value.length === MINUTES ? ":00" : ""}Z`);
  });
  return {
    element: input,
    follow(text) {
      const time = new Date(text);
      input.value = Number.isNaN(time.getTime()) ? "" : time.toISOString().slice(0, 19);
    },
  };
}

/** A longer text makes its control slow. */
const MAX_SHOWN = 2000;

/** Names of the files that were picked, by their base64, for code that would be too long with it. */
export const fileNames = new Map<string, string>();

function filePicker(name: string, id: string, write: Write): Picker {
  let hidden: string | undefined;
  const input = h("input", {
    type: "file",
    "aria-label": `Choose a file for ${name}`,
    "aria-describedby": `${id}-kind`,
  });
  input.addEventListener("change", async () => {
    const [file] = input.files ?? [];
    if (!file) return;
    const base64 = await base64Of(file);
    fileNames.set(base64, file.name);
    hidden = base64.length > MAX_SHOWN ? base64 : undefined;
    clearOthers(id);
    write(hidden ? "" : base64, `${file.name}, ${file.size.toLocaleString("en")} bytes`);
  });
  return {
    element: input,
    // Typing replaces the file.
    follow(text) {
      if (text !== "") hidden = undefined;
    },
    value: () => hidden,
  };
}

/** A document comes as text, as a file or at an address: the file that was picked replaces the others. */
function clearOthers(id: string): void {
  for (const name of ["text", "url"]) {
    const other = document.getElementById(id.replace(/file$/, name));
    if (other instanceof HTMLInputElement || other instanceof HTMLTextAreaElement) other.value = "";
  }
}

const base64Of = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
