/** The text of iCalendar (RFC 5545) as nested components with properties, read in one pass. */

export interface IcsProperty {
  name: string;
  /** Names in upper case. */
  params: Record<string, string>;
  value: string;
  line: number;
}

export interface IcsComponent {
  name: string;
  properties: IcsProperty[];
  components: IcsComponent[];
  line: number;
}

export interface IcsProblem {
  line: number;
  message: string;
}

const MAX_DEPTH = 20;
const MAX_PROBLEMS = 100;

/** The components at the top, and what could not be read. */
export function readComponents(text: string): { components: IcsComponent[]; problems: IcsProblem[] } {
  const root: IcsComponent = { name: "", properties: [], components: [], line: 0 };
  const nesting: Nesting = { open: [root], deeper: 0 };
  const problems: IcsProblem[] = [];
  const report = (line: number, message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ line, message });
  };
  for (const { content, line } of unfolded(text)) {
    const property = readProperty(content, line);
    if (property) take(property, nesting, report);
    else report(line, "is not a property: a name, a colon and a value");
  }
  for (const { name, line } of nesting.open.slice(1)) report(line, `${name} has no END`);
  return { components: root.components, problems };
}

type Report = (line: number, message: string) => void;

interface Nesting {
  open: IcsComponent[];
  /** Components that lie too deep, with all in them. */
  deeper: number;
}

function take(property: IcsProperty, nesting: Nesting, report: Report): void {
  const { open, deeper } = nesting;
  if (property.name === "BEGIN")
    nesting.deeper += deeper === 0 && begin(open, property) ? 0 : tooDeep(property, report);
  else if (deeper > 0) nesting.deeper -= property.name === "END" ? 1 : 0;
  else if (property.name === "END") end(open, property, report);
  else open.at(-1)?.properties.push(property);
}

const nameOf = (value: string): string => value.trim().toUpperCase().slice(0, 100);

/** One level more. */
function tooDeep({ value, line }: IcsProperty, report: Report): 1 {
  report(line, `${nameOf(value)} lies deeper than ${MAX_DEPTH} levels`);
  return 1;
}

/** False for one that lies too deep. */
function begin(open: IcsComponent[], { value, line }: IcsProperty): boolean {
  if (open.length > MAX_DEPTH) return false;
  const component = { name: nameOf(value), properties: [], components: [], line };
  open.at(-1)?.components.push(component);
  open.push(component);
  return true;
}

function end(open: IcsComponent[], { value, line }: IcsProperty, report: Report): void {
  const name = value.trim().toUpperCase();
  const at = open.findLastIndex((component) => component.name === name);
  if (at < 1) report(line, `END:${name.slice(0, 100)} has no BEGIN`);
  else open.splice(at);
}

/** Lines that begin with a blank go on with the line before. */
function* unfolded(text: string): Generator<{ content: string; line: number }> {
  let parts: string[] = [];
  let [start, line] = [0, 0];
  for (const raw of text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/)) {
    line += 1;
    if (/^[ \t]/.test(raw) && parts.length > 0) {
      parts.push(raw.slice(1));
      continue;
    }
    if (parts.length > 0) yield { content: parts.join(""), line: start };
    [parts, start] = [raw.trim() === "" ? [] : [raw], line];
  }
  if (parts.length > 0) yield { content: parts.join(""), line: start };
}

function readProperty(content: string, line: number): IcsProperty | undefined {
  const [name] = /^[A-Za-z0-9-]+/.exec(content) ?? [];
  if (name === undefined) return;
  const params: Record<string, string> = Object.create(null);
  let at = name.length;
  while (content[at] === ";") {
    const stop = endOfParam(content, at + 1);
    const equals = content.indexOf("=", at);
    if (equals < 0 || equals > stop) return;
    params[content.slice(at + 1, equals).toUpperCase()] = unquoted(content.slice(equals + 1, stop));
    at = stop;
  }
  return content[at] === ":" ? { name: name.toUpperCase(), params, value: content.slice(at + 1), line } : undefined;
}

/** Where a parameter ends: at the next `;` or `:` outside quotes. */
function endOfParam(content: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < content.length; at++) {
    const letter = content[at];
    if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (letter === ";" || letter === ":")) return at;
  }
  return content.length;
}

const ESCAPES: Record<string, string> = { "^n": "\n", "^^": "^", "^'": '"' };

/** Of several values the first; RFC 6868 escapes what quotes cannot hold. */
function unquoted(value: string): string {
  const [first = ""] = /^"[^"]*"/.exec(value) ?? [value];
  return first.replaceAll('"', "").replace(/\^[n^']/g, (letters) => ESCAPES[letters] ?? letters);
}

/** Text of a value, with its escapes read. */
export const unescapedText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, letter: string) => (letter.toLowerCase() === "n" ? "\n" : letter));

export const propertyOf = ({ properties }: IcsComponent, name: string): IcsProperty | undefined =>
  properties.find((property) => property.name === name);

export const propertiesOf = ({ properties }: IcsComponent, name: string): IcsProperty[] =>
  properties.filter((property) => property.name === name);
