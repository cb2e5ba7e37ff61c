/** YAML 1.2 to values and back: aliases are counted, numbers keep their digits, `no` is a text. */

import type { Alias, Document, Node, Pair, Scalar } from "yaml";
import { CapabilityError, invalid, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";
import { MAX_DEPTH, MAX_NODES } from "../json/bounds.js";
import { has, type Members, setMember } from "../json/members.js";
import { ExactNumber, numberOf, placeIn, plainValue } from "../json/text.js";
import type { DataReadOptions } from "./formats.js";
import { needsQuotes, numberText, withUnseenEscaped } from "./yaml-plain.js";

const library = lazy(() => import("yaml").catch(without("yaml")).then(named));

/** A list has five for each row: the dash, a blank, a text with its mark, and the end of the line. */
const MAX_LEXEMES = 1_000_000;
const MAX_DOCUMENTS = 10_000;
const MAX_ALIASES = 100;
/** Values that aliases may repeat. */
const MAX_REPEATED = 100_000;

export async function readYaml(text: string, { note }: Pick<DataReadOptions, "note">): Promise<unknown> {
  const yaml = await library();
  assertFlat(text);
  const documents = documentsIn(text, yaml);
  const [only] = documents;
  const read = (document: Document) => new YamlReader(text, document, yaml, note).read();
  if (documents.length > 1) {
    note(`${documents.length} YAML documents became one list`);
    return documents.map(read);
  }
  return only ? read(only) : null;
}

function documentsIn(text: string, yaml: Library): Document[] {
  assertCountable(text, yaml);
  const composer = new yaml.Composer({ intAsBigInt: true, prettyErrors: false, logLevel: "silent", uniqueKeys: false });
  const documents: Document[] = [];
  for (const document of composer.compose(new yaml.Parser().parse(text))) {
    for (const { message, pos } of document.errors)
      throw invalid("", `is not YAML: ${message.slice(0, 200)} ${placeIn(text, pos[0])}`);
    // guard: offline: YAML has a largest number of documents | > MAX_DOCUMENTS -> < 0 | data/convert
    if (documents.push(document as Document) > MAX_DOCUMENTS)
      throw tooLarge(`has more than ${MAX_DOCUMENTS} documents`);
  }
  return documents;
}

/** Marks, blanks and texts are counted before nodes are built of them, which costs microseconds each. */
function assertCountable(text: string, yaml: Library): void {
  let count = 0;
  // guard: offline: YAML has a largest number of marks and texts | never | data/convert
  for (const _ of new yaml.Lexer().lex(text))
    if (++count > MAX_LEXEMES)
      throw tooLarge(`has more than ${MAX_LEXEMES} marks and texts: send it in parts, or as JSON`);
}

/** The parser takes a level of brackets as a level of its stack. */
function assertFlat(text: string): void {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    // guard: offline: YAML is nested so deeply | gone | data/convert
    if (depth > 4 * MAX_DEPTH) throw tooLarge(`is nested deeper than ${MAX_DEPTH} levels`);
    if (depth < 0) depth = 0;
  }
  if (/(?:^|\n)(?:[ \t]*[-?:][ \t]+){201}/.test(text)) throw tooLarge(`is nested deeper than ${MAX_DEPTH} levels`);
}

type Library = Awaited<ReturnType<typeof library>>;

class YamlReader {
  #nodes = 0;
  #aliases = 0;
  /** Values that came through aliases. */
  #repeated = 0;
  #within = 0;

  constructor(
    private readonly text: string,
    private readonly document: Document,
    private readonly yaml: Library,
    private readonly note: (message: string) => void,
  ) {}

  read(): unknown {
    return this.#value(this.document.contents as Node | null, 0);
  }

