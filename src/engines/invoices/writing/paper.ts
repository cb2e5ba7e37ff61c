/** An invoice as a PDF of A4 pages, drawn by the canvas that hosts install for pictures. */
import { once } from "../../../lib/lazy.js";
import { importCanvas } from "../../../lib/packages/packages.js";
import { type FontFile, fontsFor } from "../../countdown/fonts.js";
import { registerFonts } from "../../countdown/register-fonts.js";
import type { Invoice, Party } from "../invoice.js";
import { CREDIT_NOTE } from "./elements.js";

const [WIDTH, HEIGHT, MARGIN] = [595, 842, 56];
const RIGHT = WIDTH - MARGIN;
const BOTTOM = HEIGHT - MARGIN;
const SIZE = 9.5;
const LEADING = 14;
const INK = "#1a1a1a";

type Canvas = Awaited<ReturnType<typeof importCanvas>>;
type Context = ReturnType<InstanceType<Canvas["PDFDocument"]>["beginPage"]>;
type Style = { bold?: boolean; size?: number };

export async function writePaper(invoice: Invoice): Promise<Uint8Array> {
  const { PDFDocument, GlobalFonts } = await importCanvas();
  const fonts = createFonts();
  fonts.add([...new Set(textsOf(invoice).join(""))].join(""));
  await registerFonts(GlobalFonts, fonts.files());
  const title = `${headingOf(invoice)} ${invoice.number ?? ""}`;
  const pdf = new PDFDocument({ title, author: invoice.seller?.name ?? "" });
  const page = createPage(pdf, fonts.shown);
  drawHead(page, invoice, title);
  drawLines(page, invoice);
  drawTotals(page, invoice);
  drawNotes(page, invoice);
  pdf.endPage();
  return new Uint8Array(pdf.close());
}

const headingOf = ({ typeCode }: Invoice) => (typeCode === CREDIT_NOTE ? "Credit note" : "Invoice");

/** All texts that a caller or a host has written, for their fonts. */
const textsOf = (invoice: Invoice): string[] => [
  JSON.stringify([invoice.number, invoice.notes, invoice.payment, invoice.vat, invoice.precedingInvoices]),
  JSON.stringify([invoice.seller, invoice.buyer, invoice.lines.map(({ name, description }) => [name, description])]),
];

const BASIC = once(() => Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i)).join(""));

/** The fonts of a document. A character that no font has is drawn as a question mark. */
function createFonts() {
  const files = { regular: new Map<string, FontFile>(), bold: new Map<string, FontFile>() };
  const missing = new Set<string>();

  function take(text: string, weight: keyof typeof files): void {
    const found = fontsFor(text, { face: "paper", weight });
    if ("fonts" in found) for (const font of found.fonts) files[weight].set(font.family, font);
    else {
      for (const character of found.missing) missing.add(character);
      take(shownText(text), weight);
    }
  }
  const shownText = (text: string) => [...text].map((character) => (missing.has(character) ? "?" : character)).join("");
  const add = (text: string) => {
    take(text, "regular");
    take(text, "bold");
  };
  add(BASIC());
  return {
    add,
    files: () => [...files.regular.values(), ...files.bold.values()],
    shown: {
      text: shownText,
      font: ({ bold = false, size = SIZE }: Style) =>
        `${size}px ${[...files[bold ? "bold" : "regular"].keys()].map((family) => `"${family}"`).join(", ")}`,
    },
  };
}

type Shown = ReturnType<typeof createFonts>["shown"];
type Page = ReturnType<typeof createPage>;

function createPage(pdf: InstanceType<Canvas["PDFDocument"]>, shown: Shown) {
  let ctx = begin();
  let y = MARGIN + 12;
  const widths = new Map<string, Map<string, number>>();

  function begin(): Context {
    const page = pdf.beginPage(WIDTH, HEIGHT);
    page.fillStyle = INK;
    page.strokeStyle = INK;
    page.lineWidth = 0.5;
    // Without it two letters may become one sign, which is lost when the text is copied.
    page.letterSpacing = "0.01px";
    return page;
  }

  const room = (needed: number) => {
    if (y + needed <= BOTTOM) return;
    pdf.endPage();
    ctx = begin();
    y = MARGIN + 12;
  };

  /** Widths of single characters, each measured once: a long word is not measured anew with each of them. */
  function widthIn(font: string): (character: string) => number {
    const known = widths.get(font) ?? new Map<string, number>();
    widths.set(font, known);
    return (character) => {
      const width = known.get(character) ?? ctx.measureText(character).width;
      known.set(character, width);
      return width;
    };
  }

  /** Words in lines of a width; a word that is longer than one is broken. */
  function wrapped(text: string, width: number, style: Style): string[] {
    ctx.font = shown.font(style);
    const isWide = (line: string) => ctx.measureText(line).width > width;
    const widthOf = widthIn(ctx.font);
    const words = shown.text(text).split(/\s+/);
    const pieces = words.flatMap((word) => (isWide(word) ? broken(word, { width, widthOf }) : [word]));
    const lines: string[] = [];
    for (const piece of pieces) {
      const longer = lines.length === 0 ? piece : `${lines.at(-1)} ${piece}`;
      if (lines.length === 0 || isWide(longer)) lines.push(piece);
      else lines[lines.length - 1] = longer;
    }
    return lines;
  }

  return {
    get y() {
      return y;
    },
    to(place: number) {
      y = place;
    },
    skip(by: number) {
      y += by;
    },
    room,
    rule() {
      ctx.beginPath();
      ctx.moveTo(MARGIN, y - LEADING + 3);
      ctx.lineTo(RIGHT, y - LEADING + 3);
      ctx.stroke();
      y += 4;
    },
    /** One line that ends at a place. */
    right(text: string, x: number, style: Style = {}) {
      ctx.font = shown.font(style);
      const drawn = shown.text(text);
      ctx.fillText(drawn, x - ctx.measureText(drawn).width, y);
    },
    /** Lines of a width, below one another; the page goes on below them. */
    block(text: string, { x = MARGIN, width = RIGHT - MARGIN, ...style }: Style & { x?: number; width?: number }) {
      for (const line of wrapped(text, width, style)) {
        room(LEADING);
        ctx.font = shown.font(style);
        ctx.fillText(line, x, y);
        y += (style.size ?? SIZE) + LEADING - SIZE;
      }
    },
  };
}

