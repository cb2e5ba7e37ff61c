/** National addresses, by the formats of Google's address data. */
import { ADDRESS_FORMATS } from "./address-formats.js";

export type AddressField =
  | "name"
  | "organization"
  | "street"
  | "city"
  | "district"
  | "state"
  | "postalCode"
  | "sortingCode";

/** Lines of each field; a field without lines is absent. */
export type AddressParts = Readonly<Record<AddressField, readonly string[]>>;

const FIELD_OF: Readonly<Record<string, AddressField>> = {
  N: "name",
  O: "organization",
  A: "street",
  C: "city",
  D: "district",
  S: "state",
  Z: "postalCode",
  X: "sortingCode",
};

export interface AddressRules {
  format: string;
  required: AddressField[];
  uppercase: AddressField[];
  /** Undefined if the country has no postal codes, or none of one form. */
  postalCode: RegExp | undefined;
  postalCodeExample: string | null;
}

/** Whether a language tag such as ja-Latn or zh_Latn_CN names the Latin script. */
const isLatin = (language: string) => /[-_]latn\b/i.test(language.replaceAll("_", "-"));

/** The rules of a country; those of countries that the table lacks are the usual ones. */
export function addressRules(country: string, language = ""): AddressRules {
  const [format, latin, required, upper, postal, example] = ADDRESS_FORMATS[country] ?? [];
  const national = format || "%N%n%O%n%A%n%C";
  const fieldsOf = (letters: string) => [...letters].flatMap((letter) => FIELD_OF[letter] ?? []);
  return {
    format: (isLatin(language) && latin) || national,
    required: fieldsOf(required || "AC"),
    uppercase: fieldsOf(upper ?? ""),
    postalCode: postal ? new RegExp(`^(?:${postal})$`, "i") : undefined,
    postalCodeExample: example || null,
  };
}

type Element = { field: AddressField } | { literal: string } | "newline";

function elementsOf(format: string): Element[] {
  return format
    .split(/(%[A-Za-z])/)
    .filter(Boolean)
    .flatMap((piece): Element[] => {
      if (piece === "%n") return ["newline"];
      const field = piece.startsWith("%") ? FIELD_OF[piece.charAt(1)] : undefined;
      if (field) return [{ field }];
      return piece.startsWith("%") ? [] : [{ literal: piece }];
    });
}

const isField = (element: Element | undefined) => typeof element === "object" && "field" in element;

/** The lines of an address. Text between fields stays where the fields beside it have something to say. */
export function formatAddress(parts: AddressParts, format: string): string[] {
  const isEmpty = (element: Element | undefined) =>
    typeof element === "object" && "field" in element && parts[element.field].length === 0;
  const kept: Element[] = [];
  const elements = elementsOf(format);
  for (const [place, element] of elements.entries()) {
    const previous = elements[place - 1];
    const isKept = isField(element)
      ? !isEmpty(element)
      : element === "newline" || (!isEmpty(elements[place + 1]) && (!isField(previous) || isField(kept.at(-1))));
    if (isKept) kept.push(element);
  }
  // No part contains a line break.
  const textOf = (element: Element) => {
    if (element === "newline") return "\n";
    return "field" in element ? parts[element.field].join("\n") : element.literal;
  };
  return kept
    .map(textOf)
    .join("")
    .split("\n")
    .filter((line) => line !== "");
}

const SPACE = ["th", "ko"];
const NOTHING = ["ja", "zh"];
const ARABIC_COMMA = ["ar", "fa", "ku", "ps", "ur"];

/** One line for all, divided as the language does: Chinese by nothing, Korean by a blank, Arabic by its comma. */
export function inOneLine(lines: readonly string[], language = ""): string {
  const base = language.split(/[-_]/)[0]?.toLowerCase() ?? "";
  if (isLatin(language)) return lines.join(", ");
  if (SPACE.includes(base)) return lines.join(" ");
  if (NOTHING.includes(base)) return lines.join("");
  return lines.join(ARABIC_COMMA.includes(base) ? "، " : ", ");
}
