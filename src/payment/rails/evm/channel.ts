/** The `batch-settlement` scheme on EVM networks. */
import { createHash } from "node:crypto";
import { lazy } from "../../../lib/lazy.js";
import { least, type Micros } from "../../../lib/money.js";
import type { ChannelKey } from "../../options/channels.js";
import type { PaymentRequirements } from "../../x402/wire.js";
import { CHANNEL_SCHEME, type ChannelRail } from "../channel.js";
import type { Rpc } from "../rpc.js";
import { readCoins } from "./chain/chain.js";
import { authorizedDeposits, permittedDeposits } from "./channel-deposits.js";
import { channelMessages, termsOf } from "./channel-message.js";
import { channelRequests } from "./channel-requests.js";
import type { ChannelConfig } from "./channel-typed-data.js";
import type { Token } from "./transfer.js";

/** Loaded by the first voucher. */
const chain = lazy(() => import("./channel-chain.js"));

export interface ChannelRailOptions {
  network: string;
  asset: Token;
  /** How deposits are signed. Default `"eip3009"`. */
  transferMethod?: "eip3009" | "permit2";
  payTo: string;
  /** The offered key first, then the former ones. */
  keys: readonly [ChannelKey, ...ChannelKey[]];
  minDeposit: Micros;
  rpc: Rpc;
  /** Whether the facilitator settles the scheme here. */
  listed: () => boolean;
}

export function evmChannelRail(options: ChannelRailOptions): ChannelRail {
  const { network, asset, payTo, keys, minDeposit, rpc, listed } = options;
  const [{ signer, withdrawDelay }] = keys;
  const chainId = Number(network.slice("eip155:".length));
  const isByPermit2 = options.transferMethod === "permit2";
  const deposits = isByPermit2 ? permittedDeposits(asset, chainId) : authorizedDeposits(asset, chainId);
  const { read, assertOurs } = channelMessages({ ...options, chainId, deposits });
  const account = `${payTo} ${asset.address}`.toLowerCase();

  const isOurs = (config: ChannelConfig): boolean => {
    try {
      assertOurs(config);
      return true;
    } catch {
      return false;
    }
  };

  return {
    network,
    minDeposit,
    signer: signer.address,
    signerGas: () => readCoins(rpc, signer.address),
    accountId: createHash("sha256").update(account).digest("hex").slice(0, 16),
    longestDelay: Math.max(...keys.map((key) => key.withdrawDelay)),
    requirements(amount, maxTimeoutSeconds): PaymentRequirements | undefined {
      if (!listed()) return undefined;
      const needed = minDeposit + (amount - least(amount, minDeposit));
      const key = { receiverAuthorizer: signer.address, withdrawDelay };
      const extra = { ...deposits.extra, ...key, minDeposit: needed.toString() };
      const asked = { network, amount: amount.toString(), asset: asset.address, payTo, maxTimeoutSeconds };
      return { scheme: CHANNEL_SCHEME, ...asked, extra };
    },
    read,
    batchOf({ config }) {
      const channel = config as unknown as ChannelConfig;
      return isOurs(channel) ? channel.receiverAuthorizer.toLowerCase() : undefined;
    },
    states: async (ids) => (await chain()).readStates(rpc, ids),
    asOfBlock: async (ids) => (await chain()).readStatesAsOfBlock(rpc, ids),
    account: async () => (await chain()).readAccount(rpc, payTo, asset.address),
    async *opened() {
      const { openedChannels } = await chain();
      for await (const { id, config } of openedChannels(rpc)) if (isOurs(config)) yield { id, terms: termsOf(config) };
    },
    ...channelRequests({ ...options, chainId, deposits }),
  };
}
