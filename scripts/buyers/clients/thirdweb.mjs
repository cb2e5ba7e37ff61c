import { createThirdwebClient } from "thirdweb";
import { base } from "thirdweb/chains";
import { createWalletAdapter, privateKeyToAccount } from "thirdweb/wallets";
import { wrapFetchWithPayment } from "thirdweb/x402";

const client = createThirdwebClient({ clientId: "local" });
const wallet = createWalletAdapter({
  client,
  adaptedAccount: privateKeyToAccount({ client, privateKey: process.env.BUYER_KEY }),
  chain: base,
  onDisconnect: () => {},
  switchChain: () => {},
});
const response = await wrapFetchWithPayment(fetch, client, wallet)(process.env.PAID_URL);
console.log(await response.text());
