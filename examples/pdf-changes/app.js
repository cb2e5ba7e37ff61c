// Did the new edition of a PDF change? By its words, and by what is seen on the page.
import { pathToFileURL } from "node:url";
import { imageCompare } from "coinslot/capabilities/image";
import { pdfText, pdfToImage } from "coinslot/capabilities/pdf";
import { textDiff } from "coinslot/capabilities/text";

const only = ({ items: [item] }) => item;

/** What differs between two files in base64, of one page each. */
export async function changesOf(before, after, page = 1) {
  const wordsOf = async (file) => only(await pdfText({ file, pages: String(page) })).text;
  const pictureOf = async (file) => Buffer.from((await pdfToImage({ file, page, dpi: 72 })).body).toString("base64");
  const words = { a: await wordsOf(before), b: await wordsOf(after), by: "word" };
  const { parts } = only(await textDiff(words));
  const { differentPixels } = only(await imageCompare({ a: await pictureOf(before), b: await pictureOf(after) }));
  const changed = parts.filter(({ op }) => op !== "equal").map(({ op, text }) => `${op} ${text}`);
  return { changed, looksTheSame: differentPixels === 0 };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { file: before } = pdfText.example;
  const after = Buffer.from(Buffer.from(before, "base64").toString("latin1").replace("fresh", "clear"), "latin1");
  console.log(await changesOf(before, after.toString("base64")));
  console.log(await changesOf(before, before));
}
