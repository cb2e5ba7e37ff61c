import { readFileSync } from "node:fs";

/** A business case of XRechnung's test suite in both syntaxes. */
interface BusinessCase {
  name: string;
  ubl: string;
  cii: string;
}

export const businessCases = (): BusinessCase[] =>
  [1, 2, 3].flatMap((part) =>
    JSON.parse(readFileSync(new URL(`../suites/invoices/xrechnung-${part}.json`, import.meta.url), "utf8")),
  );
