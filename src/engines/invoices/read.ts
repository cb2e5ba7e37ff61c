/** Reads an invoice, from XML or from the XML in a PDF. */
import { invalid } from "../../errors.js";
import { documentText } from "../../lib/text/document-text.js";
import { parseXml, type XmlElement } from "../../lib/xml/parse.js";
import { type Check, checkInvoice } from "./checks.js";
import { readCii } from "./cii.js";
import type { Attachment, Invoice } from "./invoice.js";
import { invoiceInPdf } from "./pdf.js";
import { readUbl } from "./ubl.js";
import { rootName } from "./values.js";

export interface InvoiceInput {
  bytes: Uint8Array;
  /** The characters, if they came as text. */
  text?: string | undefined;
}

export interface OpenedInvoice {
  container: "xml" | "pdf";
  xml: string;
  root: XmlElement;
  syntax: Invoice["syntax"];
  /** Other files of the PDF. */
  files: Attachment[];
}

export type InvoiceAnswer = { container: "xml" | "pdf" } & Invoice & { checks: Check[] };

const SYNTAXES: Record<string, Invoice["syntax"]> = {
  Invoice: "ubl",
  CreditNote: "ubl",
  CrossIndustryInvoice: "cii",
  CrossIndustryDocument: "zugferd-1",
};

/** Most of a long invoice is what is attached to it, which costs a reader nothing but its length. */
const MAX_LENGTH = 6_000_000;

/** The syntax of a root element, by its name and namespace. */
function syntaxOf(root: XmlElement): Invoice["syntax"] | undefined {
  const [prefix = "", name] = root.name.includes(":") ? root.name.split(":") : ["", root.name];
  const declared = prefix === "" ? "xmlns" : `xmlns:${prefix}`;
  const namespace = root.attributes.find(([given]) => given === declared)?.[1] ?? "";
  const syntax = SYNTAXES[name ?? ""];
  const wanted = syntax === "ubl" ? /^urn:oasis:names:specification:ubl:/ : /^urn:(?:un:unece:uncefact|ferd):/;
  return syntax && wanted.test(namespace) ? syntax : undefined;
}

export function openInvoice({ bytes, text }: InvoiceInput): OpenedInvoice {
  const isPdf = text === undefined && Buffer.from(bytes.subarray(0, 1024)).includes("%PDF-");
  const found = isPdf ? invoiceInPdf(bytes) : { xml: text ?? documentText(bytes).text, files: [] };
  const root = parseXml(found.xml, MAX_LENGTH);
  const syntax = syntaxOf(root);
  if (!syntax)
    throw invalid("", `is <${rootName(root).slice(0, 60)}>, not an invoice: send UBL 2.1, CII, Factur-X or ZUGFeRD`);
  return { container: isPdf ? "pdf" : "xml", ...found, root, syntax };
}

/** Empty ones cost nothing to write and make an answer of many times their length. */
const MAX_LINES = 20_000;

export function readInvoice(input: InvoiceInput): InvoiceAnswer {
  const { container, root, syntax, files } = openInvoice(input);
  const invoice = syntax === "ubl" ? readUbl(root) : readCii(root, syntax);
  // guard: offline: an invoice that is read has a largest number of lines | gone | invoice/read
  if (invoice.lines.length > MAX_LINES) throw invalid("", `has more than ${MAX_LINES} lines: send it in parts`);
  const read = { ...invoice, attachments: [...invoice.attachments, ...files] };
  return { container, ...read, checks: checkInvoice(read) };
}
