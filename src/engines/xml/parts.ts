/** The parts of a package of XML files, as Office and OpenDocument write them, and steps through their elements. */
import { CapabilityError, invalid } from "../../errors.js";
import { decodePage } from "../../lib/text/charset.js";
import { parseXml, type XmlElement } from "../../lib/xml/parse.js";

export type Members = ReadonlyMap<string, Uint8Array>;

/** Notes of a document, and relations of slides, are asked for many times. */
const known = new WeakMap<Members, Map<string, XmlElement | undefined>>();

/** Undefined if the package has no such part. Throws INVALID_INPUT for a part that is not well-formed. */
export function xmlPart(members: Members, name: string): XmlElement | undefined {
  const parts = known.get(members) ?? new Map<string, XmlElement | undefined>();
  known.set(members, parts);
  if (!parts.has(name)) parts.set(name, readPart(members, name));
  return parts.get(name);
}

function readPart(members: Members, name: string): XmlElement | undefined {
  const bytes = members.get(name);
  if (!bytes) return undefined;
  try {
    // Books of publishers begin with the document type of XHTML or of their index; it declares nothing that they use.
    return parseXml(decodePage(bytes, "").replace(/<!DOCTYPE\s[^[>]{0,500}>/i, ""));
  } catch (error) {
    if (!CapabilityError.is(error)) throw error;
    const [{ message = "" } = {}] = error.issues ?? [];
    throw invalid("", `${name} ${message}`);
  }
}

/** The name without its prefix: writers choose prefixes, and editions of a standard have namespaces of their own. */
export const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(":") + 1);

export const elementsOf = (element: XmlElement | undefined): XmlElement[] =>
  (element?.children ?? []).filter((child): child is XmlElement => typeof child !== "string");

export const childrenNamed = (element: XmlElement | undefined, ...names: string[]): XmlElement[] =>
  elementsOf(element).filter((child) => names.includes(localName(child)));

/** The child at the end of a path of names. */
export function childAt(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let at = element;
  for (const name of path) at = elementsOf(at).find((child) => localName(child) === name);
  return at;
}

/** An attribute by its name without a prefix. */
export const attribute = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.attributes.find(([key]) => key === name || key.endsWith(`:${name}`))?.[1];

/** An attribute by its whole name, where one without a prefix means something else. */
export const attributeNamed = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.attributes.find(([key]) => key === name)?.[1];

/** All elements of a name below one, in the order of the text. */
export function* descendants(element: XmlElement | undefined, ...names: string[]): Generator<XmlElement> {
  for (const child of elementsOf(element)) {
    if (names.includes(localName(child))) yield child;
    yield* descendants(child, ...names);
  }
}

export function charactersIn(element: XmlElement | undefined): string {
  return (element?.children ?? []).map((child) => (typeof child === "string" ? child : charactersIn(child))).join("");
}

export interface Relation {
  /** A part's name, or an address outside. */
  target: string;
  isExternal: boolean;
  type: string;
}

/** The relations of a part of an Office package, by id. */
export function relationsOf(members: Members, part: string): ReadonlyMap<string, Relation> {
  const [folder, file] = [part.slice(0, part.lastIndexOf("/") + 1), part.slice(part.lastIndexOf("/") + 1)];
  const relations = childrenNamed(xmlPart(members, `${folder}_rels/${file}.rels`), "Relationship");
  return new Map(
    relations.map((relation) => {
      const target = attribute(relation, "Target") ?? "";
      const isExternal = attribute(relation, "TargetMode") === "External";
      const type = (attribute(relation, "Type") ?? "").replace(/^.*\//, "");
      return [
        attribute(relation, "Id") ?? "",
        { target: isExternal ? target : inside(folder, target), isExternal, type },
      ];
    }),
  );
}

/** A part's name from one that is relative to a folder. */
export function inside(folder: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const steps: string[] = [];
  for (const step of `${folder}${target}`.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

/** Title and author that an Office package states. */
export function coreFacts(members: Members): { title: string | null; author: string | null } {
  const core = xmlPart(members, "docProps/core.xml");
  const fact = (name: string) => charactersIn(childAt(core, name)).trim() || null;
  return { title: fact("title"), author: fact("creator") };
}
