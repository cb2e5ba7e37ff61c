/**
 * Runs suites of others about labels, payment codes, EDI and pictures through the built package, and prints right,
 * wrong and refused of each.
 *
 *   node scripts/suites/trade.mjs <folder> [--only ean13] [--rotations] [--show 10] [--peers <folder>]
 *
 * The folder has checkouts of zxing/zxing and mapbox/pixelmatch as `zxing` and `pixelmatch`; the suites of
 * `test/suites/trade` need none. A set of ZXing's pictures stands beside the count that ZXing's own tests require
 * ("required"; upright pictures without --rotations). Peers: see trade-peers.mjs.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countPeer } from "./peers.mjs";
import { tradePeers } from "./trade-peers.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    rotations: { type: "boolean", default: false },
    show: { type: "string", default: "5" },
    peers: { type: "string" },
  },
});
const [folder = "."] = positionals;
const group = (name) => import(new URL(`../../dist/capabilities/${name}/index.js`, import.meta.url).href);
const [{ productGs1 }, { ediParse }, { barcodeRead }, { imageCompare }] = await Promise.all(
  ["product", "edi", "barcode", "image"].map(group),
);
const { createCanvas, loadImage } = await import("@napi-rs/canvas");

const peers = await tradePeers(options.peers);
const table = [];
const findings = [];

/** A case is `{ name, ask, isRight, peer }`, with a peer as `[name, () => isRight]`; `required` is how many of them their authors ask for. */
async function judge(suite, cases, required) {
  if (!suite.includes(options.only) || cases.length === 0) return;
  const row = { suite, cases: cases.length, right: 0, wrong: 0, refused: 0, ...(required && { required }) };
  for (const { name, ask, isRight, peer } of cases) {
    const { how, told } = await ask().then(
      ({ items }) => (isRight(items) ? { how: "right" } : { how: "wrong", told: JSON.stringify(items).slice(0, 200) }),
      (error) => ({ how: error.status === 400 ? "refused" : "wrong", told: error.message }),
    );
    row[how] += 1;
    if (peer) await countPeer(row, ...peer);
    if (how !== "right") findings.push(`${suite}, ${how}: ${name}: ${told}`);
  }
  table.push(row);
}

