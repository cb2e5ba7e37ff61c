import bwip from "bwip-js/node";
import { barcodeGenerate } from "coinslot/capabilities/barcode";
import qrcode from "qrcode";
import { printBar, printRates, race, ratio, say } from "./measure.mjs";

export const title = "Barcodes, beside the libraries that they are made with";

const TEXT = "https://example.com/orders/4711?from=newsletter";
const SIZE = 512;
const data = { type: "url", url: TEXT };
const draw = (input) => barcodeGenerate({ data, size: SIZE, ...input });

const pairs = [
  {
    name: "QR code as SVG",
    ours: () => draw({ output: "svg" }),
    library: "qrcode",
    theirs: () => qrcode.toString(TEXT, { type: "svg", width: SIZE }),
  },
  {
    name: "QR code as PNG",
    ours: () => draw({ output: "png" }),
    library: "qrcode",
    theirs: () => qrcode.toBuffer(TEXT, { width: SIZE }),
    atLeast: 1.3,
  },
  {
    name: "Data Matrix as SVG",
    ours: () => draw({ format: "datamatrix", output: "svg" }),
    library: "bwip-js",
    theirs: () => bwip.toSVG({ bcid: "datamatrix", text: TEXT, padding: 4 }),
  },
  {
    name: "Data Matrix as PNG",
    ours: () => draw({ format: "datamatrix", output: "png" }),
    library: "bwip-js",
    // The library counts two units a module and one of padding: 480 pixels.
    theirs: () => bwip.toBuffer({ bcid: "datamatrix", text: TEXT, padding: 4, scale: 8 }),
  },
];

export async function run() {
  const bars = [];
  for (const { name, ours, library, theirs, atLeast } of pairs) {
    say(`  ${name}:`);
    const contenders = [
      { name: "coinslot", run: ours },
      { name: library, run: theirs },
    ];
    const rates = await race(contenders, { roundMs: 150 });
    printRates(rates, library);
    if (atLeast) bars.push(printBar(`${name} beside ${library}`, ratio(rates, "coinslot", library), { atLeast }));
  }
  return bars;
}
