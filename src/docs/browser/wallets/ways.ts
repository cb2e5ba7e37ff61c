/** The ways to pay a quote from this browser, each a button; or why there is none. */
import { evmOffer, hasEvmWallet, payByEvm } from "./evm.js";
import { networkName, priceOf, type Quote } from "./offers.js";
import { payBySolana, solanaObstacle, solanaOffer, walletsFor } from "./solana.js";

export interface Way {
  label: string;
  /** Resolves to the PAYMENT-SIGNATURE header; rejects if the user or the wallet refuses. */
  sign(): Promise<string>;
}

export function waysOf(quote: Quote): Way[] {
  const [evm, solana] = [evmOffer(quote), solanaOffer(quote)];
  const ways: Way[] = [];
  if (evm && hasEvmWallet())
    ways.push({
      label: `Pay ${priceOf(evm)} from this browser's wallet`,
      sign: () => payByEvm(quote, evm),
    });
  if (solana && solanaObstacle(solana) === undefined)
    for (const wallet of walletsFor(solana))
      ways.push({
        label: `Pay ${priceOf(solana)} on ${networkName(solana.network)} from ${wallet.name.slice(0, 40)}`,
        sign: () => payBySolana(wallet, quote, solana),
      });
  return ways;
}

/** Sentences in the place of buttons, or beside them. */
export function hintsOf(quote: Quote, ways: Way[]): string[] {
  const [evm, solana] = [evmOffer(quote), solanaOffer(quote)];
  const obstacle = solana && solanaObstacle(solana);
  // A visitor with a button, and no wallet of Solana, misses nothing.
  const told = obstacle && (ways.length === 0 || walletsFor(solana).length > 0) ? [obstacle] : [];
  if (ways.length > 0) return told;
  const kinds = [...(evm ? ["an Ethereum wallet"] : []), ...(solana && !obstacle ? ["a Solana wallet"] : [])];
  if (kinds.length > 0) told.push(`To pay from here, open this page in a browser with ${kinds.join(" or ")}.`);
  if (told.length === 0) told.push("No browser's wallet can sign these offers from a page.");
  return [...told, "The code pays by itself."];
}
