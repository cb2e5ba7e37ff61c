/** The channels' contract: deposits, claims, refunds, withdrawals and sweeps, and who may do which of them. */
import { least } from "../../../src/lib/money.js";
import type { Timeline } from "../timeline.js";

export interface Modelled {
  balance: bigint;
  claimed: bigint;
  nonce: bigint;
  withdrawal?: { amount: bigint; at: number };
}

interface Row {
  voucher: { maxClaimableAmount: string; channel: { payer: string; payerAuthorizer: string; salt: string } };
  signature: string;
  totalClaimed: string;
}

type Authorization =
  | { erc3009Authorization: { salt: string } }
  | { permit2Authorization: { from: string; nonce: string } };

/** A signature for a deposit is good once: a salt makes the token's nonce, and Permit2 has nonces for each owner. */
const nonceOf = (authorization: Authorization): string =>
  "permit2Authorization" in authorization
    ? `permit ${authorization.permit2Authorization.from.toLowerCase()} ${authorization.permit2Authorization.nonce}`
    : authorization.erc3009Authorization.salt;

/** What the facilitator is asked to send. */
export interface Sent {
  type: string;
  channelConfig: { payer: string; payerAuthorizer: string; salt: string };
  voucher: { channelId: string; maxClaimableAmount: string; signature: string };
  deposit: { amount: string; authorization: Authorization };
  claims?: Row[];
  amount: string;
  refundNonce: string;
}

/** A voucher that a claim wrote on chain, for everybody to read. */
export interface Published {
  id: string;
  ceiling: bigint;
  signature: string;
}

const nameOf = ({ payer, payerAuthorizer, salt }: { payer: string; payerAuthorizer: string; salt: string }) =>
  `${payer} ${payerAuthorizer} ${salt}`.toLowerCase();

export class Contract {
  readonly channels = new Map<string, Modelled>();
  /** The most that was ever claimed of a channel, also in blocks that were taken back. */
  readonly reached = new Map<string, bigint>();
  /** Takes the last claim or refund back, as if it had never been; says whether nothing was built upon it. */
  takeBack: () => boolean = () => false;
  readonly published: Published[] = [];
  /** What buyers signed: the ceiling under each signature. */
  readonly signed = new Map<string, { id: string; ceiling: bigint }>();
  claimed = 0n;
  swept = 0n;
  /** What came in and what went back to buyers. */
  deposited = 0n;
  returned = 0n;
  /** How many deposits were signed for, and how many of these came through Permit2. */
  signedDeposits = 0;
  permitted = 0;
  readonly delaySeconds: number;
  readonly #timeline: Timeline;
  readonly #ids = new Map<string, string>();
  readonly #nonces = new Set<string>();
  /** Each channel as it was, oldest first, for nodes that lag. */
  readonly #history: { at: number; id: string; was: Modelled }[] = [];

  constructor(timeline: Timeline, delaySeconds: number) {
    this.#timeline = timeline;
    this.delaySeconds = delaySeconds;
  }

  at(id: string): Modelled {
    return this.channels.get(id) ?? { balance: 0n, claimed: 0n, nonce: 0n };
  }

  /** As a node that is behind by so much shows it. */
  seen(id: string, lagMs: number): Modelled {
    if (lagMs === 0) return this.at(id);
    const since = this.#timeline.now - lagMs;
    return this.#history.find((each) => each.id === id && each.at > since)?.was ?? this.at(id);
  }

