// A folder of documents as a folder of Markdown, for a search index or a model: PDF, Word, slides, sheets, books, mails.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { docToMarkdown } from "coinslot/capabilities/doc";
import { pdfToMarkdown } from "coinslot/capabilities/pdf";

/** Most bytes of a document. */
const MAX_BYTES = 3_000_000;

async function convert(bytes) {
  const file = bytes.toString("base64");
  const isPdf = bytes.subarray(0, 1024).includes("%PDF-");
  const { items, meta } = isPdf ? await pdfToMarkdown({ file }) : await docToMarkdown({ file });
  return { ...items[0], engine: meta.method.engine };
}

/**
 * Writes `<name>.md` into the folder `to` for each document of the folder `from`. Gives a row for each: its title and notes, or
 * why it was refused.
 */
export async function convertFolder(from, to) {
  await mkdir(to, { recursive: true });
  const rows = [];
  const entries = await readdir(from, { withFileTypes: true });
  for (const name of entries
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort()) {
    const bytes = await readFile(join(from, name));
    if (bytes.length > MAX_BYTES) {
      rows.push({ name, refused: "is above 3 MB" });
      continue;
    }
    try {
      const { markdown, title, notes, engine } = await convert(bytes);
      await writeFile(join(to, `${basename(name)}.md`), markdown);
      rows.push({ name, title, engine, notes });
    } catch (error) {
      // What is wrong with a document is a 400; anything else would go wrong with all of them.
      if (error.status !== 400) throw error;
      rows.push({ name, refused: error.issues?.[0]?.message ?? error.message });
    }
  }
  return rows;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const here = (name) => fileURLToPath(new URL(name, import.meta.url));
  const [from = here("sample"), to = here("markdown")] = process.argv.slice(2);
  for (const { name, title, refused, notes } of await convertFolder(from, to))
    console.log(refused ? `${name}: refused, it ${refused}` : [`${name}: ${title ?? "no title"}`, ...notes].join("; "));
}
