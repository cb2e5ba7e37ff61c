/** Refunds the unused deposit of a channel at the buyer's request: claims the charges, and returns the rest at once. */
import { randomUUID } from "node:crypto";
import type { Logger } from "../../../lib/logger.js";
import { fromMicros, least, type Micros } from "../../../lib/money.js";
import { DAY_MS } from "../../../lib/time.js";
import type { LeaseOwner, Taken } from "../../../stores/owner.js";
import type { DurableEvents } from "../../events/durable-events.js";
import type { Emit } from "../../events/events.js";
import { accountId } from "../../networks/accounts.js";
import type { ChannelMessage, ChannelRail } from "../../rails/channel.js";
import { pending } from "../../record/pending.js";
import type { FacilitatorClient } from "../../x402/facilitator.js";
import { PaymentRefused, type SettleResponse } from "../../x402/refusal.js";
import type { ChannelChainState } from "./chain-state.js";
import { amountRefunding, provenBuyer } from "./changes.js";
import { reachWith } from "./foreign.js";
import type { IdleLimits } from "./idle-limits.js";
import type { ChannelQueue } from "./queue.js";
import type { ChannelRecord, ChannelRecords, Versioned } from "./record.js";
import { belowClaimed, outOfStep, stateOf } from "./refusals.js";

const LEASE_MS = 60_000;
/**
 * Each refund costs us a transaction, so channels that earned less than this since their last refund share one a day
 * per payer.
 */
const WORTH_A_REFUND: Micros = 20_000n;

/** How a refund was requested. */
export interface RefundRequest {
  message: ChannelMessage;
  endpoint: string;
  /** Rejects if the host may send nothing to these wallets. */
  permit?(wallets: readonly string[]): Promise<void> | undefined;
  /** The account that signed in with the request, as CAIP-10. Rejects with PaymentRefused. */
  signedIn(): Promise<string | undefined>;
}

interface RefundOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  chainState: ChannelChainState;
  queue: ChannelQueue;
  idleLimits: IdleLimits;
  facilitator: FacilitatorClient;
  emit: Emit;
  durable?: Pick<DurableEvents, "planEvent"> | undefined;
  owner: LeaseOwner;
  logger: Logger;
  now: () => number;
}

/** Resolves to the receipt. Rejects with PaymentRefused, or with SETTLEMENT_PENDING while the outcome is unknown. */
export async function refundChannel(options: RefundOptions, request: RefundRequest): Promise<SettleResponse> {
  const { message } = request;
  const turn = await options.queue.take(message.id, { ceiling: message.voucher.ceiling, deposits: false, request: "" });
  if (!turn) throw pending("Calls on this channel are under way.");
  try {
    return await refund(options, request);
  } finally {
    turn.end();
  }
}

async function refund(options: RefundOptions, request: RefundRequest): Promise<SettleResponse> {
  const lease = await options.owner.take(options.now() + LEASE_MS);
  return refundNow(options, request, lease).finally(() => options.owner.end(lease));
}

