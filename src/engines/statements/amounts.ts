/** Amounts as people and programs of all countries write them. */
import { Decimal } from "../../lib/decimal.js";

const WRITTEN = /^([+-]?)([\d.,' ]{1,40})(-?)$/;

/**
 * `-1,234.56`, `1.234,56`, `1'234.50`, `200,29`, `25-`. The last of two signs is the decimal one; a single comma before three
 * digits parts thousands where `grouped` says that amounts may be written so.
 */
export function writtenAmount(text: string, { grouped }: { grouped: boolean }): Decimal | undefined {
  const [, sign = "", digits, behind = ""] = WRITTEN.exec(text.replace(/[\s$€£]/g, "")) ?? [];
  if (digits === undefined || (sign !== "" && behind !== "")) return undefined;
  const compact = digits.replace(/[' ]/g, "");
  const point = decimalPlace(compact, grouped);
  const whole = (point < 0 ? compact : compact.slice(0, point)).replace(/[.,]/g, "");
  const fraction = point < 0 ? "" : compact.slice(point + 1);
  const read = Decimal.parse(fraction === "" ? whole : `${whole}.${fraction}`);
  return sign === "-" || behind === "-" ? read?.negated() : read;
}

/** Where the decimal sign stands; -1 if there is none. */
function decimalPlace(digits: string, grouped: boolean): number {
  const [comma, point] = [digits.lastIndexOf(","), digits.lastIndexOf(".")];
  if (comma >= 0 && point >= 0) return Math.max(comma, point);
  const place = Math.max(comma, point);
  const isRepeated = place >= 0 && digits.indexOf(digits[place] ?? "") !== place;
  const isGroup = grouped && place === comma && digits.length - place === 4;
  return isRepeated || isGroup ? -1 : place;
}
