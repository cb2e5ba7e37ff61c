/** Prints results for people: lists as tables, a single object as its fields, and everything else as JSON. */
import type { Terminal } from "./terminal.js";

/** A table with more columns is unreadable. */
const MAX_COLUMNS = 8;

export function showResult(terminal: Terminal, result: unknown): void {
  if (!isRecord(result) || !Array.isArray(result.items)) {
    terminal.out(JSON.stringify(result, null, 2));
    return;
  }
  const { items, total, source } = result;
  const [first] = items;
  if (items.length === 1 && isRecord(first)) showFields(terminal, first);
  else if (items.length > 0 && items.every(isRecord)) showRows(terminal, items as Record<string, unknown>[]);
  else terminal.out(items.length === 0 ? "Nothing was found." : items.map(text).join("\n"));
  const count = typeof total === "number" && total > items.length ? `${items.length} of ${total}. ` : "";
  if (!isRecord(source)) return;
  const line = source.attribution ? `. ${source.attribution}` : "";
  terminal.note(terminal.dim(`${count}Source: ${source.provider}, ${source.license}${line}`));
}

/** Shows the text of chunks as it comes, and other chunks as lines of JSON. False if its reader left before the end. */
export async function showStream(terminal: Terminal, chunks: AsyncIterable<unknown>): Promise<boolean> {
  const closed = terminal.closed();
  let isInLine = false;
  for await (const chunk of chunks) {
    if (closed.aborted) return false;
    const said = saidIn(chunk);
    if (said === undefined) terminal.out(JSON.stringify(chunk));
    else if (said !== "") terminal.write(said);
    isInLine = said !== undefined;
  }
  if (isInLine) terminal.out("");
  return !closed.aborted;
}

/** The text of a chunk in the format of chats; undefined for any other. */
function saidIn(chunk: unknown): string | undefined {
  const { choices } = (chunk ?? {}) as { choices?: { delta?: { content?: string; refusal?: string } }[] };
  if (!Array.isArray(choices)) return undefined;
  const texts = choices.map(({ delta }) => delta && (delta.content ?? delta.refusal ?? ""));
  // Upstream text may contain control characters, which must not reach a terminal.
  return texts.includes(undefined) ? undefined : texts.join("").replace(/(?![\t\n])\p{Cc}/gu, "");
}

function showFields(terminal: Terminal, item: Record<string, unknown>): void {
  const flat = Object.entries(item).flatMap(([name, value]): [string, unknown][] =>
    isRecord(value) ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one]) : [[name, value]],
  );
  terminal.table(flat.map(([name, value]) => [terminal.dim(name), text(value)]));
}

function showRows(terminal: Terminal, items: Record<string, unknown>[]): void {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const filled = names.filter((name) => items.some((item) => item[name] !== null && item[name] !== undefined));
  const shown = terminal.watched ? filled.slice(0, MAX_COLUMNS) : filled;
  terminal.table(
    items.map((item) => shown.map((name) => text(item[name]))),
    shown,
  );
  const hidden = filled.length - shown.length;
  if (hidden > 0) terminal.note(terminal.dim(`${hidden} more columns: --json shows everything.`));
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
