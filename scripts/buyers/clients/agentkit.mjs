import { ViemWalletProvider, x402ActionProvider } from "@coinbase/agentkit";
import { createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";

const account = privateKeyToAccount(process.env.BUYER_KEY);
const wallet = new ViemWalletProvider(
  createWalletClient({ account, chain: base, transport: http(process.env.RPC_URL) }),
);
const url = new URL(process.env.PAID_URL);
const provider = x402ActionProvider({ registeredServices: [url.origin], maxPaymentUsdc: 1 });
console.log(await provider.makeHttpRequestWithX402(wallet, { url: url.href, method: "GET" }));
