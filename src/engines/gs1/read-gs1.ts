/** Reads GS1 data in any of its forms, and writes it in all of them. */
import { type Association, associationsOf } from "./associations.js";
import { isLink, readLink, writeLink } from "./digital-link.js";
import { type Element, type ElementFault, Unreadable } from "./element.js";
import { type Fields, fieldsOf } from "./fields.js";
import { barcodeMessage, bracketed, humanReadable, type ReadElements, readBrackets, readMessage } from "./syntaxes.js";

export { DICTIONARY_RELEASE } from "./gs1-table.js";

export const FORMS = ["auto", "brackets", "barcode", "url"] as const;
type Form = (typeof FORMS)[number];

export interface Gs1Reading {
  valid: boolean;
  elements: { ai: string; title: string; value: string; fields: Fields }[];
  bracketed: string | null;
  barcodeMessage: string | null;
  digitalLink: string | null;
  humanReadable: string[];
  errors: ElementFault[];
  associations: Association[];
}

const READERS = { brackets: readBrackets, barcode: readMessage, url: readLink };

function formOf(data: string): Exclude<Form, "auto"> {
  if (isLink(data)) return "url";
  return data.startsWith("(") ? "brackets" : "barcode";
}

function elementsOf(data: string, form: Exclude<Form, "auto">, year: number): ReadElements {
  try {
    return READERS[form](data, year);
  } catch (error) {
    if (error instanceof Unreadable) return { elements: [], faults: [error.fault] };
    throw error;
  }
}

/** `year` is the present one. */
export function readGs1(data: string, as: Form, year: number): Gs1Reading {
  const { elements, faults } = elementsOf(data, as === "auto" ? formOf(data) : as, year);
  const valid = faults.length === 0;
  const wrong = new Set(faults.map(({ ai }) => ai));
  return {
    valid,
    elements: elements.map((element: Element) => ({
      ai: element.entry.ai,
      title: element.entry.title,
      value: element.value,
      fields: wrong.has(element.entry.ai) ? {} : fieldsOf(element, year),
    })),
    bracketed: valid ? bracketed(elements) : null,
    barcodeMessage: valid ? barcodeMessage(elements) : null,
    digitalLink: valid ? writeLink(elements) : null,
    humanReadable: humanReadable(elements),
    errors: faults,
    associations: associationsOf(elements),
  };
}