  #set(id: string, next: Modelled): void {
    this.#history.push({ at: this.#timeline.now, id, was: this.at(id) });
    this.channels.set(id, next);
  }

  /** To be called once it is done. */
  #undoOf(sent: Sent): () => void {
    const ids = [...(sent.claims ?? []).map((row) => this.#idOf(row)), sent.voucher?.channelId ?? ""].filter(Boolean);
    const before = ids.map((id) => this.channels.get(id));
    const [claimed, returned] = [this.claimed, this.returned];
    return () => {
      const gained = this.claimed - claimed;
      const after = ids.map((id) => this.channels.get(id));
      const paid = this.returned - returned;
      this.takeBack = () => {
        if (!ids.every((id, i) => this.channels.get(id) === after[i] && !this.#isEnding(id))) return false;
        if (this.claimed - gained < this.swept) return false;
        for (const [i, id] of ids.entries()) this.#set(id, before[i] ?? this.at(id));
        this.claimed -= gained;
        this.returned -= paid;
        this.takeBack = () => false;
        return true;
      };
    };
  }

  /** So late that a claim could not be made again in time. */
  #isEnding(id: string): boolean {
    const { withdrawal } = this.at(id);
    return withdrawal !== undefined && this.#timeline.now / 1000 > withdrawal.at + this.delaySeconds * 0.6;
  }

  #idOf(row: Row): string {
    return this.#ids.get(nameOf(row.voucher.channel)) ?? "";
  }

  /** Through a collector of anybody's own, in whatever payer's name: no signature is asked for. */
  depositAs({ channelConfig, voucher: { channelId } }: Pick<Sent, "channelConfig" | "voucher">, amount: bigint): void {
    this.#ids.set(nameOf(channelConfig), channelId);
    const channel = this.at(channelId);
    this.#set(channelId, { ...channel, balance: channel.balance + amount });
    this.deposited += amount;
  }

  /** Does what was sent, whole or not at all; says why not. */
  apply(sent: Sent): string | undefined {
    const { type, voucher } = sent;
    const rows = sent.claims ?? [];
    const isDone = this.#undoOf(sent);
    if (rows.some((row) => this.#isBad(row))) return `invalid_batch_settlement_evm_${type}_simulation_failed`;
    if (type === "deposit") {
      const nonce = nonceOf(sent.deposit.authorization);
      if (this.#nonces.has(nonce)) return "invalid_batch_settlement_evm_deposit_simulation_failed";
      this.#nonces.add(nonce);
      this.signedDeposits++;
      if (nonce.startsWith("permit")) this.permitted++;
      this.#ids.set(nameOf(sent.channelConfig), voucher.channelId);
      const amount = BigInt(sent.deposit.amount);
      const channel = this.at(voucher.channelId);
      this.#set(voucher.channelId, { ...channel, balance: channel.balance + amount });
      this.deposited += amount;
    }
    if (type === "refund" && this.at(voucher.channelId).nonce !== BigInt(sent.refundNonce))
      return "invalid_batch_settlement_evm_refund_simulation_failed";
    for (const row of rows) this.#claim(row);
    if (type === "refund") {
      const { withdrawal: _, ...channel } = this.at(voucher.channelId);
      const amount = least(BigInt(sent.amount), channel.balance - channel.claimed);
      this.#set(voucher.channelId, { ...channel, balance: channel.balance - amount, nonce: channel.nonce + 1n });
      this.returned += amount;
    }
    if (type === "settle") {
      if (this.claimed === this.swept) return "invalid_batch_settlement_evm_nothing_to_settle";
      this.swept = this.claimed;
    }
    if (type === "claim" || type === "refund") isDone();
    return undefined;
  }

  #isBad(row: Row): boolean {
    const id = this.#idOf(row);
    const [total, ceiling] = [BigInt(row.totalClaimed), BigInt(row.voucher.maxClaimableAmount)];
    const { balance, claimed } = this.at(id);
    const signed = this.signed.get(row.signature);
    if (signed?.id !== id || signed.ceiling !== ceiling) return true;
    return total > claimed && (total > balance || total > ceiling);
  }

  #claim(row: Row): void {
    const id = this.#idOf(row);
    const channel = this.at(id);
    this.published.push({ id, ceiling: BigInt(row.voucher.maxClaimableAmount), signature: row.signature });
    const gained = BigInt(row.totalClaimed) - channel.claimed;
    if (gained <= 0n) return;
    this.#set(id, { ...channel, claimed: channel.claimed + gained });
    this.claimed += gained;
    if (channel.claimed + gained > (this.reached.get(id) ?? 0n)) this.reached.set(id, channel.claimed + gained);
  }

  beginWithdrawal(id: string): void {
    const channel = this.at(id);
    const left = channel.balance - channel.claimed;
    if (channel.withdrawal || left <= 0n) return;
    this.#set(id, { ...channel, withdrawal: { amount: left, at: Math.floor(this.#timeline.now / 1000) } });
  }

  /** Says whether it was paid out. */
  endWithdrawal(id: string): boolean {
    const { withdrawal, ...channel } = this.at(id);
    if (!withdrawal || this.#timeline.now / 1000 < withdrawal.at + this.delaySeconds) return false;
    const amount = least(withdrawal.amount, channel.balance - channel.claimed);
    this.#set(id, { ...channel, balance: channel.balance - amount });
    this.returned += amount;
    return true;
  }
}
