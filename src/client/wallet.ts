/** Calls with the client's own payments: checked before they are signed, and sent again after a lost reply. */
import { CapabilityError } from "../errors.js";
import type { Payer } from "./options.js";
import type { Payment } from "./payment.js";
import { isUndecided } from "./repeat.js";
import { codeOf, errorOfReply, type Reply } from "./reply.js";
import { receiptOf } from "./result.js";
import { type ClientSession, creditHeader, creditRefusal, newName, type PendingCall, unreachable } from "./session.js";
import { type SignOptions, sign } from "./sign.js";
import type { Answer } from "./types.js";

/** The answer, or the 402 that refused a payment. */
type Outcome = Answer<unknown> | Refused;

interface Refused {
  refused: Reply;
  /** Whether its payer was corrected, and can sign the right voucher now. */
  recovered?: boolean;
}

export async function buyWith(payer: Payer, session: ClientSession, pending: PendingCall): Promise<Answer<unknown>> {
  const { outgoing } = pending;
  const resumed = await presentAgain(payer, session, pending);
  if ("data" in resumed) return resumed;
  let reply = resumed.refused;
  // Each further turn asks anew.
  for (let tries = 0; ; reply = undefined) {
    const credit = session.creditFor(pending);
    const name = pending.name ?? newName();
    reply ??= await ask(session, pending, { ...creditHeader(credit), "idempotency-key": name });
    if (reply.status < 400) return session.deliver(pending, reply, credit);
    if (reply.status !== 402) throw errorOfReply(reply, outgoing.url);
    if (credit && creditRefusal(reply) === "CREDIT_UNKNOWN") {
      session.credits.drop(credit);
      continue;
    }
    const payment = await signed(session, reply, { payer, name, credit, pending });
    const outcome = await present(session, pending, { payer, payment });
    if ("data" in outcome) return outcome;
    if (++tries > 1 || !mayPayAnew(outcome)) throw errorOfReply(outcome.refused, outgoing.url);
  }
}

/** A payment for the quote of a 402, within all limits. */
async function signed(
  session: ClientSession,
  reply: Reply,
  facts: Pick<SignOptions, "payer" | "name" | "credit"> & { pending: PendingCall },
): Promise<Payment> {
  const [count, guard] = [await session.count(), await session.guard()];
  const { vouchers, budget } = session;
  const within = { budget: guard?.budget ?? budget, guard, count, vouchers };
  return sign(reply, facts.pending.outgoing.url, { ...facts, ...within });
}

/** Loaded by the first voucher. */
const channelPayer = () => import("./channel-payer.js");

/** If another call spent the credit, or charged the channel, a new quote is signed. Any other refusal is final. */
const mayPayAnew = ({ refused, recovered }: Refused): boolean =>
  recovered === true || creditRefusal(refused) !== undefined;

/** Sends the open payment of an earlier call with the same request, if there is one. */
async function presentAgain(
  payer: Payer,
  session: ClientSession,
  pending: PendingCall,
): Promise<Outcome | { refused: undefined }> {
  const payment = session.resumeOpen(pending);
  if (typeof payment !== "object") return { refused: undefined };
  payment.hold.resume();
  return present(session, pending, { payer, payment });
}

/** Asks without a payment: for the trial, for a call covered by credit, or for the price. */
async function ask(session: ClientSession, pending: PendingCall, headers: Record<string, string>): Promise<Reply> {
  try {
    const reply = await session.send(session.onTrial(pending), headers);
    session.noteTrial(pending, reply);
    return reply;
  } catch (cause) {
    throw unreachable(pending, cause);
  }
}

/** Sends a payment until its outcome is known. An open purchase is kept for the next call with the same request. */
async function present(
  session: ClientSession,
  pending: PendingCall,
  { payer, payment }: { payer: Payer; payment: Payment },
): Promise<Outcome> {
  const { header, name, credit, hold } = payment;
  let reply: Reply;
  try {
    const headers = { ...creditHeader(credit), "payment-signature": header, "idempotency-key": name };
    reply = await session.send(pending, headers);
  } catch (cause) {
    keep(payment);
    session.leaveOpen(pending, payment);
    session.unanswered.add(payment, hold.amount);
    throw pending.signal?.aborted || CapabilityError.is(cause) ? cause : lost(cause);
  }
  const error = () => errorOfReply(reply, pending.outgoing.url);
  // The whole signed amount can be taken, whatever the service reports. If credit alone paid, the payment is not settled,
  // which is certain after its expiry.
  const count = ({ headers, status }: Pick<Reply, "headers"> & Partial<Reply>) => {
    const { transaction, amount = "0" } = receiptOf(headers) ?? {};
    // A job is charged at its end.
    if (status === 202) return hold.settle(hold.amount);
    // guard: client: what was signed is spent, whatever the receipt says |
    //   hold.amount -> BigInt(amount) | client/hostile
    if (transaction || amount !== "0") hold.settle(hold.amount);
    else keep(payment, payment.validUntil);
  };
  const { events } = reply;
  if (events) {
    events.payment = payment;
    events.end = (headers) => {
      if (payment.part) payment.part.isOver = true;
      if (!payment.isVoucher) count({ headers: headers ?? reply.headers });
      return headers && told(payer, payment, { status: 200, headers });
    };
    events.broke = () => session.leaveOpen(pending, payment);
  }
  const recovered = !events && (await told(payer, payment, reply));
  if (reply.status < 400) {
    if (!events || payment.isVoucher) count(reply);
    session.unanswered.remove(payment);
    return session.deliver(pending, reply, credit);
  }
  if (isUndecided(reply)) {
    keep(payment);
    session.leaveOpen(pending, payment);
    session.unanswered.add(payment, hold.amount);
    throw error();
  }
  if (codeOf(reply) !== "ANSWER_NOT_KEPT") session.unanswered.remove(payment);
  const receipt = receiptOf(reply.headers);
  if (codeOf(reply) === "ANSWER_NOT_KEPT") {
    hold.settle(hold.amount);
    session.unanswered.add(payment, hold.amount);
    throw error();
  }
  if (receipt) {
    // The payment was settled before the work failed: it is returned on chain or as credit.
    hold.settle(hold.amount);
    session.credits.note(reply.headers, undefined, undefined);
    throw error();
  }
  // The service says that nothing was charged, but the signature is void only after its expiry.
  keep(payment, payment.validUntil);
  if (reply.status === 402) return { refused: reply, recovered };
  session.leaveOpen(pending, payment);
  throw error();
}

/** Lets the payer of a voucher know what its channel was charged. */
async function told(payer: Payer, payment: Payment, reply: Pick<Reply, "status" | "headers">): Promise<boolean> {
  if (!payment.isVoucher) return false;
  return (await channelPayer()).tellPayer(payer, payment, reply).catch(() => false);
}

/** A signed amount counts until it can no longer be taken. */
function keep({ hold, isVoucher }: Payment, until?: number): void {
  if (isVoucher) hold.settle(hold.amount);
  else hold.keep(until);
}

const lost = (cause: unknown) =>
  new CapabilityError(
    "SETTLEMENT_PENDING",
    "A payment was sent and no reply came. Call again with the same input: the same payment is sent, and no second one.",
    { cause },
  );
