/** The invoice in a PDF of Factur-X, ZUGFeRD or XRechnung, and the other files beside it. */
import { invalid } from "../../errors.js";
import { documentText } from "../../lib/text/document-text.js";
import { type EmbeddedFile, embeddedFiles } from "../pdf-files/embedded.js";
import type { Attachment } from "./invoice.js";

const NAMES = ["factur-x.xml", "zugferd-invoice.xml", "xrechnung.xml"];
const ROOT = /<(?:[\w.-]{1,40}:)?(?:CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote)[\s>]/;

export function invoiceInPdf(bytes: Uint8Array): { xml: string; files: Attachment[] } {
  const files = embeddedFiles(bytes);
  const invoice = files.find(({ name }) => NAMES.includes(name.toLowerCase())) ?? files.find(looksLikeInvoice);
  if (!invoice)
    throw invalid("", "is a PDF without an invoice as XML in it: Factur-X and ZUGFeRD embed a file named factur-x.xml");
  const others = files.filter((file) => file !== invoice);
  return {
    xml: documentText(invoice.content).text,
    files: others.map(({ name, mimeType, content }) => ({ name: name || null, mimeType, bytes: content.length })),
  };
}

const looksLikeInvoice = ({ name, content }: EmbeddedFile): boolean =>
  /\.xml$/i.test(name) && ROOT.test(documentText(content.subarray(0, 4_000)).text);
