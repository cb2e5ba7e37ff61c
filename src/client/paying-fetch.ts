/** Calls over a fetch that may pay by itself: the service gets the limit, and a purchase name for repetitions. */
import { CapabilityError } from "../errors.js";
import type { Micros } from "../lib/money.js";
import type { Hold } from "./budget.js";
import { isRefusal, isUndecided } from "./repeat.js";
import { codeOf, errorOfReply, type Reply } from "./reply.js";
import { receiptOf } from "./result.js";
import {
  type ClientSession,
  chargedIn,
  creditHeader,
  creditRefusal,
  limitHeader,
  newName,
  type PendingCall,
  reserveLimit,
  unreachable,
} from "./session.js";
import { unitsOf } from "./signed.js";
import type { Answer } from "./types.js";

export async function buyOver(session: ClientSession, pending: PendingCall): Promise<Answer<unknown>> {
  const credit = session.creditFor(pending);
  const before = session.resumeOpen(pending);
  // Under one name a wallet buys a request once, however often it signs for it.
  const name = typeof before === "string" ? before : (pending.name ?? newName());
  const hold = await reserveLimit(session, pending);

  let reply: Reply;
  try {
    const headers = { ...creditHeader(credit), ...limitHeader(hold), "idempotency-key": name };
    reply = await session.send(session.onTrial(pending), headers);
  } catch (cause) {
    throw noReply(session, pending, { name, hold, cause });
  }
  session.noteTrial(pending, reply);
  if (!lacksAnswer(reply)) session.unanswered.remove(name);
  else if (hold) session.unanswered.add(name, hold.amount);
  if (reply.status < 400) {
    const answer = session.deliver(pending, reply, credit);
    follow(session, pending, { reply, name, hold, answer });
    return answer;
  }
  if (credit && reply.status === 402 && creditRefusal(reply)) session.credits.drop(credit);
  if (isUndecided(reply)) session.leaveOpen(pending, name);
  if (codeOf(reply) === "SETTLEMENT_PENDING") hold?.keep();
  else hold?.settle(paidIn(reply));
  throw errorOfReply(reply, pending.outgoing.url);
}

interface Bought {
  reply: Reply;
  name: string;
  hold: Hold | undefined;
  answer: Answer<unknown>;
}

/** Counts what an answer cost; that of a stream is known at its end. */
function follow(session: ClientSession, pending: PendingCall, { reply, name, hold, answer }: Bought): void {
  const { events } = reply;
  if (events) {
    events.end = (headers, meta) =>
      hold?.settle(paidIn({ headers: headers ?? reply.headers }) + (meta ? chargedIn({ meta }) : 0n));
    events.broke = () => session.leaveOpen(pending, name);
  }
  // A job is charged at its end, at most what is held.
  else hold?.settle(reply.status === 202 ? hold.amount : paidIn(reply) + chargedIn(answer));
}

/** Only the receipt tells the cost of a payment that another party signed; promised refunds are not counted. */
const paidIn = ({ headers }: Pick<Reply, "headers">): Micros => unitsOf(receiptOf(headers)?.amount) ?? 0n;

/** Whether what may have been paid for did not come. */
const lacksAnswer = (reply: Reply): boolean => isUndecided(reply) || codeOf(reply) === "ANSWER_NOT_KEPT";

/** Ends the hold if no request was sent, and keeps the purchase open otherwise. Returns the caller's error. */
function noReply(
  session: ClientSession,
  pending: PendingCall,
  { name, hold, cause }: { name: string; hold: Hold | undefined; cause: unknown },
): unknown {
  if (isRefusal(cause)) {
    hold?.settle(0n);
    return new CapabilityError("PAYMENT_REQUIRED", cause.message, { cause });
  }
  hold?.keep();
  session.leaveOpen(pending, name);
  if (hold) session.unanswered.add(name, hold.amount);
  return unreachable(pending, cause);
}
