/** The code of a Swiss QR-bill: 31 to 34 lines that begin with SPC. */
import {
  filled,
  NO_PAYMENT,
  type Order,
  type Party,
  type Payment,
  type PaymentQrFault,
  type PaymentReading,
  partyOf,
  qrLines,
  withoutBlanks,
} from "./payment.js";
import { amountText } from "./references.js";
import { referenceTypeOf, swissFaults } from "./swiss-rules.js";

const LINES = 31;

export function readSwiss(text: string): PaymentReading {
  const lines = qrLines(text);
  const broken = structureFault(lines);
  const answer = { scheme: "swiss" as const, version: lines[1] ?? null, text };
  if (broken) return { ...NO_PAYMENT, ...answer, valid: false, errors: [broken] };
  const { payment, faults } = paymentOf(lines);
  const errors = [...faults, ...swissFaults(payment)];
  return { ...payment, ...answer, valid: errors.length === 0, errors };
}

/** A line feed at the end is against the standard, and frequent. */
function structureFault(lines: string[]): PaymentQrFault | undefined {
  const isLong = lines.length === LINES + 4 && lines.at(-1) === "";
  if ((lines.length < LINES || lines.length > LINES + 3) && !isLong)
    return { field: "qrText", code: "data_structure_invalid" };
  if (lines[0] !== "SPC") return { field: "qrText", code: "data_structure_invalid" };
  // Banks agreed that the minor version is not judged.
  if (!/^02\d\d$/.test(lines[1] ?? "")) return { field: "version", code: "version_unsupported" };
  if (lines[2] !== "1") return { field: "codingType", code: "coding_type_unsupported" };
  if (lines[30] !== "EPD") return { field: "trailer", code: "data_structure_invalid" };
  return undefined;
}

function paymentOf(lines: string[]): { payment: Payment; faults: PaymentQrFault[] } {
  const at = (line: number) => filled(lines[line]);
  const written = at(18);
  const amount = written === null ? null : amountText(written);
  const payment: Payment = {
    ...NO_PAYMENT,
    iban: at(3),
    creditor: partyAt(lines, 4),
    amount: amount ?? null,
    currency: at(19),
    debtor: partyAt(lines, 20),
    referenceType: at(27),
    reference: at(28),
    message: at(29),
    information: at(31),
    alternativeSchemes: lines.slice(32, 34).filter((scheme) => scheme.trim() !== ""),
  };
  return { payment, faults: amount === undefined ? [{ field: "amount", code: "number_invalid" }] : [] };
}

function partyAt(lines: string[], from: number): Party | null {
  const [type, name, first, second, postalCode, city, country] = lines.slice(from, from + 7).map(filled);
  if (![type, name, first, second, postalCode, city, country].some(Boolean)) return null;
  const isStructured = type === "S";
  return {
    addressType: isStructured ? "structured" : "combined",
    name: name ?? null,
    street: (isStructured && first) || null,
    houseNumber: (isStructured && second) || null,
    postalCode: postalCode ?? null,
    city: city ?? null,
    country: country ?? null,
    addressLine1: (!isStructured && first) || null,
    addressLine2: (!isStructured && second) || null,
  };
}

export function writeSwiss(order: Order): PaymentReading {
  const digits = withoutBlanks(order.reference ?? "");
  const reference = /^\d{1,27}$/.test(digits) ? digits.padStart(27, "0") : digits || null;
  const payment: Payment = {
    iban: withoutBlanks(order.iban),
    bic: null,
    amount: (order.amount !== undefined && amountText(order.amount)) || null,
    currency: order.currency,
    creditor: partyOf(order.creditor),
    debtor: order.debtor ? partyOf(order.debtor) : null,
    referenceType: referenceTypeOf(reference),
    reference,
    message: filled(order.message),
    information: filled(order.information),
    purpose: null,
    alternativeSchemes: order.alternativeSchemes ?? [],
  };
  const errors = swissFaults(payment);
  const valid = errors.length === 0;
  return { ...payment, scheme: "swiss", version: "0200", valid, text: valid ? textOf(payment) : null, errors };
}

function textOf(payment: Payment): string {
  const { iban, creditor, amount, currency, debtor, referenceType, reference, message, information } = payment;
  const none = Array<null>(7).fill(null);
  const lines = [
    ...["SPC", "0200", "1", iban, ...partyLines(creditor), ...none],
    ...[amount, currency, ...partyLines(debtor), referenceType, reference, message, "EPD"],
    ...(information || payment.alternativeSchemes.length > 0 ? [information] : []),
    ...payment.alternativeSchemes,
  ];
  return lines.map((line) => line ?? "").join("\n");
}

function partyLines(party: Party | null): (string | null)[] {
  if (!party) return Array<null>(7).fill(null);
  const { name, street, houseNumber, postalCode, city, country } = party;
  return ["S", name, street, houseNumber, postalCode, city, country];
}
