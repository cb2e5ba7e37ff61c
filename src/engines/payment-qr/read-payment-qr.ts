/** Codes of credit transfers, by their first line. */
import { readEpc } from "./epc.js";
import { NO_PAYMENT, type PaymentReading } from "./payment.js";
import { readSwiss } from "./swiss.js";

export { writeEpc } from "./epc.js";
export { writeSwiss } from "./swiss.js";

export function readPaymentQr(given: string): PaymentReading {
  const text = given.replace(/^\uFEFF/, "");
  if (text.startsWith("BCD")) return readEpc(text);
  if (text.startsWith("SPC")) return readSwiss(text);
  const errors = [{ field: "qrText", code: "data_structure_invalid" }];
  return { ...NO_PAYMENT, scheme: null, version: null, valid: false, text, errors };
}
