/** Reads Schematron with the query language of XSLT 2: patterns, rules, assertions and variables. */
import { parseXml, type XmlElement } from "../../lib/xml/parse.js";
import { all, attribute, local, textAt } from "../../lib/xml/paths.js";

export interface Variable {
  name: string;
  value: string;
}

export interface Assertion {
  id: string;
  flag: string;
  test: string;
  /** Texts, and expressions whose values stand between them. */
  text: (string | { select: string })[];
  /** Variables of the rule that stand before it. */
  variables: Variable[];
  isReport: boolean;
}

export interface SchematronRule {
  context: string;
  assertions: Assertion[];
}

export interface Pattern {
  id: string;
  rules: SchematronRule[];
}

export interface SchematronSchema {
  namespaces: ReadonlyMap<string, string>;
  /** Those of the schema and of patterns: a pattern of variables alone declares them for all. */
  variables: Variable[];
  patterns: Pattern[];
}

const variablesOf = (element: XmlElement): Variable[] =>
  all(element, "let").map((one) => ({ name: attribute(one, "name") ?? "", value: raw(one, "value") }));

/** The value as it is written: trimming it would change a pattern of blanks. */
const raw = (element: XmlElement, name: string): string =>
  element.attributes.find(([given]) => local(given) === name)?.[1] ?? "";

/** Patterns of a schema, with what it includes put in place by `include`. */
export function readSchema(text: string, include: (href: string) => string): SchematronSchema {
  const root = parseXml(text);
  const patterns = root.children.flatMap((child) => {
    if (typeof child === "string") return [];
    if (local(child.name) === "include") return [parseXml(include(raw(child, "href")))];
    return local(child.name) === "pattern" ? [child] : [];
  });
  return {
    namespaces: new Map(all(root, "ns").map((one) => [raw(one, "prefix"), raw(one, "uri")])),
    variables: [root, ...patterns].flatMap(variablesOf),
    patterns: patterns.map((pattern) => ({
      id: attribute(pattern, "id") ?? textAt(pattern, "title") ?? "",
      rules: all(pattern, "rule").map(readRule),
    })),
  };
}

function readRule(rule: XmlElement): SchematronRule {
  const variables: Variable[] = [];
  const assertions: Assertion[] = [];
  for (const child of rule.children) {
    if (typeof child === "string") continue;
    const kind = local(child.name);
    if (kind === "let") variables.push({ name: raw(child, "name"), value: raw(child, "value") });
    if (kind === "assert" || kind === "report")
      assertions.push({
        id: attribute(child, "id") ?? "",
        flag: attribute(child, "flag") ?? "fatal",
        test: raw(child, "test"),
        text: child.children.map(textPart),
        variables: [...variables],
        isReport: kind === "report",
      });
  }
  return { context: raw(rule, "context"), assertions };
}

function textPart(child: XmlElement | string): Assertion["text"][number] {
  if (typeof child === "string") return child;
  const kind = local(child.name);
  if (kind === "value-of") return { select: raw(child, "select") };
  return kind === "name" ? { select: attribute(child, "path") ?? "name()" } : child.children.map(String).join("");
}
