/** Labels, payment codes, EDI files and pictures: right ones that are damaged, and heaps of what their readers look for. */
import { crc32, deflateSync } from "node:zlib";
import { createCanvas, loadImage } from "@napi-rs/canvas";

const LABELS = [
  "(01)09521234543213(17)271231(10)ABC\\(1(3103)001750",
  "^01095212345432131727123110ABC^21XYZ^8030abc_-",
  "]d2010952123454321310A\x1d8110012345612345611110123",
  "https://id.gs1.org/01/09521234543213/22/2A/10/A%2FB?17=271231&3922=0299&x=%41",
  "(8112)001234561234560123456(4309)02790858483015297971(8013)1987654Ad4X4bL5ttr2310c2K",
];
const PAYMENTS = [
  "SPC\n0200\n1\nCH5800791123000889012\nS\nA\nB\n1\n2501\nBiel\nCH\n\n\n\n\n\n\n\n1.50\nCHF\n\n\n\n\n\n\n\nSCOR\nRF18539007547034\n\nEPD\n//S1",
  "BCD\n002\n1\nSCT\nCOBADEFF\nA\nDE89370400440532013000\nEUR1.50\nGDDS\nRF18539007547034\n\nx",
];
const FILES = [
  "ISA*00*          *00*          *ZZ*S              *01*R              *261123*0930*^*00501*000000042*0*P*:~GS*PO*A*B*20261123*0930*7*X*005010~ST*850*0001~BIN*5*a~b*c~N1*ST*A:B*C^D:E~SE*4*0001~GE*1*7~IEA*1*000000042~",
  "UNA:+,?*'UNB+UNOC:3+S:14+R:14+261123:0930+42'UNG+ORDERS+A+B+261123:0930+1+UN+D:96A'UNH+1+ORDERS:D:96A:UN'BGM+220+A?'1'UNT+3+1'UNE+1+1'UNZ+1+42'",
  "STX=ANA:1+S+R+261123:0930+42'BAT=1'MHD=1+ORDHDR:9'TYP=0430'MTR=3'EOB=1'END=1'",
];
/** A PNG, a GIF and a JPEG of one pixel. */
const PICTURES = [
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
];
const PIECES = [
  ...[
    "(",
    ")",
    "\\",
    "^",
    "\x1d",
    "%",
    "/",
    "?",
    "&",
    "=",
    "+",
    ":",
    "'",
    "*",
    "~",
    "\n",
    "\r",
    "\0",
    ";",
    ",",
    " ",
    "ü",
    "😀",
  ],
  ...["9".repeat(40), "a".repeat(200), "(01)", "UNA", "UNB+", "ISA*", "BIN*9", "STX=", "%00", "=".repeat(90)],
];

/** Codes of every symbology as grids of grey, two pixels a module, so that a pixel that changes damages the code and not its file. */
const { barcodeGenerate } = await import(new URL("../../../dist/capabilities/barcode/index.js", import.meta.url).href);
const CODES = [];
for (const format of ["qr", "aztec", "datamatrix", "pdf417"]) {
  const { body } = await barcodeGenerate({ format, data: { type: "text", text: "COINSLOT 42" }, output: "png" });
  const picture = await loadImage(Buffer.from(body));
  const paper = createCanvas(picture.width, picture.height).getContext("2d");
  paper.drawImage(picture, 0, 0);
  const { data } = paper.getImageData(0, 0, picture.width, picture.height);
  const [side, height] = [Math.ceil(picture.width / 4), Math.ceil(picture.height / 4)];
  const grid = Array.from({ length: side * height }, (_, i) => {
    const [x, y] = [(i % side) * 4, Math.floor(i / side) * 4];
    return data[(y * picture.width + x) * 4];
  });
  CODES.push({ side, height, grid: Uint8Array.from(grid) });
}

/** A picture of a code with changed pixels and stripes, written without packing. */
function codeWith(random) {
  const { below, pick } = random;
  const { side, height, grid } = pick(CODES);
  const damaged = Uint8Array.from(grid);
  for (let left = below(40); left > 0; left--) damaged[below(damaged.length)] ^= 0xff;
  for (let left = below(3); left > 0; left--) {
    const at = below(height) * side;
    damaged.copyWithin(at, below(height) * side, below(damaged.length));
  }
  const rows = Buffer.alloc((side + 1) * height);
  for (let y = 0; y < height; y++) rows.set(damaged.subarray(y * side, (y + 1) * side), y * (side + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ]).toString("base64");
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function value({ below, pick, damage }, text, max) {
  if (below(12) > 0) return damage(text, PIECES).slice(0, max) || "x";
  return pick(PIECES)
    .repeat(1 + below(max))
    .slice(0, 1 + below(max));
}

/** A picture with changed bytes, sometimes cut. */
function picture({ below, pick }) {
  const bytes = Buffer.from(pick(PICTURES), "base64");
  for (let left = below(6); left > 0; left--) bytes[below(bytes.length)] = below(256);
  return bytes.subarray(0, below(10) ? bytes.length : below(bytes.length)).toString("base64");
}

const file = (text) => (random) => ({ text: value(random, text, 20_000) });

function payment(random) {
  const changed = (text, max) => value(random, text, max);
  return {
    scheme: random.pick(["swiss", "epc"]),
    iban: changed("CH4431999123000889012", 50),
    amount: changed("1949.75", 20),
    currency: random.pick(["CHF", "EUR"]),
    creditor: { name: changed("A", 200), city: changed("Biel", 200), postalCode: "2501", country: changed("CH", 10) },
    reference: changed("210000000003139471430009017", 50),
    message: changed("Order", 200),
  };
}

function interchange(random) {
  const { pick } = random;
  const changed = (text, max) => value(random, text, max);
  const segment = { tag: pick(["BGM", "UNT", "UNZ", "UNB"]), elements: [changed("a", 400), [changed("b", 400)]] };
  const message = { type: "ORDERS", version: changed("D.96A", 20), segments: [segment] };
  const head = { sender: changed("S", 50), receiver: "R", control: changed("42", 20), date: changed("2026-11-23", 10) };
  return {
    operation: "write",
    format: pick(["edifact", "tradacoms"]),
    delimiters: { element: pick(["+", "*", ":"]), release: pick(["?", null, "\\"]) },
    interchanges: [{ ...head, messages: [message] }],
  };
}

export const parsers = {
  "product.gs1": (random) => ({
    data: value(random, random.pick(LABELS), 4000),
    as: random.pick(["auto", "brackets", "barcode", "url"]),
  }),
  "payment.qr": (random) => ({ text: value(random, random.pick(PAYMENTS), 1000) }),
  "payment.qr write": payment,
  "edi.parse x12": file(FILES[0]),
  "edi.parse edifact": file(FILES[1]),
  "edi.edifact edifact": file(FILES[1]),
  "edi.edifact tradacoms": file(FILES[2]),
  "edi.edifact write": interchange,
  "barcode.read": (random) => ({ image: random.below(8) ? codeWith(random) : picture(random) }),
  "image.compare": (random) => ({ a: picture(random), b: random.pick(PICTURES), diff: random.below(2) === 0 }),
};
