/** Judges an invoice by the official rules of EN 16931 and, for Germany, of XRechnung. */
import { invalid, without } from "../../errors.js";
import { lazy, once } from "../../lib/lazy.js";
import type { XmlElement } from "../../lib/xml/parse.js";
import { xpath } from "../schematron/functions.js";
import { type RuleFinding, Validator } from "../schematron/run.js";
import { readSchema } from "../schematron/schema.js";
import { readCii } from "./cii.js";
import { holdsExactly } from "./exact-sums.js";
import type { Invoice } from "./invoice.js";
import { type InvoiceInput, openInvoice } from "./read.js";
import { readRules, ruleSources } from "./rule-files.js";
import { readUbl } from "./ubl.js";

export type Rules = "auto" | "en16931" | "xrechnung";

export interface InvoiceVerdict {
  format: "ubl" | "cii";
  profile: string | null;
  valid: boolean;
  failed: string[];
  findings: RuleFinding[];
  counts: { fatal: number; warning: number; information: number };
  rules: "en16931" | "xrechnung";
  rulesVersion: string;
}

const MAX_LINES = 1_000;
const MAX_HEAD = 2_500;
const MAX_IN_LINES = 100_000;
const MAX_CHARACTERS = 2_000_000;

export interface ValidateInput extends InvoiceInput {
  rules: Rules;
  /** Lines that are paid for. */
  maxLines: number;
}

const slimdom = lazy(() => import("slimdom").catch(without("slimdom")));

const validatorOf = (file: string) =>
  once(
    async () =>
      new Validator(
        readSchema(readRules(file), () => readRules("common.sch")),
        await xpath(),
      ),
  );

/** Read and put together by the first invoice of a thread. */
const VALIDATORS = {
  en16931: {
    ubl: validatorOf("EN16931-UBL-validation-preprocessed.sch"),
    cii: validatorOf("EN16931-CII-validation-preprocessed.sch"),
  },
  xrechnung: { ubl: validatorOf("XRechnung-UBL-validation.sch"), cii: validatorOf("XRechnung-CII-validation.sch") },
};

export async function validateInvoice({ rules, maxLines, ...input }: ValidateInput): Promise<InvoiceVerdict> {
  const { xml, root, syntax } = openInvoice(input);
  if (syntax === "zugferd-1")
    throw invalid("", "is ZUGFeRD 1, which is older than EN 16931 and its rules: read it with invoice.read");
  const invoice = syntax === "ubl" ? readUbl(root) : readCii(root, syntax);
  assertLines(invoice.lines.length, maxLines);
  assertSize(root);
  const applied = rules === "auto" ? (/xrechnung/i.test(invoice.profile ?? "") ? "xrechnung" : "en16931") : rules;
  const document = await documentOf(xml);
  const sets = applied === "xrechnung" ? (["en16931", "xrechnung"] as const) : (["en16931"] as const);
  const findings: RuleFinding[] = [];
  for (const set of sets) findings.push(...(await VALIDATORS[set][syntax]()).run(document));
  return verdictOf(
    findings.filter(({ rule }) => !holdsExactly(rule, invoice)),
    invoice,
    applied,
  );
}

/** Prefixes that nothing declares are seen only here. */
async function documentOf(xml: string) {
  const { parseXmlDocument } = await slimdom();
  try {
    return parseXmlDocument(xml.replace(/^\uFEFF/, ""));
  } catch (error) {
    const [what = ""] = error instanceof Error ? error.message.split("\n") : [];
    throw invalid("", `is not well-formed XML: ${what.slice(0, 200)}`);
  }
}

function assertLines(count: number, paid: number): void {
  // guard: offline: an invoice has a largest number of lines | gone | invoice/validate
  if (count > MAX_LINES) throw invalid("", `has ${count} lines: invoices of up to ${MAX_LINES} are judged`);
  if (count > paid) throw invalid("", `has ${count} lines: send its XML as text, so that its price can go by them`);
}

/**
 * Some rules compare each part of an invoice with every other: those of the head are few, and a line is short. What is
 * attached is looked at once.
 */
function assertSize(root: XmlElement): void {
  const count = { head: 0, lines: 0 };
  let characters = 0;
  const stack: [element: XmlElement, part: keyof typeof count][] = [[root, "head"]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [element, part] = next;
    count[part]++;
    characters += charactersOf(element);
    for (const child of element.children)
      if (typeof child !== "string") stack.push([child, LINE.test(child.name) ? "lines" : part]);
  }
  // guard: offline: an invoice has so many characters beside its attachments | gone | invoice/validate
  if (characters > MAX_CHARACTERS)
    throw invalid("", `has ${characters} characters beside its attachments: at most ${MAX_CHARACTERS} are judged`);
  // guard: offline: an invoice has so many elements beside its lines | gone | invoice/validate
  if (count.head > MAX_HEAD)
    throw invalid("", `has ${count.head} elements beside its lines: at most ${MAX_HEAD} are judged`);
  // guard: offline: an invoice has so many elements in its lines | gone | invoice/validate
  if (count.lines > MAX_IN_LINES)
    throw invalid("", `has ${count.lines} elements in its lines: at most ${MAX_IN_LINES} are judged`);
}

const ATTACHED = /(?:^|:)(?:EmbeddedDocumentBinaryObject|AttachmentBinaryObject)$/;

function charactersOf({ name, attributes, children }: XmlElement): number {
  const texts = ATTACHED.test(name) ? [] : children.filter((child) => typeof child === "string");
  return [...attributes.map(([, value]) => value), ...texts].reduce((sum, { length }) => sum + length, 0);
}

const LINE = /(?:^|:)(?:InvoiceLine|CreditNoteLine|IncludedSupplyChainTradeLineItem)$/;

function verdictOf(
  findings: RuleFinding[],
  { syntax, profile }: Invoice,
  rules: InvoiceVerdict["rules"],
): InvoiceVerdict {
  const count = (flag: string) => findings.filter((finding) => finding.flag === flag).length;
  const counts = { fatal: count("fatal"), warning: count("warning"), information: count("information") };
  const sources = ruleSources().slice(0, rules === "xrechnung" ? 2 : 1);
  return {
    format: syntax === "ubl" ? "ubl" : "cii",
    profile,
    valid: counts.fatal === 0,
    failed: [...new Set(findings.map(({ rule }) => rule))],
    findings: findings.slice(0, MAX_FINDINGS),
    counts,
    rules,
    rulesVersion: sources.map(({ name, version }) => `${name} ${version}`).join(", "),
  };
}

/** More say nothing new: a rule that every line breaks is told a thousand times. */
const MAX_FINDINGS = 2_000;
