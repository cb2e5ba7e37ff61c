/** Invoices: the business cases of XRechnung in both syntaxes, and the PDFs and XML files of ZUGFeRD's corpus. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { askPeer } from "./peers.mjs";
import { differs, judge } from "./verdicts.mjs";

const { invoiceRead, invoiceValidate } = await import(
  new URL("../../../dist/capabilities/invoice/index.js", import.meta.url).href
);
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

async function judgeCorpus(root, { facturX }) {
  const files = readdirSync(root, { recursive: true }).sort();
  const of = (end, isInvoice) =>
    files
      .filter((name) => name.toLowerCase().endsWith(end))
      .map((name) => ({
        name,
        ask: () => read(join(root, name)),
        peer: isInvoice(name) ? askPeer(facturX, readFileSync(join(root, name)), end === ".pdf") : undefined,
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

/** Unit tests of the rules: each names a rule, and the documents that keep or break it. */
function unitTests(file) {
  const text = readFileSync(file, "utf8").replace(/<!--[\s\S]*?-->/g, "");
  return [...text.matchAll(/<test(?:\s[^>]*)?>([\s\S]*?)<\/test>/g)].flatMap(([, body]) => {
    const [, asserted = "", document = ""] = /<assert>([\s\S]*?)<\/assert>([\s\S]*)/.exec(body) ?? [];
    const expected = [...asserted.matchAll(/<(success|error|warning|fatal)[^>]*>\s*([\w-]+)\s*</g)];
    return document.trim() === ""
      ? []
      : [{ xml: withNamespaces(document, text), expected: expected.map(([, how, rule]) => ({ how, rule })) }];
  });
}

/** Prefixes that only the root of the tests declares. */
function withNamespaces(document, text) {
  const declared = [...text.matchAll(/xmlns:(cac|cbc|ext)="([^"]+)"/g)].map(([whole, prefix]) => [prefix, whole]);
  const missing = [...new Map(declared)].filter(
    ([prefix]) => !/<\w[^>]*>/.exec(document)?.[0].includes(`xmlns:${prefix}=`),
  );
  return document.trim().replace(/<(\w+)/, (root) => [root, ...missing.map(([, one]) => one)].join(" "));
}

async function judgeUnits(root) {
  const folders = ["Invoice-unit-UBL", "CreditNote-unit-UBL"].map((name) => join(root, "test", name));
  const cases = folders.flatMap((folder) =>
    readdirSync(folder).flatMap((name) =>
      unitTests(join(folder, name)).flatMap(({ xml, expected }, at) => {
        let asked;
        const ask = () => (asked ??= invoiceValidate({ text: xml, rules: "en16931" }));
        return expected.map(({ how, rule }) => ({
          name: `${name} ${at + 1}, ${how} ${rule}`,
          ask,
          faults: ({ findings }) =>
            differs(
              rule,
              findings.find((one) => one.rule === rule)?.flag ?? "success",
              how === "error" ? "fatal" : how,
            ),
        }));
      }),
    ),
  );
  await judge("EN 16931, assertions of its unit tests", cases);
}

const validate = (path) => invoiceValidate({ file: readFileSync(path).toString("base64") });
const isClean = ({ valid, failed }) => (valid ? [] : [failed.join(" ")]);
const cleanCases = (folder, names) =>
  names.map((name) => ({ name, ask: () => validate(join(folder, name)), faults: isClean }));
const xmlIn = (folder) => readdirSync(folder).filter((name) => name.toLowerCase().endsWith(".xml"));

async function judgeOfficial(root) {
  for (const part of ["ubl/examples", "cii/examples", "test/testfiles"])
    await judge(`EN 16931, ${part} without a fatal finding`, cleanCases(join(root, part), xmlIn(join(root, part))));
  await judgeUnits(root);
}

async function judgeGerman(root) {
  const folder = join(root, "src", "test", "business-cases", "standard");
  await judge("XRechnung, business cases without a fatal finding", cleanCases(folder, xmlIn(folder)));
}

export const judgeInvoices = {
  "eInvoicing-EN16931": judgeOfficial,
  "xrechnung-testsuite": async (root) => {
    await judgeCases(root);
    await judgeGerman(root);
  },
  corpus: judgeCorpus,
};
