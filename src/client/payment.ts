/** Signs a payment for the quote of a 402, within the limits. */
import { CapabilityError } from "../errors.js";
import { least, type Micros } from "../lib/money.js";
import type { Budget, CallLimits, Hold } from "./budget.js";
import type { Credit } from "./credits.js";
import type { Payer } from "./options.js";
import { errorOf, type Reply } from "./reply.js";
import { decodeHeader, encodeHeader } from "./result.js";
import { readSigned, type SignedPayment, type Vouchers } from "./signed.js";

/** A signed payment for one request, however often it is sent. */
export interface Payment {
  /** The PAYMENT-SIGNATURE header. */
  header: string;
  /** The buyer's own name for the purchase. */
  name: string;
  /** Credit that pays the rest. */
  credit: Credit | undefined;
  /** Hold of the signed amount. */
  hold: Hold;
  /** True for a voucher, which counts as spent once sent, because it is valid as long as its channel. */
  isVoucher: boolean;
  /** Time until which it can be settled, in epoch milliseconds. */
  validUntil: number;
}

interface Offer {
  network: string;
  amount: string;
  maxTimeoutSeconds?: number;
}

interface Required {
  accepts: Offer[];
}

export interface SignOptions {
  payer: Payer;
  budget: Budget;
  name: string;
  credit: Credit | undefined;
  limits: CallLimits;
  vouchers: Vouchers;
}

/** Signs the quote of a 402. Rejects with SPENDING_LIMIT before anything is signed, or with PAYMENT_REQUIRED. */
export async function sign(reply: Reply, url: string, options: SignOptions): Promise<Payment> {
  const { payer, budget, name, credit, limits, vouchers } = options;
  const required = readQuote(reply, url);
  const hold = await reserveCheapest(required, budget, limits);
  try {
    const accepts = required.accepts.filter((offer) => amountOf(offer) <= hold.amount);
    const payment = (await payer.createPaymentPayload({ ...required, accepts } as never)) as SignedPayment;
    const { amount, isVoucher, validUntil } = readSigned(payment, vouchers, hold.amount);
    if (amount > hold.amount) throw new CapabilityError("SPENDING_LIMIT", "More was signed than was quoted: not sent.");
    hold.lower(amount);
    return { header: encodeHeader(payment), name, credit, hold, isVoucher, validUntil };
  } catch (cause) {
    hold.settle(0n);
    if (CapabilityError.is(cause)) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CapabilityError("PAYMENT_REQUIRED", `The payment could not be signed: ${why}`, { cause });
  }
}

function readQuote(reply: Reply, url: string): Required {
  const header = reply.headers.get("payment-required");
  const required = header ? decodeHeader<Required>(header) : {};
  if (!required.accepts?.length) throw errorOf(reply, url);
  return required as Required;
}

/** Atomic units, which are millionths of a dollar, because the service is paid in USDC. */
function amountOf({ amount }: Offer): Micros {
  if (!/^\d{1,30}$/.test(amount)) throw new CapabilityError("PAYMENT_REQUIRED", "The quote names no amount.");
  return BigInt(amount);
}

/**
 * Offers of one quote usually ask the same amount. If they differ, the cheapest counts, and the payer gets no dearer
 * ones.
 */
function reserveCheapest({ accepts }: Required, budget: Budget, limits: CallLimits): Promise<Hold> {
  const amounts = accepts.map(amountOf);
  return budget.reserve(
    amounts.reduce((a, b) => least(a, b)),
    limits,
  );
}
