/** The code of a SEPA credit transfer (EPC069-12): up to twelve lines that begin with BCD. */
import { readIban } from "../numbers/iban.js";
import {
  filled,
  NO_PAYMENT,
  type Order,
  type Payment,
  type PaymentQrFault,
  type PaymentReading,
  partyOf,
  qrLines,
  withoutBlanks,
} from "./payment.js";
import { amountText, isCreditorReference, isInRange } from "./references.js";

const MAX_BYTES = 331;
const MAX_LINES = 12;

export function readEpc(text: string): PaymentReading {
  const lines = qrLines(text);
  while (lines.length > MAX_LINES && lines.at(-1) === "") lines.pop();
  const answer = { scheme: "epc" as const, version: lines[1] ?? null, text };
  const broken = structureFault(lines);
  if (broken) return { ...NO_PAYMENT, ...answer, valid: false, errors: [broken] };
  const { payment, faults } = paymentOf(lines);
  const errors = [...faults, ...epcFaults(payment)];
  if (lines[1] === "001" && !payment.bic) errors.push({ field: "bic", code: "field_value_missing" });
  return { ...payment, ...answer, valid: errors.length === 0, errors };
}

function structureFault(lines: string[]): PaymentQrFault | undefined {
  if (lines[0] !== "BCD" || lines.length < 7 || lines.length > MAX_LINES)
    return { field: "qrText", code: "data_structure_invalid" };
  if (!/^00[12]$/.test(lines[1] ?? "")) return { field: "version", code: "version_unsupported" };
  if (!/^[1-8]$/.test(lines[2] ?? "")) return { field: "codingType", code: "coding_type_unsupported" };
  // INST asks for an instant transfer.
  return /^(?:SCT|INST)$/.test(lines[3] ?? "")
    ? undefined
    : { field: "identification", code: "data_structure_invalid" };
}

function paymentOf(lines: string[]): { payment: Payment; faults: PaymentQrFault[] } {
  const at = (line: number) => filled(lines[line]);
  const written = at(7);
  const [, currency, digits] = /^([A-Z]{3})(.*)$/.exec(written ?? "") ?? [];
  const amount = digits === undefined ? undefined : amountText(digits);
  const payment: Payment = {
    ...NO_PAYMENT,
    bic: at(4),
    creditor: partyOf({ name: lines[5] }),
    iban: at(6),
    amount: amount ?? null,
    currency: currency ?? (written === null ? "EUR" : null),
    purpose: at(8),
    referenceType: referenceTypeOf(at(9)),
    reference: at(9),
    message: at(10),
    information: at(11),
  };
  const isNoAmount = written !== null && amount === undefined;
  return { payment, faults: isNoAmount ? [{ field: "amount", code: "number_invalid" }] : [] };
}

const referenceTypeOf = (reference: string | null): string =>
  reference === null ? "NON" : reference.startsWith("RF") ? "SCOR" : "OTHER";

const BIC = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

function epcFaults({ creditor, alternativeSchemes: _, debtor: __, ...fields }: Payment): PaymentQrFault[] {
  const given = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? ""]));
  const { iban = "", bic = "", amount = "", currency = "", purpose = "", reference = "", message = "" } = given;
  const rules: [isBroken: boolean | "", field: string, code: string][] = [
    [iban === "", "iban", "field_value_missing"],
    [iban && !readIban(iban).valid, "iban", "account_iban_invalid"],
    [bic && !BIC.test(bic), "bic", "bic_invalid"],
    [currency && currency !== "EUR", "currency", "currency_not_eur"],
    [amount && !isInRange(amount, "0.01"), "amount", "amount_outside_valid_range"],
    [/\.\d{3}/.test(amount), "amount", "number_invalid"],
    [purpose && !/^[A-Z0-9]{1,4}$/.test(purpose), "purpose", "purpose_invalid"],
    [reference.length > 35, "reference", "field_value_too_long"],
    [reference.startsWith("RF") && !isCreditorReference(reference), "reference", "ref_invalid"],
    [message.length > 140, "message", "field_value_too_long"],
    [reference && message !== "", "message", "message_beside_reference"],
    [(given.information ?? "").length > 70, "information", "field_value_too_long"],
  ];
  const faults = rules.filter(([isBroken]) => isBroken).map(([, field, code]) => ({ field, code }));
  return [...faults, ...nameFaults(creditor?.name ?? "")];
}

function nameFaults(name: string): PaymentQrFault[] {
  if (name === "") return [{ field: "creditor.name", code: "field_value_missing" }];
  return name.length > 70 ? [{ field: "creditor.name", code: "field_value_too_long" }] : [];
}

export function writeEpc(order: Order): PaymentReading {
  const { amount } = order;
  const reference = filled(order.reference);
  const compact = reference && /^RF/i.test(reference) ? withoutBlanks(reference) : reference;
  const payment: Payment = {
    ...NO_PAYMENT,
    iban: withoutBlanks(order.iban),
    bic: order.bic ? withoutBlanks(order.bic) : null,
    amount: (amount !== undefined && amountText(amount)) || null,
    currency: order.currency,
    creditor: partyOf(order.creditor),
    referenceType: referenceTypeOf(compact),
    reference: compact,
    message: filled(order.message),
    information: filled(order.information),
    purpose: filled(order.purpose)?.toUpperCase() ?? null,
  };
  const text = textOf(payment);
  const errors = epcFaults(payment);
  if (Buffer.byteLength(text) > MAX_BYTES) errors.push({ field: "qrText", code: "field_value_too_long" });
  const valid = errors.length === 0;
  return { ...payment, scheme: "epc", version: "002", valid, text: valid ? text : null, errors };
}

/** Empty lines at the end are left out. */
function textOf({ bic, creditor, iban, amount, purpose, reference, message, information }: Payment): string {
  const lines = ["BCD", "002", "1", "SCT", bic, creditor?.name, iban, amount && `EUR${amount}`];
  return [...lines, purpose, reference, message, information]
    .map((line) => line ?? "")
    .join("\n")
    .replace(/\n+$/, "");
}
