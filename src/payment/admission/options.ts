/** Who may buy: the host's policy, its lists of payers, and the sanctions list. */

/**
 * The way in: a payment over HTTP (`http`) or by a model (`mcp`), a voucher, the Machine Payments Protocol, a signed-in
 * wallet, credit, an account of the host, a free trial, a free call; `batch` for an endpoint within a batch, `watch` for
 * one that a watcher asks, when it is armed and at each poll; `edge` for a payment that an edge has taken.
 */
export type Via =
  | "http"
  | "edge"
  | "mcp"
  | "voucher"
  | "mpp"
  | "sign-in"
  | "credit"
  | "account"
  | "trial"
  | "free"
  | "batch"
  | "watch";

/** A call whose payment is verified, and of which nothing is settled, run or deposited yet. */
export interface PolicyRequest {
  /** Id of the endpoint. */
  endpoint: string;
  /** The quote in decimal USD, for an endpoint within a batch that of the whole. */
  priceUsd: string;
  /**
   * Address of the wallet that has proven itself, with its checksum on EVM networks; absent for trials and accounts.
   */
  payer?: string;
  /** CAIP-2 network of the payer. */
  network?: string;
  /** For a voucher: the wallet whose deposit pays, even if only the key of its vouchers is proven. */
  channelPayer?: string;
  /** The host's account, for a call without a wallet. */
  account?: string;
  /** The key directory of the agent that signed the request, as the host's `agents.directories` names it. */
  agent?: string;
  clientAddress?: string;
  /** As the host named it: `handle(request, { country: "DE" })`. */
  country?: string;
  /** SHA-256 of the validated input as sorted JSON, in hex. */
  inputDigest: string;
  via: Via;
}

/** `code` reaches the caller as the problem's `reasonCode`, `reason` as its `detail`. */
export type PolicyAnswer = { allow: true } | { allow: false; code: string; reason: string };

/** Accounts as CAIP-10 (`eip155:8453:0x…`) or plain addresses, which hold on every network. */
export interface PayersOptions {
  /** Only these wallets may pay. Trials and accounts have no wallet, so this does not concern them. */
  allow?: readonly string[];
  /** These wallets may not pay, neither in their own name nor through a channel's deposit or vouchers. */
  deny?: readonly string[];
}

export interface AdmissionOptions {
  /**
   * Asked after the payment was verified, and before anything is settled, run or deposited, on every way in. A refusal
   * is a 403 NOT_ALLOWED that costs nobody anything. If it throws, or takes more than three seconds, the call is
   * refused with 503 POLICY_UNAVAILABLE.
   */
  policy?: (request: PolicyRequest) => PolicyAnswer | Promise<PolicyAnswer>;
  /** Refuses wallets on OFAC's list of digital currency addresses, read at most a day ago. Default: off. */
  sanctions?: boolean;
  payers?: PayersOptions;
}
