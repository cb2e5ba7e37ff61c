/**
 * A strict reader of elements, attributes and text that knows no document types, so there is nothing that a text could
 * make it load or multiply. One pass, without recursion.
 */
export interface XmlElement {
  /** As written, with its prefix. */
  name: string;
  /** In the order of the text; names are different. */
  attributes: [name: string, value: string][];
  /** Elements and texts in the order of the text; CDATA is text. */
  children: (XmlElement | string)[];
}

export const MAX_XML_DEPTH = 200;
export const MAX_XML_NODES = 200_000;

const NAME = /[\p{L}_:][\p{L}\p{N}\p{M}_:.\-·]*/uy;
const BLANKS = /[ \t\r\n]*/y;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,40}));/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const NAMED: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Text that is not XML, with the place; or `isTooLarge`: above a bound of this file or of the caller. */
export class XmlFault extends Error {
  override readonly name = "XmlFault";
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** The root element. Throws XmlFault. */
export function readXml(text: string, maxLength: number): XmlElement {
  if (text.length > maxLength) throw tooLarge(`has more than ${maxLength} characters`);
  return new XmlReader(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n")).read();
}

class XmlReader {
  readonly #text: string;
  readonly #open: XmlElement[] = [];
  #root: XmlElement | undefined;
  #at = 0;
  #nodes = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): XmlElement {
    const text = this.#text;
    const forbidden = FORBIDDEN.exec(text);
    if (forbidden) throw this.#wrong("a character that XML does not allow", forbidden.index);
    while (this.#at < text.length) {
      const next = text.indexOf("<", this.#at);
      const end = next < 0 ? text.length : next;
      if (end > this.#at) this.#addText(text.slice(this.#at, end), this.#at);
      this.#at = end;
      if (next >= 0) this.#readMarkup();
    }
    const left = this.#open.at(-1);
    if (left) throw this.#wrong(`<${left.name}> is not closed`);
    if (!this.#root) throw this.#wrong("an element is missing");
    return this.#root;
  }

  #readMarkup(): void {
    const text = this.#text;
    const at = this.#at;
    // guard: offline: a document of XML declares no types | throw this.#wrong( -> this.#until(">", 2, | xml/parse
    if (text.startsWith("<!--", at)) this.#readComment();
    else if (text.startsWith("<![CDATA[", at)) this.#addPlain(this.#until("]]>", 9, "CDATA"));
    else if (text.startsWith("<?", at)) this.#until("?>", 2, "a processing instruction");
    else if (text.startsWith("<!", at))
      throw this.#wrong("document types are not read: leave out <!DOCTYPE and its entities");
    else if (text[at + 1] === "/") this.#close();
    else this.#begin();
  }

  #readComment(): void {
    if (this.#until("-->", 4, "a comment").includes("--")) throw this.#wrong("-- stands inside a comment");
  }

  /** The text up to a mark, which is passed. */
  #until(mark: string, skip: number, what: string): string {
    const start = this.#at + skip;
    const end = this.#text.indexOf(mark, start);
    if (end < 0) throw this.#wrong(`${what} does not end`);
    this.#at = end + mark.length;
    return this.#text.slice(start, end);
  }

  #begin(): void {
    const start = this.#at++;
    const element: XmlElement = { name: this.#readName(), attributes: [], children: [] };
    this.#count();
    const parent = this.#open.at(-1);
    if (parent) parent.children.push(element);
    else if (this.#root) throw this.#wrong("there is a second root element", start);
    else this.#root = element;
    this.#readAttributes(element);
    if (this.#text.startsWith("/>", this.#at)) this.#at += 2;
    else if (this.#text[this.#at] === ">") {
      this.#at++;
      this.#open.push(element);
      // guard: offline: XML is nested so deeply | gone | xml/parse
      if (this.#open.length > MAX_XML_DEPTH) throw tooLarge(`is nested deeper than ${MAX_XML_DEPTH} elements`);
    } else throw this.#wrong(`<${element.name}> does not end`);
  }

  #readAttributes({ name, attributes }: XmlElement): void {
    const seen = new Set<string>();
    for (;;) {
      const hadBlank = this.#skipBlanks();
      const next = this.#text[this.#at];
      if (next === undefined || next === ">" || next === "/") return;
      if (!hadBlank) throw this.#wrong(`a blank is missing in <${name}>`);
      const attribute = this.#readName();
      if (seen.has(attribute)) throw this.#wrong(`<${name}> has two attributes ${attribute}`);
      seen.add(attribute);
      this.#count();
      attributes.push([attribute, this.#readValue(attribute)]);
    }
  }

  #readValue(attribute: string): string {
    this.#skipBlanks();
    if (this.#text[this.#at++] !== "=") throw this.#wrong(`${attribute} has no value`, this.#at - 1);
    this.#skipBlanks();
    const quote = this.#text[this.#at];
    if (quote !== '"' && quote !== "'") throw this.#wrong(`the value of ${attribute} has no quotation marks`);
    const start = this.#at + 1;
    const value = this.#until(quote, 1, `the value of ${attribute}`);
    if (value.includes("<")) throw this.#wrong(`< stands in the value of ${attribute}`, start);
    return this.#expand(value.replace(/[\t\n]/g, " "), start);
  }

  #close(): void {
    const start = this.#at;
    this.#at += 2;
    const name = this.#readName();
    this.#skipBlanks();
    const open = this.#open.pop();
    if (!open) throw this.#wrong(`</${name}> closes nothing`, start);
    if (open.name !== name) throw this.#wrong(`</${name}> stands where <${open.name}> is open`, start);
    if (this.#text[this.#at++] !== ">") throw this.#wrong(`</${name}> does not end`, this.#at - 1);
  }

  #addText(raw: string, at: number): void {
    if (raw.includes("]]>")) throw this.#wrong("]]> stands in a text", at);
    if (this.#open.length > 0) this.#addPlain(raw.includes("&") ? this.#expand(raw, at) : raw);
    else if (/[^ \t\n]/.test(raw)) throw this.#wrong("text stands outside of the root element", at);
  }

  /** A text beside a text is one with it. */
  #addPlain(text: string): void {
    const children = this.#open.at(-1)?.children;
    if (!children) throw this.#wrong("text stands outside of the root element");
    const before = children.at(-1);
    if (typeof before === "string") children[children.length - 1] = before + text;
    else {
      this.#count();
      children.push(text);
    }
  }

  #expand(raw: string, at: number): string {
    let expanded = "";
    let from = 0;
    for (let i = raw.indexOf("&"); i >= 0; i = raw.indexOf("&", from)) {
      ENTITY.lastIndex = i;
      const [whole, decimal, hex, name = ""] = ENTITY.exec(raw) ?? [];
      const char =
        decimal || hex ? characterOf(decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16)) : NAMED.get(name);
      if (whole === undefined || char === undefined)
        throw this.#wrong("& begins no character: write &amp;, or one of &lt; &gt; &quot; &apos; &#...;", at + i);
      expanded += raw.slice(from, i) + char;
      from = i + whole.length;
    }
    return expanded + raw.slice(from);
  }

  #readName(): string {
    NAME.lastIndex = this.#at;
    const [name] = NAME.exec(this.#text) ?? [];
    if (name === undefined) throw this.#wrong("a name is missing");
    this.#at += name.length;
    return name;
  }

  #skipBlanks(): boolean {
    BLANKS.lastIndex = this.#at;
    const { length } = BLANKS.exec(this.#text)?.[0] ?? "";
    this.#at += length;
    return length > 0;
  }

  #count(): void {
    // guard: offline: XML has a largest number of nodes | gone | xml/parse
    if (++this.#nodes > MAX_XML_NODES) throw tooLarge(`has more than ${MAX_XML_NODES} elements, attributes and texts`);
  }

  #wrong(what: string, at = this.#at): XmlFault {
    const before = this.#text.slice(0, at);
    const line = before.split("\n").length;
    return new XmlFault(`is not well-formed XML: ${what} (line ${line}, column ${at - before.lastIndexOf("\n")})`);
  }
}

/** Undefined for a number that is not a character of XML. */
function characterOf(code: number): string | undefined {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  if (code > 0x10ffff || code === 0 || isSurrogate) return undefined;
  const char = String.fromCodePoint(code);
  return FORBIDDEN.test(char) ? undefined : char;
}

const tooLarge = (what: string) => new XmlFault(what, true);
