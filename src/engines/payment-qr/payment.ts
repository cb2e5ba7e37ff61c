/** A credit transfer as codes of both schemes carry it. */
export interface Party {
  /** Combined addresses have two lines instead of street, number, postal code and city. */
  addressType: "structured" | "combined";
  name: string | null;
  street: string | null;
  houseNumber: string | null;
  postalCode: string | null;
  city: string | null;
  country: string | null;
  addressLine1: string | null;
  addressLine2: string | null;
}

export interface Payment {
  iban: string | null;
  bic: string | null;
  /** Decimal text. */
  amount: string | null;
  currency: string | null;
  creditor: Party | null;
  debtor: Party | null;
  referenceType: string | null;
  reference: string | null;
  message: string | null;
  information: string | null;
  purpose: string | null;
  alternativeSchemes: string[];
}

export interface PaymentQrFault {
  field: string;
  code: string;
}

export interface PaymentReading extends Payment {
  scheme: "swiss" | "epc" | null;
  version: string | null;
  valid: boolean;
  /** The content of the code; null where it was to be written from what is wrong. */
  text: string | null;
  errors: PaymentQrFault[];
}

export const NO_PAYMENT: Payment = {
  ...{ iban: null, bic: null, amount: null, currency: null, creditor: null, debtor: null, referenceType: null },
  ...{ reference: null, message: null, information: null, purpose: null, alternativeSchemes: [] },
};

/** A payment that a caller wants to be written. */
export interface Order {
  iban: string;
  bic?: string | undefined;
  amount?: string | undefined;
  currency: string;
  creditor: Partial<Record<PartyField, string | undefined>>;
  debtor?: Partial<Record<PartyField, string | undefined>> | undefined;
  reference?: string | undefined;
  message?: string | undefined;
  information?: string | undefined;
  purpose?: string | undefined;
  alternativeSchemes?: string[] | undefined;
}

export type PartyField = "name" | "street" | "houseNumber" | "postalCode" | "city" | "country";

/** Text without blanks around it; null for nothing. */
export const filled = (text: string | undefined): string | null => text?.trim() || null;

export const withoutBlanks = (text: string): string => text.replace(/\s+/g, "").toUpperCase();

export function partyOf(given: Order["creditor"]): Party {
  return {
    addressType: "structured",
    name: filled(given.name),
    street: filled(given.street),
    houseNumber: filled(given.houseNumber),
    postalCode: filled(given.postalCode),
    city: filled(given.city),
    country: filled(given.country)?.toUpperCase() ?? null,
    addressLine1: null,
    addressLine2: null,
  };
}

/** A line feed, a carriage return or both end a line. */
export const qrLines = (text: string): string[] => text.split(/\r\n|\n|\r/);
