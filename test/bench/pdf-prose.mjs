/** A PDF of pages of prose, 45 lines each, in a font that every reader has. */
export function pagesOfProse(count) {
  const [parts, places] = [["%PDF-1.7\n"], []];
  let length = parts[0].length;
  const add = (body) => {
    places.push(length);
    const text = `${places.length} 0 obj\n${body}\nendobj\n`;
    parts.push(text);
    length += text.length;
  };
  const FIRST = 4;
  const kids = Array.from({ length: count }, (_, i) => `${FIRST + 2 * i} 0 R`);
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(`<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${count} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  for (let page = 0; page < count; page++) {
    const lines = Array.from({ length: 45 }, (_, i) => `(${proseLine(page, i)}) Tj T*`);
    const content = `BT /F1 11 Tf 15 TL 60 780 Td ${lines.join("\n")} ET`;
    const resources = "/Resources << /Font << /F1 3 0 R >> >>";
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${resources} /Contents ${FIRST + 2 * page + 1} 0 R >>`);
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = `trailer\n<< /Size ${places.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.from(`${parts.join("")}xref\n0 ${places.length + 1}\n0000000000 65535 f \n${rows}${trailer}`);
}

const WORDS = "water leaves boil until cooler before over pour green black white wait minutes degrees fresh cup".split(
  " ",
);
const proseLine = (page, line) =>
  Array.from({ length: 13 }, (_, i) => WORDS[(page * 7 + line * 5 + i * 3) % WORDS.length]).join(" ");
