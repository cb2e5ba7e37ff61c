/**
 * A facilitator before the chain, and the network between it and the service. In some worlds it says yes to payments that
 * it never makes: the service delivers then, but nothing may go back of what never came.
 */
import { type Authorization, TREASURY } from "../support/wallets.js";
import { authorizationKey, type Chain, messageKey } from "./chain.js";
import type { Random } from "./random.js";
import { SOLANA_REFUND_ADDRESS } from "./solana.js";
import type { Timeline } from "./timeline.js";
import { authorizationOf, isOurs, NETWORK, SETTLER, type SentPayload } from "./wallets.js";

export const FACILITATOR_URL = "https://facilitator.test";

interface Body {
  paymentPayload: { payload: SentPayload };
  paymentRequirements: { amount: string; network: string; payTo: string };
}

export interface Reply {
  status: number;
  text: string;
}

/** `-before`: it never arrived. `-after`: it was done, and the answer is lost or useless. */
const TROUBLES = [
  "reset-before",
  "reset-before",
  "hang-before",
  "reset-after",
  "reset-after",
  "hang-after",
  "status500-before",
  "status500-after",
  "garbage-before",
  "garbage-after",
  "twice",
  "twice",
  "slow",
] as const;
const SETTLE_TROUBLES = [
  "pending",
  "pending",
  "refused-after",
  "other-payer",
  "other-network",
  "no-transaction",
] as const;
type Trouble = (typeof TROUBLES)[number] | (typeof SETTLE_TROUBLES)[number];

/** How long a facilitator watches for the block. */
const WATCH_MS = 15_000;

export class Facilitator {
  /** How often something goes wrong; set to zero for the rest at the end. */
  troubleRate: number;
  /** Whether of a request that the network repeats the second answer may come first. */
  secondAnswers = true;
  /** How often it claims a payment that it did not make, and which those were. */
  lieRate = 0;
  readonly lied = new Set<string>();
  /** When it was asked last to settle each payment. */
  readonly askedAt = new Map<string, number>();
  readonly #signatures = new Map<string, string>();
  readonly #chain: Chain;
  readonly #timeline: Timeline;
  readonly #random: Random;

  constructor(
    chain: Chain,
    { timeline, random, troubleRate }: { timeline: Timeline; random: Random; troubleRate: number },
  ) {
    this.#chain = chain;
    this.#timeline = timeline;
    this.#random = random;
    this.troubleRate = troubleRate;
  }

