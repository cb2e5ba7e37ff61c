import { documentInput } from "../../upstream/input/document-input.js";

export const invoiceDocument = /* @__PURE__ */ documentInput({
  ...{
    text: true,
    accept: "application/xml, application/pdf, */*",
    what: "invoice (UBL, CII, or a PDF with one in it)",
  },
});