async function refundNow(options: RefundOptions, request: RefundRequest, lease: Taken): Promise<SettleResponse> {
  const { message, endpoint } = request;
  const { rail, records, chainState, idleLimits, facilitator, emit, durable, logger, now } = options;
  const found = await refundable(options, request);
  await request.permit?.([found.value.terms.payer, found.value.terms.authorizer]);
  const record = found.value;
  const amount = amountOf(message.amount, record);
  // guard: channel: refunds that cost more than they are worth are few | gone | claims --channels
  await assertWorth(record, idleLimits, now());

  const flight = { kind: "refund" as const, id: randomUUID(), ...lease };
  const claims = record.charged > record.claimed;
  const { id, terms, refundNonce } = record;
  const marked = withRefundBegun(record, amount, claims);
  const version = await records.write({ ...marked, flight }, found.version);
  if (version === undefined) throw pending("Another call on this channel was faster.");
  const plan = { id, config: terms.config, payer: terms.payer, voucher: message.voucher, amount, nonce: refundNonce };
  const order = await rail.toRefund({ ...plan, claims });
  const facts = { network: rail.network, channel: id, nonce: String(refundNonce), endpoint, requestId: flight.id };
  const eventPlan = durable?.planEvent({ kind: "channel-refund", ...facts });
  // A change that nobody would hear of is not made: its process may die right behind it.
  if (eventPlan && !(await eventPlan.stored)) throw pending("The service cannot note the refund now.");
  const end = await facilitator.settle(order);
  const seen = await chainState.refreshed(marked).catch(() => undefined);
  // The chain decides, because each refund has its own nonce.
  const isDone = seen !== undefined && seen.refundNonce > refundNonce;
  if (!isDone) {
    logger.warn({ channel: id, network: rail.network, end }, "channels: a refund failed");
    if (end.kind !== "refused" || !seen) throw pending("It is not known yet whether the refund was made.");
    eventPlan?.cancel();
    await records.write(seen, version);
    throw notRefunded(end.reason, rail.network, terms.payer);
  }
  const moved = record.balance - seen.balance;
  const transaction = end.kind === "refused" ? "" : (end.transaction ?? "");
  const refunded = { nonce: refundNonce, amount: moved < 0n ? 0n : moved, transaction };
  const done: ChannelRecord = { ...seen, refunded, refundedAt: now(), chargedAtRefund: record.charged, lastAt: now() };
  await records.write(done, version);
  eventPlan?.confirm();
  const usd = fromMicros(refunded.amount);
  emit({
    kind: "refund",
    outcome: "refunded",
    id: endpoint,
    requestId: flight.id,
    refundedUsd: usd,
    channel: id,
    payer: provenBuyer(record),
    network: rail.network,
    transaction,
  });
  const receipt = { success: true, transaction, network: rail.network, payer: terms.payer, amount: moved.toString() };
  return { ...receipt, extra: { channelState: stateOf(done) } };
}

/** The channel of a voucher that may ask for its rest. Rejects with PaymentRefused or SETTLEMENT_PENDING. */
async function refundable(
  { records, chainState }: RefundOptions,
  request: RefundRequest,
): Promise<Versioned<ChannelRecord>> {
  const { message } = request;
  const stored = await records.read(message.id);
  const isKnown = stored && !stored.value.found;
  const found = isKnown ? await chainState.settled(stored) : await chainState.adopt(message, 0n, stored?.version);
  if (found === "held") throw pending("A call on this channel is under way.");
  const record = await chainState.refreshed(found.value);
  const { ceiling } = message.voucher;
  if (ceiling < record.claimed) throw belowClaimed(record);
  // Checked before the answer reveals the state of the channel.
  // guard: channel: a published voucher closes no channel | gone | strangers-refunds --channels
  if (isPublic(record, ceiling, !isKnown) && !isRepeated(record, message.amount)) await assertPresent(record, request);
  // guard: channel: a refund is of what was not charged | gone | claims --channels
  if (ceiling !== record.charged) throw outOfStep(record);
  return { value: record, version: found.version };
}

/** The refund includes a claim, so its voucher becomes public, even if the refund fails. */
function withRefundBegun(record: ChannelRecord, amount: Micros, claims: boolean): ChannelRecord {
  const { charged, refundNonce: nonce } = record;
  const earlier = record.refund?.nonce === nonce ? record.refund.amount : 0n;
  // guard: channel: of several refunds under one nonce the largest counts | always | late-refunds
  const marked = { ...record, refund: { nonce, amount: amount > earlier ? amount : earlier } };
  if (!claims) return marked;
  // guard: channel: what a refund publishes is noted before it is sent |
  //   record.published, charged -> record.published | claims --channels
  // guard: channel: what a refund claims is noted before it is sent |
  //   - , reach: reachWith(record, charged) | two-services
  return { ...marked, published: [...new Set([...record.published, charged])], reach: reachWith(record, charged) };
}