  /** Whether a payment never came although it was said to have come. */
  isPhantom(id: string): boolean {
    return [...this.lied].some((key) => id.endsWith(key) && !this.#chain.transferOf(key));
  }

  /** Told of every authorization that was signed: whatever else comes is forged. */
  register(authorization: Authorization, signature: string): void {
    this.#signatures.set(messageKey(authorization), signature.toLowerCase());
  }

  /** Answers one request over a network that may lose it, repeat it, or lose its answer. */
  async post(path: "verify" | "settle", body: Body, lost: () => Promise<never>): Promise<Reply> {
    const trouble = this.#drawTrouble(path);
    if (trouble) this.#timeline.note(() => `facilitator: ${path} meets ${trouble}`);
    const random = this.#random;
    if (trouble?.endsWith("-before")) {
      if (trouble === "hang-before") return lost();
      await this.#timeline.sleep(random.int(5, 3000));
      return broken(trouble);
    }
    await this.#timeline.sleep(trouble === "slow" ? random.int(5000, 40_000) : random.int(5, 300));
    const work = this.#answer(path, body, trouble);
    if (trouble === "twice") {
      await this.#timeline.sleep(random.int(0, 3000));
      const second = this.#answer(path, body, undefined);
      // Where the first answer is that a nonce is used, only a node can tell who used it.
      return this.secondAnswers && random.chance(0.5) ? second : work;
    }
    if (trouble === "reset-after" && random.chance(0.5)) {
      await this.#timeline.sleep(random.int(0, 2000));
      return broken(trouble);
    }
    const reply = await work;
    if (trouble === "hang-after") return lost();
    if (trouble === "refused-after") return this.#lie(reply, body);
    if (trouble?.endsWith("-after")) return broken(trouble);
    return reply;
  }

  /** What it settles, told now and then over the same network. */
  async supported(): Promise<Reply> {
    await this.#timeline.sleep(this.#random.int(5, 300));
    if (this.#random.chance(this.troubleRate)) return broken("status500-before");
    const kind = { x402Version: 2, network: NETWORK };
    const upto = { ...kind, scheme: "upto", extra: { facilitatorAddress: SETTLER } };
    return json({ kinds: [{ ...kind, scheme: "exact" }, upto], extensions: [], signers: {} });
  }

  #drawTrouble(path: "verify" | "settle"): Trouble | undefined {
    if (!this.#random.chance(this.troubleRate)) return undefined;
    return this.#random.pick<Trouble>(path === "settle" ? [...TROUBLES, ...SETTLE_TROUBLES] : TROUBLES);
  }

  async #answer(path: "verify" | "settle", body: Body, trouble: Trouble | undefined): Promise<Reply> {
    const authorization = authorizationOf(body.paymentPayload.payload);
    const objection = this.#objection(path, body);
    if (path === "settle") this.askedAt.set(authorizationKey(authorization), this.#timeline.now);
    this.#timeline.note(() => `facilitator: ${path} ${authorization.nonce.slice(-6)} ${objection ?? "fine"}`);
    if (path === "verify")
      return json({
        isValid: !objection,
        payer: authorization.from,
        ...(objection ? { invalidReason: objection } : {}),
      });
    // On Solana it sends the same transaction again, which changes nothing, and may say yes to every copy.
    const done = this.#chain.transferOf(authorizationKey(authorization));
    if (done && body.paymentPayload.payload.transaction) {
      const { network } = body.paymentRequirements;
      if (this.#random.chance(0.5)) return refusal("duplicate_settlement", authorization);
      return json({ success: true, transaction: done.transaction, network, payer: authorization.from });
    }
    return objection ? refusal(objection, authorization) : this.#settle(body, trouble);
  }

  #objection(path: "verify" | "settle", { paymentPayload, paymentRequirements }: Body): string | undefined {
    const { signature, permit2Authorization: permit, transaction = "" } = paymentPayload.payload;
    const authorization = authorizationOf(paymentPayload.payload);
    const isRefund = authorization.from === SOLANA_REFUND_ADDRESS;
    if (!isRefund && this.#signatures.get(messageKey(authorization)) !== (signature ?? transaction).toLowerCase())
      return "invalid_exact_evm_signature";
    const { amount } = paymentRequirements;
    const isMaximum = permit?.witness.facilitator !== undefined;
    const fits =
      isMaximum && path === "settle" ? BigInt(amount) <= BigInt(authorization.value) : amount === authorization.value;
    if (!fits) return "invalid_exact_evm_payload_authorization_value";
    if (authorization.to !== paymentRequirements.payTo) return "invalid_exact_evm_payload_recipient_mismatch";
    // A used nonce of Permit2 shows as nothing but a transaction that would not work.
    if (permit && this.#chain.isUsed(authorization)) return "permit2_simulation_failed";
    const objection = this.#chain.objection(authorization);
    return objection && transaction ? "invalid_exact_svm_transaction_simulation_failed" : objection;
  }

  async #settle(body: Body, trouble: Trouble | undefined): Promise<Reply> {
    const authorization = authorizationOf(body.paymentPayload.payload);
    const { network, amount } = body.paymentRequirements;
    if (isOurs(authorization.to) && this.#random.chance(this.lieRate)) {
      this.lied.add(authorizationKey(authorization));
      this.#timeline.note(() => `facilitator: a false yes to ${authorization.nonce.slice(-6)}`);
      const transaction = `0x${this.#random.hex(32)}`;
      return json({ success: true, transaction, network, payer: authorization.from });
    }
    const { transaction, end } = this.#chain.broadcast({ ...authorization, value: amount });
    const pending = json({
      success: false,
      errorReason: "settlement_pending",
      transaction,
      network,
      payer: authorization.from,
    });
    if (trouble === "pending") return pending;
    const outcome = await Promise.race([end, this.#timeline.sleep(WATCH_MS)]);
    if (outcome === "reverted") return refusal("invalid_transaction_state", authorization);
    if (outcome !== "mined") return pending;
    const yes = { success: true, transaction, network, payer: authorization.from };
    if (trouble === "other-payer") return json({ ...yes, payer: TREASURY });
    if (trouble === "other-network") return json({ ...yes, network: "eip155:1" });
    if (trouble === "no-transaction") return json({ ...yes, transaction: "" });
    return json(yes);
  }

  /** A no although the money moved; told only once it is in a block, where it can be found. */
  #lie(reply: Reply, { paymentPayload }: Body): Reply {
    const authorization = authorizationOf(paymentPayload.payload);
    return this.#chain.isUsed(authorization) ? refusal("invalid_transaction_state", authorization) : reply;
  }
}

const json = (body: unknown): Reply => ({ status: 200, text: JSON.stringify(body) });

const refusal = (errorReason: string, { from }: Authorization): Reply =>
  json({ success: false, errorReason, transaction: "", network: "eip155:8453", payer: from });

function broken(trouble: Trouble): Reply {
  if (trouble.startsWith("status500")) return { status: 500, text: '{"error":"boom"}' };
  if (trouble.startsWith("garbage")) return { status: 200, text: "<html>" };
  throw new TypeError("fetch failed");
}
