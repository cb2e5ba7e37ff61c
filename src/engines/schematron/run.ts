/** Runs a schema over a document: in each pattern the first rule whose context matches an element takes it. */
import type { Document, Element, Node } from "slimdom";
import { alternatives, type ContextPath, contextPaths, isOfDocument, isOfNames } from "./contexts.js";
import { withIndexedDescents } from "./descents.js";
import { Facade } from "./facade.js";
import { assertWork, judgeFrom, type xpath } from "./functions.js";
import { DocumentIndex, placeOf } from "./index-of.js";
import { withExactRemainders } from "./remainders.js";
import type { Assertion, SchematronRule, SchematronSchema, Variable } from "./schema.js";
import type { Options } from "./xpath-library.js";

export interface RuleFinding {
  rule: string;
  flag: string;
  text: string;
  /** Where, as XPath. */
  path: string;
}

export interface RunOptions {
  /** Nodes that expressions may look at, and twenty for each expression. */
  maxWork?: number;
}

const facade = new Facade();

type XPath = Awaited<ReturnType<typeof xpath>>;

/** A schema with its contexts read and its expressions put together, once for all documents. */
export class Validator {
  readonly #schema: SchematronSchema;
  readonly #xpath: XPath;
  readonly #options: Options;
  readonly #contexts = new Map<SchematronRule, ContextPath[] | undefined>();
  readonly #expressions = new Map<string, string>();
  readonly #alternatives = new Map<string, string[]>();

