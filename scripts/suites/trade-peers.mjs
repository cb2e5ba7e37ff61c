/**
 * Libraries that a user would pick instead for labels, EDI and pictures of codes. gs1-barcode-parser-mod and digital-link.js are asked for a
 * verdict on messages and links (no library of npm was found for the form in brackets, and GS1's own engine is not there
 * as a package); edifact and node-x12 whether they read a file; @zxing/library for the text of a picture.
 */
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { loaderOf } from "./peers.mjs";

/** A file of EDIFACT is read when its segments are; TRADACOMS it does not know. */
function readEdifact(Parser, text) {
  const parser = new Parser();
  let segments = 0;
  parser.on("closesegment", () => (segments += 1));
  parser.encoding("UNOC");
  parser.write(text);
  parser.end();
  return segments > 0;
}

async function readPicture(zxing, bytes) {
  const image = await loadImage(await bytes());
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, image.width, image.height);
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const grey = new Uint8ClampedArray(image.width * image.height);
  for (let i = 0; i < grey.length; i++)
    grey[i] = (data[i * 4] * 306 + data[i * 4 + 1] * 601 + data[i * 4 + 2] * 117) >> 10;
  const source = new zxing.RGBLuminanceSource(grey, image.width, image.height);
  const hints = new Map([[zxing.DecodeHintType.TRY_HARDER, true]]);
  return new zxing.MultiFormatReader()
    .decode(new zxing.BinaryBitmap(new zxing.HybridBinarizer(source)), hints)
    .getText();
}

export async function tradePeers(folder) {
  const load = loaderOf(folder);
  const names = ["gs1-barcode-parser-mod", "digital-link.js", "edifact", "node-x12", "@zxing/library"];
  const [labels, links, edifact, x12, zxing] = await Promise.all(names.map(load));
  const reads = (read) => {
    try {
      read();
      return true;
    } catch {
      return false;
    }
  };
  return {
    gs1({ kind, data, valid }) {
      if (kind === "barcode" && labels) {
        const message = data.replace(/^\^/, "]C1").replaceAll("^", "\x1d");
        return ["gs1-barcode-parser-mod", () => reads(() => labels.parseBarcode(message)) === valid];
      }
      if (kind === "url" && links)
        return ["digital-link.js", () => reads(() => links.DigitalLink(data).isValid() || fail()) === valid];
      return undefined;
    },
    edi(text) {
      if (text.startsWith("ISA")) return x12 && ["node-x12", () => Boolean(new x12.X12Parser(true).parse(text))];
      return edifact && ["edifact", () => readEdifact(edifact.Parser, text)];
    },
    picture: (bytes, text) => zxing && ["@zxing/library", async () => (await readPicture(zxing, bytes)) === text],
  };
}

function fail() {
  throw new Error("not valid");
}
