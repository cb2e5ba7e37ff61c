/** PDFs for tests, written by hand (ISO 32000-1): no library judges itself. */

export interface PdfPage {
  /** Operators of the page's content. */
  content: string;
  /** How the content is packed, such as `/ASCIIHexDecode`. */
  filter?: string;
  width?: number;
  height?: number;
  rotate?: number;
  /** Further fonts of the page, such as `/F3 10 0 R`. */
  fonts?: string;
}

export interface PdfParts {
  pages: PdfPage[];
  /** Entries of the information dictionary, such as `/Title (Tea)`. */
  info?: string;
  /** Entries of the catalogue. */
  catalog?: string;
  /** Further objects, numbered from 10. */
  objects?: string[];
}

const FONT = 4;
const FIRST_MORE = 10;

/** Text at a place, from the lower left corner in points. */
export const textAt = (x: number, y: number, text: string, size = 12, font = "F1"): string =>
  `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[\\()]/g, "\\$&")}) Tj ET\n`;

/** A line as wide as a hair. */
export const ruleFrom = (x0: number, y0: number, x1: number, y1: number): string =>
  `0.5 w ${x0} ${y0} m ${x1} ${y1} l S\n`;

export function pdfOf({ pages, info = "", catalog = "", objects = [] }: PdfParts): Buffer {
  const firstPage = FIRST_MORE + objects.length;
  const kids = pages.map((_, i) => `${firstPage + 2 * i} 0 R`).join(" ");
  const bodies = new Map<number, string>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [2, `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`],
    [3, `<< ${info} >>`],
    [FONT, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"],
    [FONT + 1, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"],
    ...objects.map((body, i): [number, string] => [FIRST_MORE + i, body]),
  ]);
  pages.forEach(({ content, filter, width = 595, height = 842, rotate = 0, fonts: more = "" }, i) => {
    const fonts = `/F1 ${FONT} 0 R /F2 ${FONT + 1} 0 R ${more}`;
    const page = `/Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${rotate} /Resources << /Font << ${fonts} >> >>`;
    bodies.set(firstPage + 2 * i, `<< /Type /Page ${page} /Contents ${firstPage + 2 * i + 1} 0 R >>`);
    const packed = filter ? `/Filter [${filter}]` : "";
    bodies.set(
      firstPage + 2 * i + 1,
      `<< /Length ${Buffer.byteLength(content)} ${packed} >>\nstream\n${content}\nendstream`,
    );
  });
  return assembled([...bodies].sort(([a], [b]) => a - b));
}

function assembled(bodies: [number, string][]): Buffer {
  let text = "%PDF-1.7\n";
  const places = new Map<number, number>();
  for (const [number, body] of bodies) {
    places.set(number, Buffer.byteLength(text));
    text += `${number} 0 obj\n${body}\nendobj\n`;
  }
  const count = Math.max(...places.keys()) + 1;
  const rows = Array.from({ length: count }, (_, number) => {
    const place = places.get(number);
    return place === undefined ? "0000000000 65535 f \n" : `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const start = Buffer.byteLength(text);
  return Buffer.from(
    `${text}xref\n0 ${count}\n${rows.join("")}trailer\n<< /Size ${count} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  );
}
