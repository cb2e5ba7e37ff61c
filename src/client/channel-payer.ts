/** Payment channels: the payer keeps the state of its channels, and a stream is paid by one voucher after the other. */
import { least, type Micros } from "../lib/money.js";
import type { Payer } from "./options.js";
import { amountOf, type Offer, type Payment, type Required, type StreamPart } from "./payment.js";
import type { Events } from "./reply.js";
import { decodeHeader, encodeHeader } from "./result.js";
import type { ClientSession, PendingCall } from "./session.js";
import { readSigned, type SignedPayment, unitsOf } from "./signed.js";

/** The official clients take the outcome of a payment, from which they learn what a channel was charged. */
interface ChannelPayer extends Payer {
  processPaymentResult?(payment: unknown, get: (name: string) => string | null, status: number): Promise<PaymentResult>;
  handlePaymentResponse?(context: object): Promise<PaymentResult | undefined>;
}
interface PaymentResult {
  recovered?: boolean;
}

/** Tells the payer how its voucher was answered. True if it was corrected, and can sign the right one now. */
export async function tellPayer(
  payer: ChannelPayer,
  { signed }: Payment,
  { status, headers }: { status: number; headers: Headers },
): Promise<boolean> {
  const told = payer.processPaymentResult
    ? await payer.processPaymentResult(signed, (name) => headers.get(name), status)
    : await payer.handlePaymentResponse?.({
        paymentPayload: signed,
        requirements: signed.accepted,
        settleResponse: read(headers, "payment-response"),
        paymentRequired: status === 402 ? read(headers, "payment-required") : undefined,
      });
  return told?.recovered === true;
}

/** A stream is paid in tenths of its price, or in larger parts if its service wants them. */
const PARTS = 10n;

/** The size of a part; 0 if only the whole is offered. */
function sizeOf({ amount, extra }: Offer): Micros {
  const smallest = unitsOf(extra?.minPart);
  if (smallest === undefined) return 0n;
  const whole = BigInt(amount);
  const tenth = whole / PARTS;
  return smallest > tenth ? least(smallest, whole) : tenth;
}

/** The offer with the amount of its first part. */
export const firstPart = (offer: Offer): Offer => ({ ...offer, amount: (sizeOf(offer) || offer.amount).toString() });

/** The part of a stream that a voucher paid; undefined if it paid the whole. */
export function partOf(required: Required, { accepted = {} }: SignedPayment): StreamPart | undefined {
  const offer = required.accepts.find(
    (one) => one.network === accepted.network && sizeOf(one) > 0n && firstPart(one).amount === accepted.amount,
  );
  return offer && { required, offer, signed: sizeOf(offer), size: sizeOf(offer) };
}

function read(headers: Headers, name: string): object | undefined {
  const header = headers.get(name);
  return header ? decodeHeader(header) : undefined;
}

/** The event of a stream that wants its next voucher. */
export interface VoucherRequest {
  stream: string;
  /** The sum of the stream's vouchers up to there, in atomic units. */
  next: string;
}

interface Paying {
  session: ClientSession;
  pending: PendingCall;
  payer: Payer | undefined;
  events: Events;
}

/** Signs the next voucher of a stream and hands it over; nothing above the price that was quoted and allowed. */
export async function payNext(
  { stream, next }: VoucherRequest,
  { session, pending, payer, events }: Paying,
): Promise<void> {
  const { payment } = events;
  const needed = unitsOf(next);
  if (!payer || !payment?.part || needed === undefined) return;
  const { part } = payment;
  const most = amountOf(part.offer);
  // guard: a client signs no voucher above the price of a stream | - > most || needed | client/stream
  if (needed > most || needed <= part.signed) return;
  const step = part.signed + part.size;
  const total = step < needed ? needed : least(step, most);
  const hold = await (await session.budgetNow()).reserve(total - part.signed, {
    signal: pending.signal,
    endpoint: pending.endpoint,
  });
  try {
    if (part.isOver) return hold.settle(0n);
    const offer = { ...part.offer, amount: total.toString() };
    const signed = (await payer.createPaymentPayload({ ...part.required, accepts: [offer] } as never)) as SignedPayment;
    const { amount } = readSigned(signed, session.vouchers, hold.amount);
    if (amount > hold.amount) return hold.settle(0n);
    hold.settle(amount);
    part.signed = total;
    payment.signed = signed;
    const outgoing = { ...pending.outgoing, body: undefined, headers: {} };
    const headers = { "payment-stream": stream, "payment-signature": encodeHeader(signed) };
    await session.send({ ...pending, outgoing }, headers);
  } catch {
    // Without it the stream ends with what was paid for, and says so.
    hold.settle(0n);
  }
}
