/** Results of the readers of all kinds of documents, and how they put Markdown's parts together. */
import type { BlockContent, DefinitionContent, PhrasingContent, RootContent, Table } from "mdast";

export interface ReadDocument {
  title: string | null;
  author: string | null;
  blocks: RootContent[];
  images: Picture[];
  /** Parts that are not in the Markdown, and why. */
  notes: string[];
}

export interface Picture {
  name: string;
  alt: string;
  bytes: number;
}

export type Block = BlockContent | DefinitionContent;

export const textNode = (value: string): PhrasingContent => ({ type: "text", value });
export const heading = (depth: number, children: PhrasingContent[]): Block => ({
  type: "heading",
  depth: Math.min(6, Math.max(1, depth)) as 1 | 2 | 3 | 4 | 5 | 6,
  children,
});
export const paragraph = (children: PhrasingContent[]): Block => ({ type: "paragraph", children });

/** A table of rows of cells; the first row is its head. */
export const table = (rows: readonly (readonly PhrasingContent[][])[]): Table => ({
  type: "table",
  children: rows.map((cells) => ({
    type: "tableRow",
    children: cells.map((children) => ({ type: "tableCell", children: [...children] })),
  })),
});

export const textTable = (rows: readonly (readonly string[])[]): Table =>
  table(rows.map((row) => row.map((cell) => (cell ? [textNode(cell)] : []))));

/** A paragraph of a list, which levels and neighbours make lists of. */
export interface ListLine {
  level: number;
  isOrdered: boolean;
  start?: number;
  blocks: Block[];
}

/** Lists within lists, of the lines that follow each other. */
export function listsOf(lines: readonly ListLine[], level = 0): Block[] {
  const lists: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const first = lines[at] as ListLine;
    if (first.level > level) {
      const end = nextAt(lines, at, (line) => line.level <= level);
      lists.push(...listsOf(lines.slice(at, end), first.level));
      at = end;
      continue;
    }
    const end = nextAt(lines, at, (line) => line.level <= level && line.isOrdered !== first.isOrdered);
    lists.push(listOf(lines.slice(at, end), level));
    at = end;
  }
  return lists;
}

function nextAt(lines: readonly ListLine[], from: number, ends: (line: ListLine) => boolean): number {
  let at = from + 1;
  while (at < lines.length && !ends(lines[at] as ListLine)) at++;
  return at;
}

function listOf(lines: readonly ListLine[], level: number): Block {
  const [{ isOrdered, start = 1 }] = lines as [ListLine, ...ListLine[]];
  const starts = lines.flatMap((line, i) => (line.level <= level ? [i] : []));
  const children = starts.map((start, i) => {
    const [own, ...below] = lines.slice(start, starts[i + 1]) as [ListLine, ...ListLine[]];
    return { type: "listItem" as const, spread: false, children: [...own.blocks, ...listsOf(below, level + 1)] };
  });
  return { type: "list", ordered: isOrdered, start: isOrdered ? start : null, spread: false, children };
}

/** Formatting of a run of text. */
export interface Marks {
  bold?: boolean;
  italic?: boolean;
  struck?: boolean;
  /** Address of a link. */
  href?: string | undefined;
}

/** A run of text, or a part that stands between runs. */
export interface TextRun extends Marks {
  content: string | PhrasingContent;
}

/** Runs as Markdown's parts. Neighbours of the same formatting are one, and blanks at their edges stay outside. */
export function inlineOf(runs: readonly TextRun[]): PhrasingContent[] {
  const { core } = trimmedRuns(runs);
  return grouped(
    core,
    (run) => run.href,
    (href, inner) => {
      const children = marked(inner);
      return href === undefined || children.length === 0 ? children : [{ type: "link", url: href, children }];
    },
  );
}

const MARKS = [
  ["bold", "strong"],
  ["italic", "emphasis"],
  ["struck", "delete"],
] as const;

function marked(runs: readonly TextRun[], from = 0): PhrasingContent[] {
  const [key, type] = MARKS[from] ?? [];
  if (!key) return runs.flatMap(({ content }) => (typeof content === "string" ? linesOf(content) : [content]));
  return grouped(
    runs,
    (run) => run[key] === true,
    (isMarked, inner) => {
      if (!isMarked) return marked(inner, from + 1);
      const { before, core, after } = trimmedRuns(inner);
      const children = marked(core, from + 1);
      return [
        ...marked(before, from + 1),
        ...(children.length > 0 ? [{ type, children }] : []),
        ...marked(after, from + 1),
      ];
    },
  );
}

function grouped<Key>(
  runs: readonly TextRun[],
  keyOf: (run: TextRun) => Key,
  build: (key: Key, runs: TextRun[]) => PhrasingContent[],
): PhrasingContent[] {
  const groups: { key: Key; runs: TextRun[] }[] = [];
  for (const run of runs) {
    if (run.content === "") continue;
    const key = keyOf(run);
    const last = groups.at(-1);
    if (last && last.key === key) last.runs.push(run);
    else groups.push({ key, runs: [run] });
  }
  return groups.flatMap((group) => build(group.key, group.runs));
}

/** Markdown has no formatting of blanks at an edge. */
function trimmedRuns(runs: readonly TextRun[]): { before: TextRun[]; core: TextRun[]; after: TextRun[] } {
  const isBlank = ({ content }: TextRun) => typeof content === "string" && content.trim() === "";
  const first = runs.findIndex((run) => !isBlank(run));
  if (first < 0) return { before: [...runs], core: [], after: [] };
  const last = runs.findLastIndex((run) => !isBlank(run));
  const core = runs.slice(first, last + 1);
  const edge = (run: TextRun | undefined, pattern: RegExp) =>
    typeof run?.content === "string" ? (pattern.exec(run.content)?.[0] ?? "") : "";
  const [start, end] = [edge(core[0], /^\s+/), edge(core.at(-1), /\s+$/)];
  const cut = (at: number, from: number, to: number | undefined) => {
    const run = core[at] as TextRun;
    core[at] = { ...run, content: String(run.content).slice(from, to) };
  };
  if (start) cut(0, start.length, undefined);
  if (end) cut(core.length - 1, 0, -end.length);
  return {
    before: [...runs.slice(0, first), { content: start }],
    core,
    after: [{ content: end }, ...runs.slice(last + 1)],
  };
}

/** A line break within a paragraph is one in Markdown. */
function linesOf(text: string): PhrasingContent[] {
  return text
    .split("\n")
    .flatMap((line, i): PhrasingContent[] => [
      ...(i > 0 ? [{ type: "break" as const }] : []),
      ...(line ? [textNode(line)] : []),
    ]);
}
