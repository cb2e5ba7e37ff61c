import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

const client = new x402Client().register("eip155:*", new ExactEvmScheme(privateKeyToAccount(process.env.BUYER_KEY)));
const response = await wrapFetchWithPayment(fetch, client)(process.env.PAID_URL);
console.log(await response.text());
