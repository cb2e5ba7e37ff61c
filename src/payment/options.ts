import type { FailureOptions } from "./failures/failures.js";
import type { ChannelOptions } from "./rails/channel-options.js";
import type { EvmSigner } from "./rails/evm/signer.js";
import type { SolanaSigner } from "./rails/solana/signer.js";
import type { Facilitator, FacilitatorOptions } from "./x402/transport.js";

export interface PaymentOptions {
  /** Who is paid, by CAIP-2 network: `{ "eip155:8453": "0x…" }`. The order is the order of the offers. */
  treasury: Record<string, string>;
  /**
   * Who was paid before, by CAIP-2 network: what was begun for these accounts is settled, returned, honoured as credit and
   * told in the ledger as the host's own. What is made out to any other account of the store is left to its own host.
   */
  formerTreasuries?: Record<string, readonly string[]>;
  /**
   * Who judges and settles: an address, a configuration or client as the ecosystem's packages give them, or an object in
   * this process.
   */
  facilitator: FacilitatorOptions | Facilitator;
  /**
   * `["exact", "upto"]` also offers, for what is billed by usage and on EVM networks where the facilitator lists it, to
   * settle only what was used: through Permit2, in the PAYMENT-REQUIRED header, behind the exact offers. Default
   * `["exact"]`. `"batch-settlement"` also offers payment channels there, for every capability: see `channels`.
   */
  schemes?: readonly ("exact" | "upto" | "batch-settlement")[];
  /**
   * Channels on EVM networks: a buyer deposits once and signs a voucher a call; what was charged is claimed later, many
   * calls in one transaction. Needed with the scheme `"batch-settlement"`, and a store that outlives the process.
   */
  channels?: ChannelOptions;
  /**
   * Another token than USDC, or USDC on a network that this package does not know; on EVM networks with the name and
   * version of its EIP-712 domain. It has 6 decimals.
   */
  assets?: Record<string, { address: string; name?: string; version?: string }>;
  /** Who pays the fee on Solana, by CAIP-2 network. Default: the account that the facilitator lists. */
  feePayers?: Record<string, string>;
  /**
   * Nodes by CAIP-2 network, asked when a settlement's outcome is unclear, before money goes back out of `refunds`, and on
   * Solana once at the start, whether the treasury's token account exists. While a node named here is silent, an unclear
   * settlement stays pending, and a refund waits. Default:
   * the networks' public ones; `false`: never ask, and what is not a clear yes or no stays pending; `refunds` on
   * Solana need one.
   */
  rpc?: Record<string, string> | false;
  /**
   * Wallets, by CAIP-2 network, from which the unused part of a settled maximum goes back to its payer: a small float,
   * never the treasury's key. On EVM networks one that signs typed data, as viem's accounts do; on Solana a
   * `{ publicKey, secretKey }`, as Keypair of `@solana/web3.js`. Without one the unused part becomes credit for the
   * payer's next call.
   */
  refunds?: Record<string, EvmSigner | SolanaSigner>;
  /** Less than this is not returned on chain but becomes credit, in decimal USD. Default "0.005". */
  minReturnUsd?: string;
  /**
   * Ids of costly capabilities whose payment is settled before they run; if such a run fails, everything goes back.
   * On Solana, where a signature lives no longer, work that may take more than 30 seconds is settled first anyway.
   */
  settleFirst?: readonly string[];
  /** How much unsettled work one payer may have running or left unpaid, in decimal USD. Default "1". */
  maxUnsettledUsd?: string;
  /**
   * How much work of one payer may come to nothing within an hour, whatever it pays with: a call that fails is charged
   * nothing. Beyond it, 429 TOO_MANY_FAILURES. Default `{ runs: 20, usd: "1" }`.
   */
  maxFailures?: FailureOptions;
  /** The shortest life of a signature; a capability's own deadline may lengthen it. Default 60. */
  maxTimeoutSeconds?: number;
  /** Answer 402 with the version-1 body unless the caller asks otherwise. Default false. */
  v1Body?: boolean;
  /** Buyers of the Machine Payments Protocol (`WWW-Authenticate: Payment`) pay as well; `false` leaves them out. */
  mpp?: false;
}
