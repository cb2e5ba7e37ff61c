/** Payment by a wallet of Solana: it signs a transfer whose network fee the facilitator pays, and signs, later. */
import { settings } from "../shared/api.js";
import { base64, networkName, type Offer, paymentHeader, type Quote } from "./offers.js";
import { type SolanaWallet, solanaWallets, type WalletAccount } from "./standard.js";

/** A transaction lives for 150 blocks, which take a minute at least. */
const LIFE_MS = 60_000;

/** Wallets' own names of the networks. */
const CHAINS: Record<string, string> = {
  "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "solana:mainnet",
  "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1": "solana:devnet",
  "solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z": "solana:testnet",
};

/** The offer that such a wallet can sign. */
export const solanaOffer = ({ accepts }: Quote): Offer | undefined =>
  accepts.find(
    ({ scheme, network, extra }) => scheme === "exact" && network.startsWith("solana:") && Boolean(extra?.feePayer),
  );

/** Why no wallet can pay an offer from this page; undefined if one could. */
export function solanaObstacle({ network }: Offer): string | undefined {
  if (!settings.recentBlocks?.includes(network))
    return "A Solana payment names a recent block of the chain, and this service has no Solana node that tells one: no wallet can pay on Solana from this page.";
  return isSecureContext ? undefined : "A Solana wallet pays only from a page that is opened over https.";
}

/** The wallets of this browser that know an offer's network. */
export const walletsFor = ({ network }: Offer): SolanaWallet[] => {
  const chain = CHAINS[network];
  return solanaWallets().filter(({ chains }) => chain === undefined || chains.includes(chain));
};

/** Facts of the chain, which this page cannot ask, so the service tells them. */
interface RecentBlock {
  recentBlockhash: string;
  tokenProgram: string;
}

/** Asks the wallet to sign an offer. Resolves to the PAYMENT-SIGNATURE header; rejects if anybody refuses. */
export async function payBySolana(wallet: SolanaWallet, quote: Quote, offer: Offer): Promise<string> {
  const { network, asset, payTo, amount, extra } = offer;
  const account = await accountOf(wallet, network);
  const [{ transactionOf }, block] = await Promise.all([builder(), recentBlock(network)]);
  const from = performance.now();
  const { recentBlockhash, tokenProgram } = block;
  const transaction = await transactionOf({
    ...{ asset, payTo, amount, recentBlockhash, tokenProgram, memo: extra.memo },
    payer: account.address,
    feePayer: extra.feePayer ?? "",
  });
  const chain = CHAINS[network];
  const { signTransaction } = wallet.features["solana:signTransaction"];
  const [signed] = await signTransaction({ account, transaction, ...(chain ? { chain } : {}) });
  if (!signed) throw new Error(`${wallet.name} signed nothing.`);
  if (performance.now() - from > LIFE_MS)
    throw new Error(
      "It was signed after more than a minute, which is too late on Solana. Nothing was sent: pay again.",
    );
  return paymentHeader(quote, offer, { transaction: base64(signed.signedTransaction) });
}

async function accountOf(wallet: SolanaWallet, network: string): Promise<WalletAccount> {
  const { accounts } = await wallet.features["standard:connect"].connect();
  if (accounts.length === 0) throw new Error("The wallet shows no account.");
  const chain = CHAINS[network];
  const account = accounts.find(({ chains }) => chain === undefined || !chains || chains.includes(chain));
  if (account) return account;
  throw new Error(`${wallet.name} is on another network. Switch it to ${networkName(network)} and pay again.`);
}

async function recentBlock(network: string): Promise<RecentBlock> {
  const path = `${settings.base}/docs/recent-block.json?network=${encodeURIComponent(network)}`;
  const response = await fetch(path, { cache: "no-store" });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.detail ?? `The service answered ${response.status}.`);
  return answer;
}

/** Loaded by those who pay this way. */
const builder = (): Promise<typeof import("./solana-transaction.js")> => import(`${settings.base}/docs/solana.js`);
