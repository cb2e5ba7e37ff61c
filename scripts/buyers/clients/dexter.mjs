import { wrapFetch } from "@dexterai/x402/client";

const pay = wrapFetch(fetch, {
  evmPrivateKey: process.env.BUYER_KEY,
  rpcUrls: { [process.env.NETWORK]: process.env.RPC_URL },
});
console.log(await (await pay(process.env.PAID_URL)).text());
