// A wallet of Coinbase's service needs an account there; its adapter takes a local key of the same shape.
import { fromCdpEvmAccount } from "@coinbase/cdp-sdk/x402";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

const signer = fromCdpEvmAccount(privateKeyToAccount(process.env.BUYER_KEY));
const client = new x402Client().register("eip155:*", new ExactEvmScheme(signer));
const response = await wrapFetchWithPayment(fetch, client)(process.env.PAID_URL);
console.log(await response.text());
