/** The invoice in a PDF of Factur-X, ZUGFeRD or XRechnung, and the other files beside it. */
import { invalid } from "../../errors.js";
import { documentText } from "../../lib/text/document-text.js";
import { type EmbeddedFile, embeddedFiles } from "../pdf-files/embedded.js";
import type { Attachment } from "./invoice.js";

/** The newest name first: some PDFs carry the invoice in two standards. */
const NAMES = ["factur-x.xml", "zugferd-invoice.xml", "xrechnung.xml"];
const ROOT = /<(?:[\w.-]{1,40}:)?(?:CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote)[\s>]/;

export function invoiceInPdf(bytes: Uint8Array): { xml: string; files: Attachment[] } {
  const files = embeddedFiles(bytes);
  const candidates = candidatesIn(files);
  const [invoice] = candidates;
  if (!invoice)
    throw invalid("", "is a PDF without an invoice as XML in it: Factur-X and ZUGFeRD embed a file named factur-x.xml");
  if (candidates.some(({ content }) => !Buffer.from(content).equals(invoice.content)))
    throw invalid("", "is a PDF with several invoices as XML in it, which differ: send the XML of one");
  const others = files.filter((file) => file !== invoice);
  return {
    xml: documentText(invoice.content).text,
    files: others.map(({ name, mimeType, content }) => ({ name: name || null, mimeType, bytes: content.length })),
  };
}

function candidatesIn(files: EmbeddedFile[]): EmbeddedFile[] {
  const named = NAMES.map((wanted) => files.filter(({ name }) => name.toLowerCase() === wanted));
  return named.find(({ length }) => length > 0) ?? files.filter(looksLikeInvoice);
}

const looksLikeInvoice = ({ name, content }: EmbeddedFile): boolean =>
  /\.xml$/i.test(name) && ROOT.test(documentText(content.subarray(0, 4_000)).text);
