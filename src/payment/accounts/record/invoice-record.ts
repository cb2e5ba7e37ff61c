/** Invoices as they are stored: all that one says stands in it, so that later changes of the options change none. */
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import { micros } from "./grant-record.js";

/** The particulars of a seller or a buyer. */
export const invoiceParty = once(() =>
  z.object({
    name: z.string(),
    lines: z.array(z.string()).optional(),
    city: z.string().optional(),
    postalCode: z.string().optional(),
    region: z.string().optional(),
    country: z.string(),
    vatId: z.string().optional(),
    taxNumber: z.string().optional(),
    registration: z.string().optional(),
    email: z.string().optional(),
  }),
);
export type StoredParty = z.infer<ReturnType<typeof invoiceParty>>;

/** A purchase or a return that has no number yet: it stands in the account's record until then. */
export const unbilled = once(() =>
  z.object({
    /** Of its entry in the book, by which it gets one number. */
    name: z.string(),
    kind: z.enum(["invoice", "credit-note"]),
    payment: z.string(),
    amount: micros(),
    /** Of a product. */
    title: z.string().optional(),
    at: z.number(),
  }),
);
export type Unbilled = z.infer<ReturnType<typeof unbilled>>;

export const storedInvoice = once(() =>
  z.object({
    /** Its place in the series, from 1. */
    n: z.number(),
    /** The same, as it is told. */
    number: z.string(),
    kind: z.enum(["invoice", "credit-note"]),
    /** When it was issued, and when the money came or went. */
    issuedAt: z.number(),
    at: z.number(),
    amount: micros(),
    tax: z.object({ percent: z.string(), category: z.enum(["S", "Z", "E", "O"]), reason: z.string().optional() }),
    seller: invoiceParty(),
    note: z.string().optional(),
    /** Number of the invoice that a credit note is of. */
    of: z.string().optional(),
    title: z.string().optional(),
    /** These are absent once the time is over for which the law wants them kept. */
    account: z.string().optional(),
    name: z.string().optional(),
    payment: z.string().optional(),
    buyer: invoiceParty().optional(),
  }),
);
export type StoredInvoice = z.infer<ReturnType<typeof storedInvoice>>;

export const writeStored = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (typeof member === "bigint" ? member.toString() : member));
