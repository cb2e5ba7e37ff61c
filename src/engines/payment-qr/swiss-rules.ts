/** The rules of the Swiss Payment Standards, with the codes that the library SwissQRBill gives to what breaks them. */
import { readIban } from "../numbers/iban.js";
import type { Party, Payment, PaymentQrFault } from "./payment.js";
import { isCreditorReference, isInRange, isQrIban, isQrReference } from "./references.js";

const MAX_ADDITIONAL = 140;
const MAX_ALTERNATIVE = 100;

/** Letters of Latin-1 and Latin Extended-A, and five more signs, since version 2.3 of the standard. */
const UNSUPPORTED = /[^\u0020-\u007e\u00a0-\u017f\u0218-\u021b\u20ac]/u;

export function swissFaults(payment: Payment): PaymentQrFault[] {
  return [
    ...accountFaults(payment),
    ...partyFaults(payment.creditor, "creditor"),
    ...(payment.debtor ? partyFaults(payment.debtor, "debtor") : []),
    ...amountFaults(payment),
    ...referenceFaults(payment),
    ...additionalFaults(payment),
    ...payment.alternativeSchemes.flatMap((scheme, at) => [
      ...lengthFaults(`alternativeSchemes.${at}`, scheme, MAX_ALTERNATIVE),
    ]),
  ];
}

function accountFaults({ iban }: Payment): PaymentQrFault[] {
  if (!iban) return [{ field: "iban", code: "field_value_missing" }];
  if (!readIban(iban).valid) return [{ field: "iban", code: "account_iban_invalid" }];
  return /^(?:CH|LI)/.test(iban) ? [] : [{ field: "iban", code: "account_iban_not_from_ch_or_li" }];
}

function amountFaults({ amount, currency }: Payment): PaymentQrFault[] {
  const faults: PaymentQrFault[] = [];
  if (amount !== null && !isInRange(amount, "0")) faults.push({ field: "amount", code: "amount_outside_valid_range" });
  if (!currency) faults.push({ field: "currency", code: "field_value_missing" });
  else if (!["CHF", "EUR"].includes(currency)) faults.push({ field: "currency", code: "currency_not_chf_or_eur" });
  return faults;
}

const LENGTHS = {
  ...{ name: 70, street: 70, houseNumber: 16, postalCode: 16, city: 35, addressLine1: 70, addressLine2: 70 },
} as const;
type Sized = keyof typeof LENGTHS;

function partyFaults(party: Party | null, root: string): PaymentQrFault[] {
  const required: (Sized | "country")[] =
    party?.addressType === "combined" ? ["name", "addressLine2", "country"] : ["name", "postalCode", "city", "country"];
  const missing = required
    .filter((field) => !party?.[field])
    .map((field) => ({ field: `${root}.${field}`, code: "field_value_missing" }));
  if (!party) return missing;
  const sized = (Object.keys(LENGTHS) as Sized[]).flatMap((field) =>
    lengthFaults(`${root}.${field}`, party[field], LENGTHS[field]),
  );
  const isCountry = !party.country || /^[A-Z]{2}$/.test(party.country);
  const country = isCountry ? [] : [{ field: `${root}.country`, code: "country_code_invalid" }];
  return [...missing, ...sized, ...country];
}

/** Lengths count UTF-16 units, as the banks' programs do. */
function lengthFaults(field: string, value: string | null, most: number): PaymentQrFault[] {
  if (value && value.length > most) return [{ field, code: "field_value_too_long" }];
  return value && UNSUPPORTED.test(value) ? [{ field, code: "unsupported_characters" }] : [];
}

/** The type that a reference has by its form. */
export function referenceTypeOf(reference: string | null): "QRR" | "SCOR" | "NON" {
  if (!reference) return "NON";
  return /^\d+$/.test(reference) ? "QRR" : "SCOR";
}

function referenceFaults({ iban, reference, referenceType }: Payment): PaymentQrFault[] {
  const type = referenceTypeOf(reference);
  const faults: PaymentQrFault[] = [];
  if (reference && !(type === "QRR" ? isQrReference(reference) : isCreditorReference(reference)))
    faults.push({ field: "reference", code: "ref_invalid" });
  else if (referenceType !== type) faults.push({ field: "referenceType", code: "ref_type_invalid" });
  const account = iban && readIban(iban).valid ? iban : "";
  if (isQrIban(account)) {
    if (type === "NON") faults.push({ field: "reference", code: "qr_ref_missing" });
    if (type === "SCOR") faults.push({ field: "reference", code: "cred_ref_invalid_use_for_qr_iban" });
  } else if (account && type === "QRR") faults.push({ field: "reference", code: "qr_ref_invalid_use_for_non_qr_iban" });
  return faults;
}

function additionalFaults({ message, information }: Payment): PaymentQrFault[] {
  const faults = [...lengthFaults("message", message, MAX_ADDITIONAL)];
  if (information && (!information.startsWith("//") || information.length < 4))
    faults.push({ field: "information", code: "bill_info_invalid" });
  faults.push(...lengthFaults("information", information, MAX_ADDITIONAL));
  const isTooLong = faults.length === 0 && (message ?? "").length + (information ?? "").length > MAX_ADDITIONAL;
  if (isTooLong)
    for (const field of ["message", "information"]) faults.push({ field, code: "additional_info_too_long" });
  return faults;
}
