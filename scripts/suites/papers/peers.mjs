/**
 * Libraries that a user would pick instead for statements and invoices. They are asked for less than our endpoints: of a
 * statement the amounts of its entries, in order; of an invoice its number and what is to be paid. No library of npm was found that
 * judges an invoice by the official rules in usable time: node-schematron runs their files, and took 79 s for one invoice.
 */
import { readFileSync } from "node:fs";
import { loaderOf } from "../peers.mjs";

const sameAmounts = (entries, wanted) =>
  entries.length === wanted.length && entries.every((amount, at) => Math.abs(amount - wanted[at]) < 1e-9);

/** Readers by the name of a suite; each is its name and a function of a file and of what is wanted of it. */
export async function peersIn(folder) {
  const load = loaderOf(folder);
  const names = ["mt940js", "camt-parser", "ofx-data-extractor", "factur-x-kit"];
  const [mt940, camt, ofx, facturX] = await Promise.all(names.map(load));
  return {
    mt940: mt940 && [
      "mt940js",
      (file, wanted) => {
        const statements = new mt940.Parser().parse(readFileSync(file, "utf8"));
        const entries = statements.flatMap(({ transactions }) => transactions);
        return sameAmounts(
          entries.map(({ amount }) => amount),
          wanted,
        );
      },
    ],
    camt: camt && [
      "camt-parser",
      async (file, wanted) => {
        const { statements } = await camt.parseCamt053(readFileSync(file, "utf8"));
        const amounts = statements
          .flatMap(({ transactions }) => transactions)
          .map(({ amount, creditDebitIndicator }) => (creditDebitIndicator === "DBIT" ? -1 : 1) * Number(amount.value));
        return sameAmounts(amounts.slice(-wanted.length), wanted);
      },
    ],
    ofx: ofx && [
      "ofx-data-extractor",
      (file, { entries, sum }) => {
        const { transactions } = ofx.Ofx.fromBuffer(readFileSync(file)).toNormalized();
        const total = transactions.reduce((all, { amount }) => all + amount, 0);
        return transactions.length === entries && Math.abs(total - sum) < 0.005;
      },
    ],
    facturX: facturX && [
      "factur-x-kit",
      async (bytes, isPdf) => {
        const { FacturX } = facturX;
        const { object } = await (isPdf ? FacturX.fromPDF(bytes) : FacturX.fromXML(bytes));
        return Boolean(object.document.id) && object.totals.openAmount !== undefined;
      },
    ],
  };
}

/** A case's `peer` of verdicts.mjs; undefined without the library. */
export const askPeer = (peer, ...inputs) => peer && [peer[0], () => peer[1](...inputs)];