interface Room {
  width: number;
  widthOf(character: string): number;
}

/** Parts of a word that each fit. */
function broken(word: string, { width, widthOf }: Room): string[] {
  const parts = [""];
  let taken = 0;
  for (const character of word) {
    const more = widthOf(character);
    if (taken > 0 && taken + more > width) {
      parts.push("");
      taken = 0;
    }
    parts[parts.length - 1] += character;
    taken += more;
  }
  return parts;
}

function drawHead(page: Page, invoice: Invoice, title: string): void {
  page.block(title, { bold: true, size: 18 });
  page.skip(8);
  const facts = [
    ["Date", invoice.issueDate],
    ["Delivered", invoice.deliveryDate],
    ["Due", invoice.dueDate],
    ["Corrects", invoice.precedingInvoices.join(", ")],
    ["Payment", invoice.payment.reference],
  ].filter(([, value]) => value);
  for (const [name, value] of facts) {
    const { y } = page;
    page.block(`${name}`, { bold: true, width: 80 });
    page.to(y);
    page.block(`${value}`, { x: MARGIN + 84, width: RIGHT - MARGIN - 84 });
  }
  page.skip(10);
  const top = page.y;
  drawParty(page, "Seller", invoice.seller, MARGIN);
  const below = page.y;
  page.to(top);
  drawParty(page, "Buyer", invoice.buyer, WIDTH / 2 + 8);
  page.to(Math.max(below, page.y) + 16);
}

function drawParty(page: Page, role: string, party: Party | null, x: number): void {
  if (!party) return;
  const place = { x, width: WIDTH / 2 - MARGIN - 12 };
  const { address, contact } = party;
  const city = [address?.postalCode, address?.city, address?.region].filter(Boolean).join(" ");
  page.block(role, { ...place, bold: true });
  const lines = [party.name, ...(address?.lines ?? []), city, address?.country];
  const numbers = [
    party.vatId && `VAT ${party.vatId}`,
    party.taxNumber && `Tax number ${party.taxNumber}`,
    party.registration && `Register ${party.registration}`,
    ...party.identifiers.filter((id) => id !== party.taxNumber).map((id) => `Id ${id}`),
  ];
  for (const text of [...lines, ...numbers, contact?.email]) if (text) page.block(text, place);
}

function drawLines(page: Page, { lines, currency }: Invoice): void {
  const name = { width: 270 };
  page.room(3 * LEADING);
  const { y } = page;
  page.block("Description", { ...name, bold: true });
  page.to(y);
  page.right("Quantity", MARGIN + 340, { bold: true });
  page.right("VAT", MARGIN + 400, { bold: true });
  page.right(`Net ${currency ?? ""}`, RIGHT, { bold: true });
  page.skip(LEADING);
  page.rule();
  for (const line of lines) {
    page.room(2 * LEADING);
    page.right(line.quantity ?? "", MARGIN + 340);
    page.right(line.vatRate === null ? "" : `${line.vatRate} %`, MARGIN + 400);
    page.right(line.net ?? "", RIGHT);
    page.block(line.name ?? "", name);
    if (line.description) page.block(line.description, name);
  }
  page.rule();
}

function drawTotals(page: Page, { totals, vat, currency }: Invoice): void {
  const row = (label: string, amount: string | null, style: Style = {}) => {
    if (amount === null) return;
    page.room(LEADING);
    page.right(label, MARGIN + 400, style);
    page.right(amount, RIGHT, style);
    page.skip(LEADING);
  };
  row("Net", totals.taxExclusive);
  for (const one of vat) if (one.rate !== null) row(`VAT ${one.rate} % of ${one.base ?? ""}`, one.amount);
  row(`Total ${currency ?? ""}`, totals.taxInclusive, { bold: true });
  if (Number(totals.prepaid) !== 0) row("Paid", totals.prepaid);
  row(`Due ${currency ?? ""}`, totals.payable);
  page.skip(LEADING);
}

function drawNotes(page: Page, { vat, notes, payment }: Invoice): void {
  const reasons = vat.flatMap(({ exemptionReason }) => exemptionReason ?? []);
  for (const text of [...reasons, ...notes, payment.terms]) if (text) page.block(text, {});
}