  constructor(schema: SchematronSchema, xpath: XPath) {
    this.#schema = schema;
    this.#xpath = xpath;
    this.#options = {
      namespaceResolver: (prefix) => schema.namespaces.get(prefix) ?? (prefix === "xs" ? XML_SCHEMA : null),
      language: xpath.evaluateXPath.XPATH_3_1_LANGUAGE,
    };
    for (const { rules } of schema.patterns)
      for (const rule of rules)
        this.#contexts.set(rule, rule.context.includes("$") ? undefined : contextPaths(rule.context));
  }

  /** Throws RESULT_TOO_LARGE when the rules compare too much. */
  run(document: Document, { maxWork }: RunOptions = {}): RuleFinding[] {
    const index = new DocumentIndex(document);
    judgeFrom(index, maxWork);
    const names = new Map<string, boolean>();
    const findings: RuleFinding[] = [];
    for (const { rules } of this.#schema.patterns) {
      const taken = new Set<Element>();
      for (const rule of rules) {
        for (const element of this.#matched(rule, document, index, names, taken)) {
          taken.add(element);
          for (const assertion of rule.assertions)
            if (!this.#holds(assertion, element, names)) findings.push(this.#finding(assertion, element));
        }
      }
    }
    // guard: offline: rules of invoices may not end with too much work | gone | work
    assertWork(0);
    return findings;
  }

  #matched(
    rule: SchematronRule,
    document: Document,
    index: DocumentIndex,
    names: Map<string, boolean>,
    taken: Set<Element>,
  ) {
    const paths = this.#contexts.get(rule);
    if (!paths) return this.#evaluated(rule, document).filter((element) => !taken.has(element));
    const found = new Set<Element>();
    for (const path of paths) {
      const last = path.steps.at(-1);
      if (!last) continue;
      for (const element of index.named(this.#namespace(last.prefix), last.name))
        if (
          !taken.has(element) &&
          !found.has(element) &&
          this.#matches(path, element, path.steps.length - 1, index, names)
        )
          found.add(element);
    }
    return [...found];
  }

  #evaluated({ context }: SchematronRule, document: Document): Element[] {
    const whole = /^\s*\(?\s*\//.test(context) ? context : `//${context}`;
    const nodes = this.#xpath.evaluateXPathToNodes<Node>(
      this.#expression(whole, []),
      document,
      facade,
      null,
      this.#options,
    );
    return nodes.filter((node): node is Element => node.nodeType === 1);
  }

  #namespace(prefix: string | null): string | null {
    return prefix === null ? null : (this.#schema.namespaces.get(prefix) ?? "");
  }

  /** Whether an element and those above it are the steps of a path up to this one. */
  #matches(
    path: ContextPath,
    element: Element,
    at: number,
    index: DocumentIndex,
    names: Map<string, boolean>,
  ): boolean {
    const step = path.steps[at];
    if (!step) return false;
    const isNamed =
      step.name === "*"
        ? step.prefix === null || element.namespaceURI === this.#namespace(step.prefix)
        : element.localName === step.name && element.namespaceURI === this.#namespace(step.prefix);
    if (!isNamed || !step.conditions.every((one) => this.#isTrueOf(one, element, index, names))) return false;
    if (at === 0) return !path.isAbsolute || element.parentElement === null;
    for (let above = element.parentElement; above; above = above.parentElement) {
      if (this.#matches(path, above, at - 1, index, names)) return true;
      if (!step.isAnywhere) return false;
    }
    return false;
  }

  #isTrueOf(condition: string, element: Element, index: DocumentIndex, names: Map<string, boolean>): boolean {
    const [, attribute] = /^\s*@([\w.-]+)\s*$/.exec(condition) ?? [];
    if (attribute !== undefined) return element.hasAttributeNS(null, attribute);
    if (!isOfNames(condition)) return this.#boolean(condition, [], element);
    const key = `${condition}\n${index.pathOf(element)}`;
    const known = names.get(key) ?? this.#boolean(condition, [], element);
    names.set(key, known);
    return known;
  }

  #holds({ test, variables, isReport }: Assertion, element: Element, answers: Map<string, boolean>): boolean {
    const parts = this.#alternatives.get(test) ?? alternatives(test);
    this.#alternatives.set(test, parts);
    return parts.some((part) => this.#answer(part, variables, element, answers)) !== isReport;
  }

  #answer(test: string, variables: Variable[], element: Element, answers: Map<string, boolean>): boolean {
    if (!isOfDocument(test)) return this.#boolean(test, variables, element);
    const known = answers.get(test) ?? this.#boolean(test, variables, element);
    answers.set(test, known);
    return known;
  }

  /** A sum of words cannot be computed, and is not true. */
  #boolean(test: string, variables: Variable[], element: Element): boolean {
    assertWork();
    const expression = this.#expression(`boolean((${test}))`, variables);
    try {
      return this.#xpath.evaluateXPathToBoolean(expression, element, facade, null, this.#options);
    } catch (error) {
      if (error instanceof Error && /^FO[A-Z]{2}\d{4}|^XPTY\d{4}/.test(error.message)) return false;
      throw error;
    }
  }

  /** Variables become a part of the expression: values handed over would lose their types. Only those are taken that it names. */
  #expression(body: string, own: Variable[]): string {
    const key = own.length === 0 ? body : `${own.map(({ name }) => name).join(" ")}\n${body}`;
    const known = this.#expressions.get(key);
    if (known !== undefined) return known;
    const all = [...this.#schema.variables, ...own];
    let expression = withExactRemainders(body);
    for (const { name, value } of all.toReversed())
      if (isNamedIn(name, expression)) expression = `let $${name} := (${value}) return ${expression}`;
    expression = withIndexedDescents(expression, (prefix) => this.#schema.namespaces.get(prefix));
    this.#expressions.set(key, expression);
    return expression;
  }

  #finding({ id, flag, text, variables }: Assertion, element: Element): RuleFinding {
    const words = text.map((part) =>
      typeof part === "string"
        ? part
        : this.#xpath.evaluateXPathToString(
            this.#expression(part.select, variables),
            element,
            facade,
            null,
            this.#options,
          ),
    );
    return { rule: id, flag, text: words.join("").replace(/\s+/g, " ").trim(), path: placeOf(element) };
  }
}

const XML_SCHEMA = "http://www.w3.org/2001/XMLSchema";

function isNamedIn(name: string, expression: string): boolean {
  for (let at = expression.indexOf(`$${name}`); at >= 0; at = expression.indexOf(`$${name}`, at + 1))
    if (!/[\w.-]/.test(expression[at + name.length + 1] ?? "")) return true;
  return false;
}
