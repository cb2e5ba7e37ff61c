import { documentInput } from "../../upstream/input/document-input.js";

/** Invoices carry their attachments: documents of 6 MB, in base64. */
export const MAX_INVOICE_BODY_BYTES = 8_400_000;

export const invoiceDocument = /* @__PURE__ */ documentInput({
  ...{
    text: true,
    accept: "application/xml, application/pdf, */*",
    what: "invoice (UBL, CII, or a PDF with one in it)",
    maxBytes: 6_000_000,
  },
});
