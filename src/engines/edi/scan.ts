/** Cuts a text into segments in one pass. Line breaks are no data: files are wrapped at 80 columns, or a segment a line. */
import { invalid } from "../../errors.js";
import { Assembler, type EdiFile } from "./envelope.js";
import { type Delimiters, type ElementValue, type Faults, first, type PlacedSegment, type Value } from "./segment.js";

const MAX_SEGMENTS = 200_000;

const isBlank = (sign: string | undefined): boolean =>
  sign === "\n" || sign === "\r" || sign === " " || sign === "\t" || sign === "\0";

/** The next place that is not a blank. */
export function skipBlanks(text: string, at: number): number {
  let next = at;
  while (next < text.length && isBlank(text[next])) next++;
  return next;
}

/** Collects what stands between delimiters. */
class Collector {
  readonly elements: ElementValue[] = [];
  #repetitions: Value[] = [];
  #components: string[] = [];
  #text = "";

  add(text: string): void {
    this.#text += text;
  }

  skip(): void {}

  component(): void {
    this.#components.push(this.#text);
    this.#text = "";
  }

  repetition(): void {
    this.component();
    const [only = "", ...more] = this.#components;
    this.#repetitions.push(more.length > 0 ? this.#components : only);
    this.#components = [];
  }

  element(): void {
    this.repetition();
    const [only = "", ...more] = this.#repetitions;
    this.elements.push(more.length > 0 ? { repeat: this.#repetitions } : only);
    this.#repetitions = [];
  }
}

/** Reads the segment whose tag begins at `at`. A text without a terminator ends it. */
export function readSegment(text: string, at: number, delimiters: Delimiters): PlacedSegment {
  const { end: tagEnd, tag } = readTag(text, at, delimiters);
  if (text[tagEnd] !== delimiters.tag) {
    const isEnded = text[tagEnd] === delimiters.segment;
    return { tag, elements: [], at, end: tagEnd + (isEnded ? 1 : 0), isEnded };
  }
  const collector = new Collector();
  const end = readElements(text, tagEnd + 1, delimiters, collector);
  collector.element();
  const isEnded = text[end] === delimiters.segment;
  return { tag, elements: collector.elements, at, end: end + (isEnded ? 1 : 0), isEnded };
}

function readTag(text: string, at: number, { tag: mark, segment }: Delimiters): { tag: string; end: number } {
  let tag = "";
  let end = at;
  for (; end < text.length && text[end] !== mark && text[end] !== segment; end++)
    if (!isBlank(text[end])) tag += text[end];
  return { tag, end };
}

/** Answers the place of the terminator, or of the end. Plain stretches are taken as a whole. */
function readElements(text: string, from: number, delimiters: Delimiters, collector: Collector): number {
  const actions = actionsOf(delimiters);
  let start = from;
  for (let at = from; ; at++) {
    const action = at < text.length ? actions.get(text[at] ?? "") : "end";
    if (action === undefined) continue;
    if (at > start) collector.add(text.slice(start, at));
    if (action === "end") return Math.min(at, text.length);
    start = at + 1;
    if (action === "release") at = start = released(text, at);
    else collector[action]();
  }
}

type Action = "end" | "element" | "component" | "repetition" | "release" | "skip";
const known = new WeakMap<Delimiters, ReadonlyMap<string, Action>>();

function actionsOf(delimiters: Delimiters): ReadonlyMap<string, Action> {
  const found = known.get(delimiters);
  if (found) return found;
  const { element, component, segment, repetition, release } = delimiters;
  const actions = new Map<string, Action>([
    ["\n", "skip"],
    ["\r", "skip"],
    [repetition ?? element, "repetition"],
    [release ?? element, "release"],
    [component, "component"],
    [element, "element"],
    [segment, "end"],
  ]);
  known.set(delimiters, actions);
  return actions;
}

/** The sign behind a release character is text; the end of a wrapped line may part the two. */
function released(text: string, at: number): number {
  let next = at + 1;
  while (text[next] === "\n" || text[next] === "\r") next++;
  return next;
}

export interface Dialect {
  format: EdiFile["format"];
  tag: RegExp;
  handlers: Readonly<Record<string, (assembler: Assembler, segment: PlacedSegment, elements: ElementValue[]) => void>>;
  /**
   * At the header of an interchange: its delimiters, and where its segment begins, or where the next one does if the
   * header was read. Null for a broken one, undefined for what is not a header.
   */
  header(text: string, at: number, assembler: Assembler): Header | null | undefined;
  read?(text: string, at: number, delimiters: Delimiters, faults: Faults): PlacedSegment;
}

/** Trailers that tell a count and repeat the control number of their header. */
export const trailers = (tags: { transaction: string; group: string; interchange: string }): Dialect["handlers"] => ({
  [tags.transaction]: (assembler, segment, [count, control]) =>
    assembler.endTransaction(segment, first(count), first(control)),
  [tags.group]: (assembler, segment, [count, control]) => assembler.endGroup(segment, first(count), first(control)),
  [tags.interchange]: (assembler, segment, [count, control]) =>
    assembler.endInterchange(segment, first(count), first(control)),
});

export interface Header {
  delimiters: Delimiters;
  next: number;
  isRead: boolean;
}

/** Undefined where not even the delimiters are found. */
export function readFile(text: string, from: number, faults: Faults, dialect: Dialect): EdiFile | undefined {
  const assembler = new Assembler(faults);
  const opened: Delimiters[] = [];
  let count = 0;
  for (let at = from; at < text.length; at = skipBlanks(text, at)) {
    // guard: an EDI file has a largest number of segments | gone | edi/edi
    if (++count > MAX_SEGMENTS) throw invalid("", `must have at most ${MAX_SEGMENTS} segments`);
    const header = dialect.header(text, at, assembler);
    if (header === null || (!header && !assembler.isOpen)) {
      faults.add("delimiter", at);
      break;
    }
    if (header) opened.push(header.delimiters);
    const delimiters = opened.at(-1);
    at = header?.next ?? at;
    if (!delimiters || header?.isRead) continue;
    at = readOne(text, at, delimiters, { dialect, assembler, faults });
  }
  assembler.end(text.length);
  const [delimiters] = opened;
  return delimiters && { format: dialect.format, delimiters, interchanges: assembler.interchanges };
}

interface Reading {
  dialect: Dialect;
  assembler: Assembler;
  faults: Faults;
}

function readOne(text: string, at: number, delimiters: Delimiters, { dialect, assembler, faults }: Reading): number {
  const segment = (dialect.read ?? readSegment)(text, at, delimiters, faults);
  if (!segment.isEnded) faults.add("unfinished", segment.end);
  if (!dialect.tag.test(segment.tag)) faults.add("delimiter", at);
  const handle = Object.hasOwn(dialect.handlers, segment.tag) ? dialect.handlers[segment.tag] : undefined;
  if (handle) handle(assembler, segment, segment.elements);
  else assembler.put(segment);
  return segment.end;
}
