import type { FailureOptions } from "../failures/failures.js";
import type { BuilderCodeOptions } from "../x402/builder-code.js";
import type { FacilitatorOptions } from "../x402/facilitator-options.js";
import type { Facilitator } from "../x402/transport.js";
import type { AuthHintsOptions } from "./auth-hints.js";
import type { ChannelOptions } from "./channels.js";
import type { EvmSender, EvmSigner } from "./evm-signer.js";
import type { SignInOptions } from "./sign-in.js";
import type { SolanaSigner } from "./solana-signer.js";
import type { TreasuryShare } from "./treasury.js";

export interface LowBalanceOptions {
  /** Told when a wallet of `refunds` has less, in decimal USD. */
  refundsUsd?: string;
  /**
   * Told when the signer of `channels`, or an account of `mpp.permit2`, has less of its network's coin, in decimal, such as
   * "0.002" ether.
   */
  claimGas?: string;
}

export interface AssetOptions {
  address: string;
  name?: string;
  version?: string;
  /**
   * How `exact` payments and deposits of channels move the token on EVM networks: `"eip3009"`, as USDC can, or `"permit2"`, which sells for any
   * ERC-20 and needs no `name` and `version`. Wallets allow Permit2 once; where the facilitator lists
   * `eip2612GasSponsoring` or `erc20ApprovalGasSponsoring`, it pays the gas of that. A wallet of `refunds` must allow
   * Permit2 too. Default `"eip3009"`.
   */
  transferMethod?: "eip3009" | "permit2";
  /** Only with a rate. Default 6. */
  decimals?: number;
  /**
   * Dollars for a token, as decimal text such as `"1.0832"`; asked once a minute. While it fails for ten minutes, nothing
   * is offered in this token. Quotes at a former rate are honoured for an hour, as those at a former price.
   */
  rate?: () => string | Promise<string>;
}

export interface MppOptions {
  /**
   * Accounts on EVM networks, by CAIP-2 network, that take payments through Permit2 themselves: accounts of viem with their
   * own key, which send the transactions and pay the gas. A treasury that is a list is then paid in parts, on chain. Never
   * the treasury's key. It was tried on a local chain alone: no client on npm pays so yet.
   */
  permit2?: Record<string, EvmSender>;
  /**
   * `true` offers `solana/charge` on the treasury's Solana networks: the facilitator pays the fee and settles it, as it does
   * `exact`. It was tried with transactions made by hand alone: no client on npm pays so yet. Default `false`.
   */
  solana?: boolean;
}