  #value(node: unknown, depth: number): unknown {
    const { isAlias, isMap, isScalar, isSeq } = this.yaml;
    if (++this.#nodes > MAX_NODES) throw tooLarge(`has more than ${MAX_NODES} values`);
    // guard: offline: aliases of YAML repeat so many values | gone | data/convert
    if (this.#within > 0 && ++this.#repeated > MAX_REPEATED) throw tooLarge("repeats too much by aliases");
    if (depth > MAX_DEPTH) throw tooLarge(`is nested deeper than ${MAX_DEPTH} levels, or within itself`);
    if (isAlias(node)) return this.#alias(node, depth);
    if (isScalar(node)) return this.#scalar(node);
    if (isSeq(node)) return node.items.map((item) => this.#value(item, depth + 1));
    if (isMap(node)) return this.#map(node.items, depth);
    if (this.yaml.isPair(node)) return this.#map([node], depth);
    return null;
  }

  #alias(node: Alias, depth: number): unknown {
    // guard: offline: YAML has a largest number of aliases | gone | data/convert
    if (++this.#aliases > MAX_ALIASES) throw tooLarge(`has more than ${MAX_ALIASES} aliases`);
    const target = node.resolve(this.document);
    if (!target) throw invalid("", `has an alias *${node.source} without an anchor ${this.#place(node)}`);
    this.#within++;
    const value = this.#value(target, depth + 1);
    this.#within--;
    return value;
  }

  #map(pairs: readonly Pair[], depth: number): Members {
    const members: Members = {};
    for (const { key, value } of pairs) {
      const name = this.#name(key, depth);
      if (has(members, name))
        throw invalid("", `has the key ${JSON.stringify(name).slice(0, 60)} twice ${this.#place(key)}`);
      setMember(members, name, this.#value(value, depth + 1));
    }
    return members;
  }

  #name(key: unknown, depth: number): string {
    const value = this.#value(key, depth + 1);
    if (typeof value === "string") return value;
    if (this.yaml.isScalar(key) && value !== null && key.source) return key.source;
    if (value !== null && typeof value === "object") this.note("keys that are lists or maps became their JSON text");
    return value === null ? "" : JSON.stringify(plainValue(value));
  }

  #scalar(node: Scalar): unknown {
    const { value, source } = node;
    if (typeof value === "bigint" || typeof value === "number") return this.#number(value, source ?? String(value));
    if (value instanceof Date) return source ?? value.toISOString();
    if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
    return value === undefined ? null : value;
  }

  #number(value: bigint | number, source: string): unknown {
    if (typeof value === "bigint") {
      const small = Number(value);
      return Number.isSafeInteger(small) ? small : new ExactNumber(value.toString());
    }
    if (!Number.isFinite(value)) {
      this.note(`${source} is not a number of JSON and became a text`);
      return source;
    }
    return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(source) ? numberOf(source) : value;
  }

  #place(node: unknown): string {
    const { range } = node as { range?: [number, number, number] | null };
    return range ? placeIn(this.text, range[0]) : "";
  }
}

/** YAML text that readers of 1.1 and 1.2 understand alike; numbers keep their digits. */
export async function writeYaml(value: unknown, indent: number): Promise<string> {
  const yaml = await library();
  const document = new yaml.Document(null, { aliasDuplicateObjects: false });
  const exact: string[] = [];
  document.contents = nodeOf(yaml, value, exact) as never;
  const text = document.toString({ indent: Math.max(1, indent), lineWidth: 0 });
  const escaped = withUnseenEscaped(text);
  return exact.length === 0
    ? escaped
    : escaped.replace(/exact-number-(\d+)-of-this-text/g, (name, i) => exact[i] ?? name);
}

/** The library writes no number that JavaScript cannot hold: a name stands for it until the text is there. */
function nodeOf(yaml: Library, value: unknown, exact: string[]): unknown {
  if (Array.isArray(value)) {
    const list = new yaml.YAMLSeq();
    for (const one of value) list.items.push(nodeOf(yaml, one, exact));
    return list;
  }
  const number = value instanceof ExactNumber ? value.text : typeof value === "number" ? String(value) : "";
  if (value instanceof ExactNumber || /e/i.test(number))
    return new yaml.Scalar(`exact-number-${exact.push(numberText(number)) - 1}-of-this-text`);
  if (typeof value === "string") return textNode(yaml, value);
  if (typeof value !== "object" || value === null) return new yaml.Scalar(value);
  const map = new yaml.YAMLMap();
  for (const [name, one] of Object.entries(value))
    map.items.push(new yaml.Pair(textNode(yaml, name), nodeOf(yaml, one, exact)) as never);
  return map;
}

/** The library quotes what 1.2 would read as another type; readers of 1.1 have more types. */
function textNode(yaml: Library, text: string): Scalar {
  const node = new yaml.Scalar(text);
  if (needsQuotes(text)) node.type = yaml.Scalar.QUOTE_DOUBLE;
  return node;
}

function tooLarge(what: string): CapabilityError {
  return new CapabilityError("RESULT_TOO_LARGE", `The YAML ${what}.`, { issues: [{ path: "", message: what }] });
}
