/**
 * SIC and its concordance, two tables in the package: the last edition is of 1987, the concordance of 2002, and their
 * publishers offer only pages and legacy workbooks, which cannot be downloaded as data.
 */
import { type Classification, indexItems } from "../../engines/industry/classification.js";
import { type Concordance, type ConcordanceRow, indexConcordance } from "../../engines/industry/concordance.js";
import { sicItems } from "../../engines/industry/lists.js";
import { lazy } from "../../lib/lazy.js";

export interface Sic {
  list: Classification;
  toNaics2002: Concordance;
}

export const loadSic: () => Promise<Sic> = /* @__PURE__ */ lazy(async () => {
  const { SIC_1987 } = await import("./sic-table.js");
  const items: string[][] = [];
  const links: ConcordanceRow[] = [];
  for (const line of SIC_1987.trim().split("\n")) {
    const [item = "", ...successors] = line.split("|");
    const [from = ""] = item.split(" ", 1);
    items.push([from, item.slice(from.length + 1)]);
    for (const to of successors) links.push({ from, to, partial: false, note: null });
  }
  return { list: indexItems(sicItems(items)), toNaics2002: indexConcordance(links) };
});
