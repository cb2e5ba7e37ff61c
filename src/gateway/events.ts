/** Reads an answer that comes in parts: server-sent events, lines of JSON, or text. */
import { NamedEvent } from "../capability/named-event.js";
import { BodyTooLargeError } from "../lib/http/read-limited.js";
import { shapeOf } from "../lib/text/json.js";
import { MAX_DEPTH } from "./answer.js";

/** One event or line, whose parts are kept until it is whole. */
const MAX_PART = 1024 * 1024;

const SEPARATOR = String.fromCharCode(30);
const LINES = /^application\/(?:x-ndjson|jsonl|jsonlines|json-seq|x-jsonlines)$/;

/** Whether answers of a media type come in parts. */
export const comesInParts = (type: string): boolean =>
  type === "text/event-stream" || LINES.test(type) || type === "text/plain";

interface Reading {
  type: string;
  maxBytes: number;
  onText(text: string): void;
  /** How many of the last characters of a text must wait for what follows, to be judged with it. */
  begunIn(text: string): number;
}

/** The parts as they come. Throws BodyTooLargeError beyond `maxBytes`. `onText` judges each before it is passed on. */
export async function* readParts(
  body: AsyncIterable<Uint8Array>,
  { type, maxBytes, onText, begunIn }: Reading,
): AsyncGenerator<unknown, void, void> {
  const texts = textsOf(body, maxBytes);
  const lines = linesOf(texts);
  if (type === "text/event-stream") yield* eventsIn(lines, onText);
  else if (type === "text/plain") yield* plain(texts, { onText, begunIn });
  else yield* valuesIn(lines, onText);
}

/** Where a text is divided is up to the network, and a credential may stand on both sides. */
async function* plain(
  texts: AsyncIterable<string>,
  { onText, begunIn }: Pick<Reading, "onText" | "begunIn">,
): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const text of texts) {
    const all = rest + text;
    onText(all);
    // guard: gateway: a text is passed on without the beginning of a credential | = 0 | gateway/stream
    const waits = begunIn(all);
    rest = all.slice(all.length - waits);
    if (waits < all.length) yield all.slice(0, all.length - waits);
  }
  if (rest !== "") yield rest;
}

async function* judged(
  texts: AsyncIterable<string>,
  onText: (text: string) => void,
): AsyncGenerator<string, void, void> {
  for await (const text of texts) {
    onText(text);
    yield text;
  }
}

async function* valuesIn(
  lines: AsyncIterable<string>,
  onText: (text: string) => void,
): AsyncGenerator<unknown, void, void> {
  for await (const line of judged(lines, onText)) {
    // A sequence of JSON (RFC 7464) marks each text by a record separator.
    const text = (line.startsWith(SEPARATOR) ? line.slice(1) : line).trim();
    if (text !== "") yield jsonOr(text);
  }
}

async function* eventsIn(
  lines: AsyncIterable<string>,
  onText: (text: string) => void,
): AsyncGenerator<unknown, void, void> {
  let open: Open = { data: [], size: 0 };
  for await (const line of judged(lines, onText)) {
    if (line !== "") {
      addLine(open, line);
      continue;
    }
    const event = eventOf(open);
    open = { data: [], size: 0 };
    if (event !== undefined) yield event;
  }
}

async function* textsOf(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new BodyTooLargeError();
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") yield text;
  }
}

/** An event that was not ended by an empty line is none; a last line of JSON may lack its end. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let rest: string[] = [];
  let size = 0;
  let wasReturn = false;
  for await (const text of texts) {
    // A line break of two characters may come in two parts.
    const joined = wasReturn && text.startsWith("\n") ? text.slice(1) : text;
    wasReturn = text.endsWith("\r");
    const lines = joined.split(/\r\n|\n|\r/);
    for (const [index, line] of lines.entries()) {
      rest.push(line);
      size += line.length;
      if (size > MAX_PART) throw new BodyTooLargeError();
      if (index === lines.length - 1) continue;
      yield rest.join("");
      rest = [];
      size = 0;
    }
  }
  if (size > 0) yield rest.join("");
}

interface Open {
  event?: string;
  id?: string;
  data: string[];
  size: number;
}

function addLine(open: Open, line: string): void {
  const [name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line)?.slice(1) ?? [];
  open.size += line.length;
  if (open.size > MAX_PART) throw new BodyTooLargeError();
  if (name === "data") open.data.push(value);
  else if (name === "event") open.event = value;
  else if (name === "id" && !value.includes("\0")) open.id = value;
}

/** Undefined for what says nothing, and for the end that OpenAI's format marks, since our own follows. */
function eventOf({ event, id, data }: Open): unknown {
  if (data.length === 0) return undefined;
  const text = data.join("\n");
  const isNamed = (event !== undefined && event !== "" && event !== "message") || id !== undefined;
  if (!isNamed) return text === "[DONE]" ? undefined : jsonOr(text);
  return new NamedEvent(event || "message", text, id);
}

function jsonOr(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return shapeOf(text).depth > MAX_DEPTH ? text : value;
  } catch {
    return text;
  }
}
