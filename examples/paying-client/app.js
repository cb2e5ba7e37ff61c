// The buyer's side: the official x402 client and a wallet. It works with any x402 service.
import { pathToFileURL } from "node:url";
import { ExactEvmScheme } from "@x402/evm";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

/**
 * Calls `url`, pays what it asks as long as that is at most a cent, and prints both the quote and the receipt.
 * @param {string} url
 * @param {import("viem").LocalAccount} account
 */
export async function buy(url, account) {
  const client = new x402Client()
    .register("eip155:*", new ExactEvmScheme(account))
    .setSpendControls({ maxAmountPerPayment: "$0.01" })
    .onBeforePaymentCreation(async ({ paymentRequired, selectedRequirements }) => {
      const { amount, network, payTo } = selectedRequirements;
      console.log(`Quote: ${Number(amount) / 1e6} USDC on ${network} to ${payTo}, ${paymentRequired.resource?.url}`);
    });
  const response = await wrapFetchWithPayment(fetch, client)(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);

  const header = response.headers.get("payment-response");
  const receipt = header ? decodePaymentResponseHeader(header) : undefined;
  console.log(receipt ? `Receipt: transaction ${receipt.transaction} on ${receipt.network}` : "It was free.");
  return { body: await response.json(), receipt };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { WALLET_KEY, BASE_URL = "http://127.0.0.1:8402" } = process.env;
  if (!WALLET_KEY) throw new Error("Set WALLET_KEY to the private key (0x...) of a wallet with a little USDC in it.");
  const { body } = await buy(`${BASE_URL}/api/convert/unit?value=1&from=kg&to=lb`, privateKeyToAccount(WALLET_KEY));
  console.log(JSON.stringify(body, null, 2));
}
