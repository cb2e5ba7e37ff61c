/** Who wrote something: a text, or a name and an address in elements of their own. */
import type { XmlElement } from "../../lib/xml/parse.js";
import { plainText } from "./content.js";
import { type Named, namedOf } from "./names.js";

/** `Jane Doe (jane@example.com)`, as much of it as there is. */
export function authorOf(element: XmlElement, { namespaces }: Named): string {
  const found = new Map<string, string>();
  for (const child of element.children) {
    if (typeof child === "string") continue;
    const { name } = namedOf(child, namespaces);
    found.set(name.replace(/^.*:/, ""), plainText(child));
  }
  return nameAndAddress(found.get("name"), found.get("email")) ?? plainText(element);
}

const nameAndAddress = (name: string | undefined, email: string | undefined): string | undefined =>
  name && email ? `${name} (${email})` : name || email || undefined;
