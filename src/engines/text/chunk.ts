/** Cuts a text into pieces of a size, at places where readers would, and never inside a character. */
import { CapabilityError } from "../../errors.js";
import type { Unit } from "./chunk-unit.js";
import { graphemeStarts } from "./graphemes.js";
import { markdownBlocks } from "./markdown-blocks.js";

const MAX_CHUNKS = 100_000;
const MAX_SUM = 5_000_000;

export interface ChunkOptions {
  text: string;
  by: "characters" | "sentences" | "markdown" | "paragraphs";
  /** In UTF-16 units; only a single character may be longer. */
  max: number;
  overlap: number;
  language: string;
}

export interface Chunk {
  index: number;
  start: number;
  end: number;
  text: string;
  characters: number;
  headings: string[];
}

export function chunkText({ text, ...options }: ChunkOptions): Chunk[] {
  const starts = graphemeStarts(text);
  const cuts = packed(text, unitsOf(text, options), starts, options.max - options.overlap);
  assertSize(cuts, options);
  let from = 0;
  return cuts.map(({ end, headings = [] }, index): Chunk => {
    const start =
      index === 0 ? 0 : boundary(starts, Math.min(from, Math.max(from - options.overlap, end - options.max)), from);
    from = end;
    let characters = 0;
    for (let at = start; at < end; at++) characters += starts[at] ?? 0;
    return { index, start, end, text: text.slice(start, end), characters, headings };
  });
}

/** Each chunk repeats the overlap, so the sum may be far longer than the text. */
function assertSize(cuts: Unit[], { overlap }: Pick<ChunkOptions, "overlap">): void {
  const length = (cuts.at(-1)?.end ?? 0) + cuts.length * overlap;
  // guard: offline: a text makes so many chunks | always | chunk
  if (cuts.length <= MAX_CHUNKS && length <= MAX_SUM) return;
  const path = overlap > 0 ? "overlap" : "max";
  const message = `makes ${cuts.length} chunks; at most ${MAX_CHUNKS} chunks and ${MAX_SUM} characters are answered`;
  throw new CapabilityError("RESULT_TOO_LARGE", `${path}: ${message}`, { issues: [{ path, message }] });
}

/** The first beginning of a character at or after a position, at most `limit`. */
function boundary(starts: Uint8Array, position: number, limit: number): number {
  let at = Math.max(0, position);
  while (at < limit && !starts[at]) at++;
  return at;
}

/** Units put together while they fit. */
function packed(text: string, units: Unit[], starts: Uint8Array, max: number): Unit[] {
  const cuts: Unit[] = [];
  let from = 0;
  let open: Unit | undefined;
  const close = () => {
    if (open) {
      cuts.push(open);
      from = open.end;
    }
    open = undefined;
  };
  for (const unit of units) {
    if (open && (unit.ownChunk || unit.end - from > max)) close();
    if (unit.end - from > max) {
      for (const end of split(text, from, unit.end, starts, max)) cuts.push({ ...unit, end });
      from = unit.end;
    } else open = { end: unit.end, headings: open?.headings ?? unit.headings ?? [] };
  }
  close();
  return cuts;
}

/** Ends of pieces of one unit that is too long: after a blank in their second half, else after a character. */
function split(text: string, from: number, end: number, starts: Uint8Array, max: number): number[] {
  const ends: number[] = [];
  for (let start = from; start < end; ) {
    let cut = Math.min(start + max, end);
    while (cut > start && !starts[cut]) cut--;
    if (cut === start) cut = boundary(starts, start + 1, end);
    else if (cut < end) cut = afterBlank(text, start + Math.floor(max / 2), cut, starts) ?? cut;
    ends.push(cut);
    start = cut;
  }
  return ends;
}

function afterBlank(text: string, from: number, to: number, starts: Uint8Array): number | undefined {
  for (let at = to; at > from; at--) if (starts[at] && /\s/.test(text[at - 1] as string)) return at;
  return undefined;
}

function unitsOf(text: string, { by, language }: Pick<ChunkOptions, "by" | "language">): Unit[] {
  if (text === "") return [];
  if (by === "characters") return [{ end: text.length }];
  if (by === "markdown") return markdownBlocks(text);
  const paragraphs = [...text.matchAll(/\n[^\S\n]*\n\s*/g)].map(({ index, 0: gap }) => index + gap.length);
  const ends = [...new Set([...paragraphs, text.length])].filter((end) => end > 0);
  if (by === "paragraphs") return ends.map((end) => ({ end }));
  return ends.flatMap((end, index) => sentencesIn(text, ends[index - 1] ?? 0, end, language));
}

const WINDOW = 4_096;

/** Sentences of a paragraph, in windows because Node 20 copies the whole text for each. */
function sentencesIn(text: string, from: number, to: number, language: string): Unit[] {
  const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
  const units: Unit[] = [];
  for (let at = from; at < to; ) {
    const window = text.slice(at, Math.min(at + WINDOW, to));
    const ends = Array.from(segmenter.segment(window), ({ index, segment }) => at + index + segment.length);
    const isLast = at + window.length === to;
    // The last one may go on behind the window.
    const whole = isLast || ends.length === 1 ? ends : ends.slice(0, -1);
    for (const end of whole) units.push({ end });
    at = whole.at(-1) ?? to;
  }
  return units;
}