const rowsOf = (name) =>
  readFileSync(new URL(`../../test/suites/trade/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line));

const gs1 = rowsOf("gs1-syntax-engine");
const gs1Case = (isRight, as) => (row) => ({
  name: row.data,
  peer: peers.gs1(row),
  ask: () => productGs1({ data: row.data, as: as(row) }),
  isRight: ([item]) => isRight(item, row),
});
for (const [kind, as] of [
  ["brackets", () => "brackets"],
  ["barcode", () => "barcode"],
  ["url", () => "url"],
])
  await judge(
    `GS1 syntax engine, ${kind}`,
    gs1.filter((row) => row.kind === kind).map(gs1Case((item, row) => item.valid === row.valid, as)),
  );
await judge(
  "GS1 syntax engine, linter",
  gs1
    .filter(({ kind }) => kind === "linter")
    .map(
      gs1Case(
        (item, row) => (item.errors[0]?.code ?? null) === row.code,
        () => "brackets",
      ),
    ),
);
await judge(
  "GS1 syntax engine, link",
  gs1
    .filter(({ kind }) => kind === "link")
    .map(
      gs1Case(
        (item, row) => item.digitalLink === row.link,
        () => "brackets",
      ),
    ),
);
await judge(
  "StAEDI, files read",
  rowsOf("staedi").map(({ file, text }) => ({
    name: file,
    ask: () => ediParse({ text }),
    isRight: ([item]) => item,
    peer: peers.edi(text),
  })),
);

/** Sets of ZXing's pictures, and of each rotation how many its tests require with their harder search. */
function zxingSets(root) {
  const tests = join(root, "core/src/test/java");
  const sources = readdirSync(tests, { recursive: true }).filter((name) => /BlackBox.*TestCase\.java$/.test(name));
  return sources.flatMap((name) => {
    const source = readFileSync(join(tests, name), "utf8");
    const [, set, format] = /blackbox\/([\w-]+)",[\s\S]*?BarcodeFormat\.(\w+)\)/.exec(source) ?? [];
    const required = [...source.matchAll(/addTest\(\d+, (\d+),(?: \d+, \d+,)? ([\d.]+)f\)/g)];
    return set
      ? [{ set, format, required: new Map(required.map(([, count, turn]) => [Number(turn), Number(count)])) }]
      : [];
  });
}

async function turned(file, degrees) {
  if (degrees === 0) return readFileSync(file);
  const image = await loadImage(file);
  const [width, height] = degrees === 180 ? [image.width, image.height] : [image.height, image.width];
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.translate(width / 2, height / 2);
  context.rotate((degrees * Math.PI) / 180);
  context.drawImage(image, -image.width / 2, -image.height / 2);
  return canvas.encode("png");
}

function expectedText(folder, base) {
  const text = join(folder, `${base}.txt`);
  return existsSync(text) ? readFileSync(text, "utf8") : readFileSync(join(folder, `${base}.bin`), "latin1");
}

/** ZXing's own reader of the set was told that its Code 39 is extended. */
const FORMATS = { "code39-2": ["Code39Ext"] };

async function judgePictures(root) {
  for (const { set, required } of zxingSets(root)) {
    const folder = join(root, "core/src/test/resources/blackbox", set);
    // The parts of one text in several codes have no text of their own.
    const hasText = (name) => [".txt", ".bin"].some((end) => existsSync(join(folder, name.split(".")[0] + end)));
    const pictures = readdirSync(folder).filter((name) => /\.(?:jpe?g|png|gif)$/i.test(name) && hasText(name));
    for (const [degrees, count] of required) {
      if (degrees !== 0 && !options.rotations) continue;
      if (!`ZXing ${set}, ${degrees}°`.includes(options.only)) continue;
      const cases = pictures.map((name) => {
        const text = expectedText(folder, name.slice(0, name.indexOf(".")));
        return {
          name,
          ask: async () => {
            const image = (await turned(join(folder, name), degrees)).toString("base64");
            return barcodeRead({ image, formats: FORMATS[set] ?? [] });
          },
          isRight: (items) => items.some((item) => item.text === text),
          peer: peers.picture(() => turned(join(folder, name), degrees), text),
        };
      });
      await judge(`ZXing ${set}, ${degrees}°`, cases, count);
    }
  }
}

/** The counts of its release, whose tests have other ones than later commits with another measure of colours. */
const PAIRS = [
  ...[
    ["1a", "1b", 0.05, 143],
    ["1a", "1b", 0.1, 106],
    ["1a", "1a", 0, 0],
    ["2a", "2b", 0.05, 12437],
  ],
  ...[
    ["3a", "3b", 0.05, 212],
    ["4a", "4b", 0.05, 36049],
    ["5a", "5b", 0.05, 6],
    ["6a", "6b", 0.05, 51],
  ],
  ...[
    ["6a", "6a", 0, 0],
    ["7a", "7b", 0.1, 2448],
    ["8a", "5b", 0.05, 32896],
  ],
];
const fixture = (name) => readFileSync(join(folder, "pixelmatch/test/fixtures", `${name}.png`)).toString("base64");
if (existsSync(join(folder, "pixelmatch")))
  await judge(
    "pixelmatch 7.2.0",
    PAIRS.map(([a, b, threshold, count]) => ({
      name: `${a} and ${b} at ${threshold}`,
      ask: () => imageCompare({ a: fixture(a), b: fixture(b), threshold }),
      isRight: ([item]) => item.differentPixels === count,
    })),
  );
else console.log(`${folder} has no pixelmatch: its pairs are left out`);

const zxing = join(folder, "zxing");
if (existsSync(zxing)) await judgePictures(zxing);
else console.log(`${zxing} is not there: ZXing's pictures are left out`);

console.table(table);
for (const line of findings.slice(0, Number(options.show))) console.log(line);
