/**
 * XML as values by name, for answers whose elements are known: a text, or an object of children, attributes ("@name")
 * and the text beside them ("#text"). Elements of one name are a list; the blanks around texts are left out.
 */
import { readXml, type XmlElement } from "./reader.js";

export type XmlValue = string | XmlValue[] | { [name: string]: XmlValue };

/** An object with the root element. Throws XmlFault. */
export function xmlValues(text: string): Record<string, XmlValue> {
  const root = readXml(text, text.length);
  return { [root.name]: valuesIn(root) };
}

function valuesIn({ attributes, children }: XmlElement): XmlValue {
  const value: Record<string, XmlValue> = Object.create(null);
  for (const [name, text] of attributes) value[`@${name}`] = text;
  let text = "";
  for (const child of children)
    if (typeof child === "string") text += child.trim();
    else add(value, child.name, valuesIn(child));
  if (Object.keys(value).length === 0) return text;
  if (text !== "") value["#text"] = text;
  return { ...value };
}

function add(value: Record<string, XmlValue>, name: string, one: XmlValue): void {
  const known = value[name];
  if (known === undefined) value[name] = one;
  else if (Array.isArray(known)) known.push(one);
  else value[name] = [known, one];
}
