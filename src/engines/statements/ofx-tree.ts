/** The elements of OFX: in version 1 values have no end tags, in version 2 it is XML. One pass, without recursion. */
import { CapabilityError, invalid } from "../../errors.js";

export interface OfxElement {
  name: string;
  /** Text of an element without children; empty otherwise. */
  value: string;
  children: OfxElement[];
}

const MAX_DEPTH = 200;
const MAX_ELEMENTS = 400_000;
const MAX_TAG = 100;

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " " };

const plain = (text: string): string =>
  text
    .replace(/&(?:#(\d{1,6})|(\w{2,6}));/g, (whole, digits, name) =>
      digits ? String.fromCodePoint(Math.min(Number(digits), 0x10ffff)) : (ENTITIES[name] ?? whole),
    )
    .trim();

export function ofxTree(text: string): OfxElement {
  const start = text.search(/<OFX[>\s]/i);
  const root: OfxElement = { name: "", value: "", children: [] };
  const open = [root];
  let count = 0;
  for (let begin = start; begin >= 0; begin = text.indexOf("<", begin + 1)) {
    const end = text.indexOf(">", begin);
    if (end < 0) throw invalid("", "ends inside a tag");
    if (++count > MAX_ELEMENTS) throw tooMany();
    const tag = text.slice(begin + 1, Math.min(end, begin + MAX_TAG));
    const next = text.indexOf("<", end);
    readTag(open, tag, text.slice(end + 1, next < 0 ? text.length : next));
  }
  return root;
}

function readTag(open: OfxElement[], tag: string, value: string): void {
  if (/^!(?:DOCTYPE|ENTITY)/i.test(tag)) throw invalid("", "document types are not read: leave out <!DOCTYPE");
  if (tag.startsWith("!") || tag.startsWith("?")) return;
  if (tag.startsWith("/")) close(open, tag.slice(1).trim().toUpperCase());
  else add(open, tag, plain(value));
}

function add(open: OfxElement[], tag: string, value: string): void {
  const name = (/^[\w.:-]+/.exec(tag)?.[0] ?? "").toUpperCase();
  const element: OfxElement = { name, value, children: [] };
  open.at(-1)?.children.push(element);
  if (value !== "" || tag.endsWith("/")) return;
  open.push(element);
  // guard: offline: OFX is nested so deeply | gone | statement
  if (open.length > MAX_DEPTH) throw invalid("", `is nested deeper than ${MAX_DEPTH} elements`);
}

/** Closes what is open under this name, and all that was left open within; the end of a value closes nothing. */
function close(open: OfxElement[], name: string): void {
  const at = open.findLastIndex((element) => element.name === name);
  if (at > 0) open.length = at;
}

const tooMany = () => {
  const message = `has more than ${MAX_ELEMENTS} elements`;
  return new CapabilityError("RESULT_TOO_LARGE", message, { issues: [{ path: "", message }] });
};

/** Elements of these names, in the order of the text; what stands within a found one is not looked at. */
export function findAll(root: OfxElement, names: readonly string[]): OfxElement[] {
  const found: OfxElement[] = [];
  const left = [root];
  for (let element = left.pop(); element; element = left.pop())
    if (names.includes(element.name)) found.push(element);
    else left.push(...element.children.toReversed());
  return found;
}

/** The value of the first element of a name, at any depth: an empty value without an end tag swallows what follows. */
export const valueIn = (root: OfxElement | undefined, name: string): string | null =>
  (root && findAll(root, [name])[0]?.value) || null;
