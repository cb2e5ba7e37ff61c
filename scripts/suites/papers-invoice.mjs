/**
 * Runs suites of others about bank statements and invoices through the built package, and prints right, wrong and refused.
 *
 *   node scripts/suites/papers-invoice.mjs <folder> [--only camt] [--show 10] [--peers <folder>]
 *
 * The folder has checkouts by their names: mt940, camt, ofxtools, eInvoicing-EN16931, xrechnung-schematron,
 * xrechnung-testsuite, corpus. What is not there is told and left out. "Refused" counts refusals of what should have an
 * answer; a refusal of what holds no statement or invoice is right. Peers: see papers/peers.mjs.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { judgeInvoices } from "./papers/invoices.mjs";
import { peersIn } from "./papers/peers.mjs";
import { judgeStatements } from "./papers/statements.mjs";
import { findings, table } from "./papers/verdicts.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ only: { type: "string", default: "" }, show: { type: "string", default: "5" } },
    peers: { type: "string" },
  },
});
const [folder] = positionals;
if (!folder) throw new Error("usage: node scripts/suites/papers-invoice.mjs <folder>");

const peers = await peersIn(values.peers);
const SUITES = { ...judgeStatements, ...judgeInvoices };
for (const [name, run] of Object.entries(SUITES)) {
  if (!name.toLowerCase().includes(values.only.toLowerCase())) continue;
  const root = join(folder, name);
  if (existsSync(root)) await run(root, peers);
  else console.log(`${name} is not there`);
}
console.table(table);
const seen = new Map();
for (const { suite, text } of findings) {
  const count = (seen.get(suite) ?? 0) + 1;
  seen.set(suite, count);
  if (count <= Number(values.show)) console.log(`${suite}: ${text.replace(/\s+/g, " ").slice(0, 300)}`);
}
process.exit();
