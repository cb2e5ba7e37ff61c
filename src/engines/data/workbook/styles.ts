/** Which numbers of a workbook are dates: only their format tells. */
import { type Attributes, scanXml } from "../../../lib/xml/scan.js";
import type { Shown } from "./serials.js";

/** Of ECMA-376, part 1, section 18.8.30, with those of East Asia and Thailand. */
const DATES: readonly (readonly [from: number, to: number, shown: Shown])[] = [
  [14, 17, "date"],
  [18, 21, "time"],
  [22, 22, "date"],
  [27, 31, "date"],
  [32, 33, "time"],
  [34, 36, "date"],
  [45, 45, "time"],
  [46, 46, "length"],
  [47, 47, "time"],
  [50, 58, "date"],
  [71, 74, "date"],
  [75, 76, "time"],
  [77, 77, "date"],
  [78, 78, "time"],
  [79, 79, "length"],
  [80, 80, "time"],
  [81, 81, "date"],
];

/** How cells of each style show a number; undefined for one that shows none as a date. */
export function shownByStyle(xml: string): (Shown | undefined)[] {
  const codes = new Map<number, string>();
  const styles: number[] = [];
  let within = "";
  scanXml(xml, {
    open(name, attributes) {
      if (name === "numFmts" || name === "cellXfs") within = name;
      else if (name === "numFmt" && within === "numFmts") addCode(codes, attributes());
      else if (name === "xf" && within === "cellXfs") styles.push(Number(attributes().numFmtId ?? 0));
    },
    close(name) {
      if (name === within) within = "";
    },
    text() {},
  });
  return styles.map((id) => {
    const code = codes.get(id);
    return code === undefined ? DATES.find(([from, to]) => id >= from && id <= to)?.[2] : shownBy(code);
  });
}

function addCode(codes: Map<number, string>, { numFmtId, formatCode }: Attributes): void {
  if (numFmtId !== undefined && formatCode !== undefined) codes.set(Number(numFmtId), formatCode.slice(0, 1_000));
}

/** The first section that shows a date decides. */
export function shownBy(code: string): Shown | undefined {
  const plain = code.replace(/"[^"]*"|[\\_*]./g, " ");
  for (const section of plain.split(";")) {
    const shown = shownBySection(section.toLowerCase());
    if (shown) return shown;
  }
  return undefined;
}

function shownBySection(section: string): Shown | undefined {
  const isLength = /\[(?:h+|m+|s+)\]/.test(section);
  const letters = section
    .replace(/\[(h+|m+|s+)\]/g, "$1")
    .replace(/\[[^\]]*\]/g, " ")
    .replace(/s[.,]0+/g, "s")
    .replace(/general/g, " ");
  if (/[0#?]/.test(letters)) return undefined;
  if (isLength) return "length";
  if (/[yd]/.test(letters)) return "date";
  if (/[hs]/.test(letters)) return "time";
  return /m/.test(letters) ? "date" : undefined;
}
