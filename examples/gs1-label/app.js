// A GS1 label written and read: its data checked, drawn as a QR code with a Digital Link, and read from the picture.
import { pathToFileURL } from "node:url";
import { barcodeGenerate, barcodeRead } from "coinslot/capabilities/barcode";
import { productGs1 } from "coinslot/capabilities/product";

/** A bracket that belongs to a value stands behind a backslash. */
const value = (text) => text.replaceAll("(", "\\(");

/** The PNG of a label and the lines to print below it. `product` has gtin, expiry (YYMMDD), batch and serial. */
export async function writeLabel({ gtin, expiry, batch, serial }) {
  const data = `(01)${gtin}(17)${expiry}(10)${value(batch)}(21)${value(serial)}`;
  const [{ valid, errors, associations, digitalLink, humanReadable }] = (await productGs1({ data })).items;
  const problems = [
    ...errors.map(({ code, ai }) => `(${ai}) ${code}`),
    ...associations.map(({ ai, needs, excludes }) => `(${ai}) needs ${needs} and excludes ${excludes}`),
  ];
  if (!valid || problems.length > 0) throw new Error(problems.join("; "));
  const { body } = await barcodeGenerate({ data: { type: "url", url: digitalLink }, output: "png", size: 300 });
  return { png: Buffer.from(body), lines: humanReadable };
}

/** What a label says: the identifiers with their titles and values, and its day of expiry. */
export async function readLabel(png) {
  const [code] = (await barcodeRead({ image: png.toString("base64") })).items;
  if (code?.payload?.type !== "gs1") throw new Error("The picture has no GS1 code.");
  const { elements } = code.payload;
  const expires = elements.find(({ ai }) => ai === "17")?.fields.date ?? null;
  return { values: Object.fromEntries(elements.map(({ title, value }) => [title, value])), expires };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { png, lines } = await writeLabel({ gtin: "09521234543213", expiry: "271231", batch: "AB/12", serial: "7(a)" });
  console.log(lines.join("\n"));
  console.log(await readLabel(png));
}
