/** Invoices: the business cases of XRechnung in both syntaxes, and the PDFs and XML files of ZUGFeRD's corpus. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { differs, judge } from "./verdicts.mjs";

const { invoiceRead } = await import(new URL("../../../dist/capabilities/invoice/index.js", import.meta.url).href);
const read = (path) => invoiceRead({ file: readFileSync(path).toString("base64") });

/** Names of members, at any depth, in which two answers differ. */
function differences(a, b, path = "") {
  if (isDeepStrictEqual(a, b)) return [];
  const isGroup = (value) => typeof value === "object" && value !== null;
  if (!isGroup(a) || !isGroup(b)) return [`${path} is ${JSON.stringify(a)} and ${JSON.stringify(b)}`];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
    differences(a[name], b[name], `${path}/${name}`),
  );
}

async function judgeCases(root) {
  const folder = join(root, "src", "test", "business-cases", "standard");
  const names = readdirSync(folder).filter((name) => name.endsWith("_ubl.xml"));
  const cases = names.map((name) => ({
    name,
    ask: async () => {
      const [ubl] = (await read(join(folder, name))).items;
      const [cii] = (await read(join(folder, name.replace("_ubl", "_uncefact")))).items;
      return { items: [{ ubl, cii }] };
    },
    faults: ({ ubl, cii }) => differences({ ...ubl, syntax: "" }, { ...cii, syntax: "" }),
  }));
  await judge("XRechnung, UBL and CII give the same", cases);
}

async function judgeCorpus(root) {
  const files = readdirSync(root, { recursive: true }).sort();
  const of = (end, isInvoice) =>
    files
      .filter((name) => name.toLowerCase().endsWith(end))
      .map((name) => ({
        name,
        ask: () => read(join(root, name)),
        faults: isInvoice(name)
          ? ({ number, container }) => [
              ...differs("container", container, end.slice(1)),
              ...(number ? [] : ["no number"]),
            ]
          : undefined,
      }));
  // One PDF is a plain one; FatturaPA is another standard.
  await judge(
    "ZUGFeRD corpus, PDF",
    of(".pdf", (name) => !name.startsWith("unstructured")),
  );
  await judge(
    "ZUGFeRD corpus, XML",
    of(".xml", (name) => !name.startsWith("fatturaPA")),
  );
}

export const judgeInvoices = { "xrechnung-testsuite": judgeCases, corpus: judgeCorpus };