export interface PaymentOptions {
  /**
   * Accounts that are paid, by CAIP-2 network: `{ "eip155:8453": "0x…" }`. Their order is the order of the offers. A list
   * of `{ payTo, share }` shares the revenue of a network, in parts of 10,000: its first entry is paid on chain, and
   * `handle.payouts` pays the others.
   */
  treasury: Record<string, string | readonly TreasuryShare[] | undefined>;
  /**
   * Accounts that were paid before, by CAIP-2 network. Their open settlements, refunds and credit are still handled,
   * and their ledger entries count as the host's own. Payments to any other account on the store are left to its own
   * host.
   */
  formerTreasuries?: Record<string, readonly string[]>;
  /**
   * Verifies and settles payments: an address, a configuration or client of the ecosystem's packages, or an object in
   * this process; or a list of these, best first. A payment is settled by the one that verified it, and by another only
   * if its request certainly never arrived. Refunds and channels use the first.
   */
  facilitator: FacilitatorOptions | Facilitator | readonly (FacilitatorOptions | Facilitator)[];
  /**
   * Payment schemes, in addition to `"exact"`. `"upto"` settles only the used amount of calls billed by usage: on EVM
   * networks where the facilitator lists it, through Permit2, in the PAYMENT-REQUIRED header, after the exact offers.
   * `"batch-settlement"` offers payment channels on EVM networks for every capability; see `channels`. Default
   * `["exact"]`.
   */
  schemes?: readonly ("exact" | "upto" | "batch-settlement")[];
  /**
   * Payment channels on EVM networks: a buyer deposits once and signs a voucher for each call; charges are claimed
   * later, many in one transaction. Requires the scheme `"batch-settlement"`, and a store that outlives the process.
   */
  channels?: ChannelOptions;
  /**
   * Another token than USDC, or USDC on a network that this package does not know; on EVM networks with the name and
   * version of its EIP-712 domain. Without a `rate` it is worth a dollar and has 6 decimals. With one, on EVM networks,
   * prices stay in dollars, and the amount of an offer is the price divided by the rate, rounded up.
   */
  assets?: Record<string, AssetOptions>;
  /** Accounts that pay the fee on Solana, by CAIP-2 network. Default: the account that the facilitator lists. */
  feePayers?: Record<string, string>;
  /**
   * Nodes by CAIP-2 network. They are asked when the outcome of a settlement is unclear, before `refunds` pay back, and
   * on Solana at start, to see whether the treasury's token account exists. While a node named here does not answer,
   * unclear settlements stay pending and refunds wait. Default: public nodes; `false` uses none, and unclear
   * settlements stay pending. `refunds` on Solana need a node.
   */
  rpc?: Record<string, string> | false;
  /**
   * Wallets, by CAIP-2 network, that return the unused part of a settled maximum to its payer: a small float, never the
   * treasury's key. On EVM networks a signer of typed data, such as viem's accounts; on Solana a
   * `{ publicKey, secretKey }`, such as a Keypair of `@solana/web3.js`. Without one the unused part becomes credit for
   * the payer's next call.
   */
  refunds?: Record<string, EvmSigner | SolanaSigner>;
  /**
   * Wallets, by CAIP-2 network, from which `handle.payouts.pay()` pays the shares of a treasury that is a list; as those
   * of `refunds`. Default: the wallet of `refunds`.
   */
  payouts?: Record<string, EvmSigner | SolanaSigner>;
  /** Smaller amounts become credit instead of a refund on chain, in decimal USD. Default "0.005". */
  minReturnUsd?: string;
  /**
   * A wallet's credit beyond this is returned to it, on networks where `refunds` names a wallet; at least
   * `minReturnUsd`. Decimal USD. Default "0.05".
   */
  maxCreditUsd?: string;
  /** Tells by the log and a webhook (`balance.low`) when a wallet that the host must fill runs low. Default: off. */
  lowBalance?: LowBalanceOptions;
  /**
   * Ids of costly capabilities whose payment is settled before they run; if the run fails, the whole amount is
   * returned. On Solana, where signatures expire early, work of more than 30 seconds is always settled first.
   */
  settleFirst?: readonly string[];
  /** Unsettled or unpaid work that one payer may have at a time, in decimal USD. Default "1". */
  maxUnsettledUsd?: string;
  /**
   * Failed work that one payer may cause within an hour, whatever it pays with, since failed calls cost nothing. Beyond
   * it, calls get 429 TOO_MANY_FAILURES. Default `{ runs: 20, usd: "1", threadSeconds: 2 }`.
   */
  maxFailures?: FailureOptions;
  /** The shortest life of a signature in seconds; a capability's time limit may extend it. Default 60. */
  maxTimeoutSeconds?: number;
  /** True answers 402 with the version-1 body unless the caller asks otherwise. Default false. */
  v1Body?: boolean;
  /** Sign-in of wallets, by the extension `sign-in-with-x`: needs `brand.baseUrl`. Default: none but for wallets' own data. */
  signIn?: SignInOptions;
  /**
   * Offers the extension `builder-code`: facilitators that know it write these codes, and the buyer's own, after the call
   * data of a settlement. Default: none.
   */
  builderCode?: BuilderCodeOptions;
  /**
   * Offers for which callers have to say who they are beside the payment, by the extension `auth-hints`. Default: none.
   */
  authHints?: AuthHintsOptions;
  /**
   * `false` refuses buyers of the Machine Payments Protocol (`WWW-Authenticate: Payment`); an object adds ways for them.
   * Default: they may pay by authorizations (EIP-3009).
   */
  mpp?: false | MppOptions;
}
