/** Notebooks of Jupyter (nbformat 3 and 4): texts as they are, code with what it printed. */
import type { RootContent } from "mdast";
import { invalid } from "../../errors.js";
import type { Picture, ReadDocument } from "./document.js";

interface Cell {
  cell_type?: unknown;
  source?: unknown;
  input?: unknown;
  outputs?: unknown;
}

type Part = Record<string, unknown>;

export function readIpynb(text: string): ReadDocument {
  const notebook = parsed(text);
  const metadata = partOf(notebook.metadata);
  const language = String(partOf(metadata.language_info).name ?? partOf(metadata.kernelspec).language ?? "python");
  const images: Picture[] = [];
  const cells = listOf(notebook.cells ?? partOf(listOf(notebook.worksheets)[0]).cells);
  const blocks = cells.flatMap((cell) => cellBlocks(cell as Cell, language.slice(0, 40), images));
  const title = metadata.title ?? titleIn(cells as Cell[]);
  const [author] = listOf(metadata.authors);
  const name = partOf(author).name;
  return {
    ...{ title: typeof title === "string" ? title : null, author: typeof name === "string" ? name : null },
    ...{ blocks, images, notes: [] },
  };
}

function parsed(text: string): Part {
  try {
    return partOf(JSON.parse(text));
  } catch {
    throw invalid("", "is not a notebook: its JSON cannot be read");
  }
}

function cellBlocks(
  { cell_type: kind, source, input, outputs }: Cell,
  language: string,
  images: Picture[],
): RootContent[] {
  const written = joined(source ?? input);
  if (kind === "code")
    return [...codeBlock(written, language), ...listOf(outputs).flatMap((one) => outputOf(partOf(one), images))];
  if (written.trim() === "") return [];
  // The cell is Markdown already, which the writer leaves as it is.
  if (kind === "markdown" || kind === "heading") return [{ type: "html", value: written.trim() }];
  return codeBlock(written, "");
}

const codeBlock = (value: string, lang: string): RootContent[] =>
  value.trim() === "" ? [] : [{ type: "code", lang: lang || null, value: value.replace(/\n+$/, "") }];

function outputOf(output: Part, images: Picture[]): RootContent[] {
  if (output.output_type === "error")
    return codeBlock(`${String(output.ename ?? "")}: ${String(output.evalue ?? "")}`, "");
  const data = partOf(output.data);
  for (const [type, content] of Object.entries(data)) {
    if (!type.startsWith("image/")) continue;
    const name = `output-${images.length + 1}.${type.slice(6).replace(/\W.*$/, "")}`;
    images.push({ name, alt: "", bytes: Math.floor((joined(content).length * 3) / 4) });
  }
  return codeBlock(joined(output.text ?? data["text/plain"]), "");
}

function titleIn(cells: readonly Cell[]): string | undefined {
  for (const cell of cells) {
    const [, title] = (cell.cell_type === "markdown" && /^# +(.+)$/m.exec(joined(cell.source))) || [];
    if (title) return title.trim();
  }
  return undefined;
}

const joined = (source: unknown): string =>
  typeof source === "string"
    ? source
    : listOf(source)
        .filter((line) => typeof line === "string")
        .join("");
const partOf = (value: unknown): Part => (typeof value === "object" && value !== null ? (value as Part) : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