function notRefunded(errorReason: string, network: string, payer: string): PaymentRefused {
  const receipt = { success: false, transaction: "", network, payer, errorReason };
  return new PaymentRefused("SETTLEMENT_REFUSED", `The refund could not be made: ${errorReason}`, { receipt });
}

/**
 * Whether a claim may have published a voucher on chain, where everybody reads it. After a lost store nobody knows
 * which vouchers its claims published.
 */
const isPublic = ({ claimed, published }: ChannelRecord, ceiling: Micros, isNew: boolean): boolean =>
  published.includes(ceiling) || (claimed > 0n && (ceiling <= claimed || isNew));

/** Whether a refund of at least this amount is already signed, so that repeating it only does what its buyer wanted. */
function isRepeated(record: ChannelRecord, asked: string | undefined): boolean {
  const signed = amountRefunding(record);
  const whole = record.balance - record.charged;
  const isLess = asked !== undefined && isAmount(asked) && BigInt(asked) <= signed;
  return signed > 0n && (isLess || whole <= signed);
}

/** Rejects unless the payer or the signer of its vouchers has signed in. */
async function assertPresent({ network, terms }: ChannelRecord, { signedIn }: RefundRequest): Promise<void> {
  const account = await signedIn();
  // guard: channel: who signs in for a refund is its payer or voucher key | always | strangers-refunds
  if ([terms.payer, terms.authorizer].some((one) => accountId(network, one) === account)) return;
  throw refused(
    `This voucher was published on chain, so anybody could send it: sign in with the same request (SIGN-IN-WITH-X) as the channel's payer or voucher key. ${WITHDRAWAL}`,
    "unproven",
    true,
  );
}

/** The unused deposit, or the requested part of it. */
function amountOf(asked: string | undefined, { balance, charged }: ChannelRecord): Micros {
  const rest = balance > charged ? balance - charged : 0n;
  if (asked !== undefined && !isAmount(asked))
    throw refused("The refund's amount must be a number of atomic units above 0, in digits.", "amount_invalid");
  if (rest === 0n) throw refused("Nothing of the deposit is left to refund.", "no_balance");
  return asked === undefined ? rest : least(BigInt(asked), rest);
}

const isAmount = (text: string): boolean => /^[1-9]\d{0,38}$/.test(text);

async function assertWorth(record: ChannelRecord, idleLimits: IdleLimits, now: number): Promise<void> {
  const { refundedAt, charged, chargedAtRefund = 0n } = record;
  // guard: channel: a refund of what was never charged is not paid for | gone | host-paid
  if (charged === 0n)
    throw refused(
      `This channel was never charged, so the service does not pay for its refund. ${WITHDRAWAL}`,
      "never_charged",
    );
  if (charged - chargedAtRefund >= WORTH_A_REFUND) return;
  const isSoon = refundedAt !== undefined && now - refundedAt < DAY_MS;
  // guard: channel: refunds of little worth are one a payer and day |
  //   - || !(await idleLimits.refund(record)) | host-paid
  if (isSoon || !(await idleLimits.refund(record)))
    throw refused(
      `This channel, or another of its payer's, had a refund within a day, and little was charged to it since. ${WITHDRAWAL}`,
      "refund_too_soon",
    );
}

const WITHDRAWAL =
  "The payer can withdraw at any time without us: initiateWithdraw on the channel's contract, and finalizeWithdraw after its delay.";

function refused(message: string, reason: string, signIn = false): PaymentRefused {
  return new PaymentRefused("REFUND_REFUSED", message, {
    signIn,
    receipt: {
      success: false,
      transaction: "",
      network: "",
      errorReason: `invalid_batch_settlement_evm_refund_${reason}`,
    },
  });
}
