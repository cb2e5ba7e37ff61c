/** Finds elements by the names of a path, whatever their prefixes. */
import type { XmlElement } from "./parse.js";

/** A name without its prefix. */
export const local = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Child elements of a name, or of one of several: `InvoiceLine|CreditNoteLine`. */
export function all(element: XmlElement, name: string): XmlElement[] {
  const names = name.split("|");
  const isNamed = (child: XmlElement | string): child is XmlElement =>
    typeof child !== "string" && names.includes(local(child.name));
  return element.children.filter(isNamed);
}

/** Elements at the end of a path such as `Acct/Id/IBAN`. */
export const allAt = (element: XmlElement, path: string): XmlElement[] =>
  path.split("/").reduce((found, name) => found.flatMap((one) => all(one, name)), [element]);

/** The first element at the end of a path. */
export const at = (element: XmlElement, path: string): XmlElement | undefined => allAt(element, path)[0];

/** Text of an element itself, trimmed. */
export const elementText = (element: XmlElement): string =>
  element.children
    .filter((child) => typeof child === "string")
    .join("")
    .trim();

/** Text of the first element at the end of a path; null if there is none, or it is empty. */
export function textAt(element: XmlElement, path: string): string | null {
  const found = at(element, path);
  return found ? elementText(found) || null : null;
}

/** An attribute by its name without prefix. */
export const attribute = (element: XmlElement | undefined, name: string): string | null =>
  element?.attributes.find(([given]) => local(given) === name)?.[1]?.trim() || null;
