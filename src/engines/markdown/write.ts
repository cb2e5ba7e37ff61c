/** Writes documents as CommonMark, with the tables, strikethrough, tasks and footnotes of GitHub's Markdown. */
import type { List, Nodes, Parents, Root, Table, TableCell, TableRow } from "mdast";
import { gfmFootnoteToMarkdown } from "mdast-util-gfm-footnote";
import { gfmStrikethroughToMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemToMarkdown } from "mdast-util-gfm-task-list-item";
import { defaultHandlers as handle, type Info, type Options, type State, toMarkdown } from "mdast-util-to-markdown";
import { CellRoom } from "./cells.js";

const EXTENSIONS: Options[] = [
  gfmFootnoteToMarkdown(),
  gfmStrikethroughToMarkdown(),
  gfmTableToMarkdown(),
  gfmTaskListItemToMarkdown(),
  // A table's columns are not aligned by blanks: readers of the source are models, and blanks cost them tokens.
  { handlers: { table: writeTable, root: writeRoot, list: writeList } },
  // Readers of Markdown take it for a blank at the end of a line.
  {
    unsafe: [
      { character: "\u00a0", before: "[\\r\\n]", inConstruct: "phrasing" },
      { character: "\u00a0", after: "[\\r\\n]", inConstruct: "phrasing" },
    ],
  },
];

/** A text that ends with a line break, or the empty one. */
export const writeMarkdown = (root: Root): string =>
  toMarkdown(root, { extensions: EXTENSIONS, rule: "-", fences: true, listItemIndent: "one" });

/** Of each document that is being written. */
const rooms = new WeakMap<State, CellRoom>();

function writeTable(table: Table, _parent: Parents | undefined, state: State, info: Info): string {
  const exit = state.enter("table");
  const room = rooms.get(state) ?? new CellRoom();
  rooms.set(state, room);
  const width = table.children.reduce((most, row) => Math.max(most, row.children.length), 1);
  room.take(width * table.children.length);
  const rows = table.children.map((row) => cellsOf(row, state, info, room));
  exit();
  const lines = rows.map((row) => line([...row, ...Array<string>(width - row.length).fill("")]));
  const [head = line(Array<string>(width).fill("")), ...rest] = lines;
  return [head, line(Array.from({ length: width }, (_, i) => MARKS[table.align?.[i] ?? "none"])), ...rest].join("\n");
}

/** The library escapes each & before a letter, and addresses are full of them; only before a name and a semicolon it means more. */
function writeRoot(root: Root, parent: Parents | undefined, state: State, info: Info): string {
  state.unsafe = [
    ...state.unsafe.filter(({ character }) => character !== "&"),
    { character: "&", after: "#?[A-Za-z0-9]{1,32};" },
  ];
  return handle.root(root, parent, state, info);
}

/** A cell's parts are written twice, to see how they begin; the second time must not count as a second list, which would have other marks. */
function writeList(list: List, parent: Parents | undefined, state: State, info: Info): string {
  if (state.stack.at(-1) === "phrasing") state.bulletLastUsed = undefined;
  return handle.list(list, parent, state, info);
}

const MARKS = { none: "---", left: ":--", right: "--:", center: ":-:" };
const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** Words and numbers, as most cells are. The library looks at each sign many times, to escape none of these. */
const NOTHING_TO_ESCAPE = /^[\p{L}\p{N}](?:[ ,.]?[\p{L}\p{N}])*%?$/u;

function cellsOf(row: TableRow, state: State, info: Info, room: CellRoom): string[] {
  return row.children.map((cell) => {
    const written = cellOf(cell, state, info);
    room.take(0, written.length);
    return written;
  });
}

function cellOf(cell: TableCell, state: State, info: Info): string {
  const [only] = cell.children;
  if (cell.children.length === 0) return "";
  if (cell.children.length === 1 && only?.type === "text" && NOTHING_TO_ESCAPE.test(only.value)) return only.value;
  const exit = state.enter("tableCell");
  const phrasing = state.enter("phrasing");
  const written = state.containerPhrasing(cell, { ...info, before: "|", after: "|" });
  phrasing();
  exit();
  return written.replace(/[ \t]*(?:\\?\n[ \t]*)+/g, " ").trim();
}

/** All that a part shows, without marks. */
export function plainText(node: Nodes): string {
  if ("value" in node) return node.value;
  if ("alt" in node && node.alt) return node.alt;
  if (node.type === "break") return "\n";
  if (!("children" in node)) return "";
  const isBlock = node.type !== "paragraph" && node.type !== "heading" && node.children.some(isBlockNode);
  return node.children.map((child) => plainText(child)).join(isBlock ? "\n" : "");
}

const BLOCKS = new Set([
  "paragraph",
  "heading",
  "list",
  "listItem",
  "code",
  "blockquote",
  "table",
  "tableRow",
  "tableCell",
]);
const isBlockNode = (node: Nodes): boolean => BLOCKS.has(node.type);
