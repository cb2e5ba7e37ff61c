// A folder of documents as a folder of Markdown, for a search index or a model: PDF, Word, slides, sheets, books, mails.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { docToMarkdown } from "coinslot/capabilities/doc";
import { pdfToMarkdown } from "coinslot/capabilities/pdf";

const MAX_BYTES = 3_000_000;

async function convert(bytes) {
  if (bytes.length > MAX_BYTES) return { refused: "is above 3 MB" };
  const file = bytes.toString("base64");
  try {
    const { items, meta } = bytes.includes("%PDF-") ? await pdfToMarkdown({ file }) : await docToMarkdown({ file });
    return { ...items[0], engine: meta.method.engine };
  } catch (error) {
    // What is wrong with a document is a 400; anything else would go wrong with all of them.
    if (error.status !== 400) throw error;
    return { refused: error.issues?.[0]?.message ?? error.message };
  }
}

/** Writes `<name>.md` into `to` for each document of `from`. Gives a row for each: title and notes, or why it was refused. */
export async function convertFolder(from, to) {
  await mkdir(to, { recursive: true });
  const rows = [];
  for (const name of (await readdir(from)).sort()) {
    const { markdown, title, engine, notes, refused } = await convert(await readFile(join(from, name)));
    if (!refused) await writeFile(join(to, `${name}.md`), markdown);
    rows.push({ name, ...(refused ? { refused } : { title, engine, notes }) });
  }
  return rows;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const here = (name) => fileURLToPath(new URL(name, import.meta.url));
  const [from = here("sample"), to = here("markdown")] = process.argv.slice(2);
  for (const { name, title, refused, notes } of await convertFolder(from, to))
    console.log(refused ? `${name}: refused, it ${refused}` : [`${name}: ${title ?? "no title"}`, ...notes].join("; "));
}
