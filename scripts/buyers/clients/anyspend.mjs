import { wrapFetchWithPayment } from "@b3dotfun/anyspend-x402-fetch";
import { createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";

const account = privateKeyToAccount(process.env.BUYER_KEY);
const wallet = createWalletClient({ account, chain: base, transport: http(process.env.RPC_URL) });
const response = await wrapFetchWithPayment(fetch, wallet)(process.env.PAID_URL, { method: "GET" });
console.log(await response.text());
