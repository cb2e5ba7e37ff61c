import { wrap } from "@faremeter/fetch";
import { exact } from "@faremeter/payment-evm";
import { createLocalWallet } from "@faremeter/wallet-evm";

const chain = { id: Number(process.env.NETWORK.split(":")[1]), name: "Base" };
const wallet = await createLocalWallet(chain, process.env.BUYER_KEY);
const pay = wrap(fetch, { handlers: [exact.createPaymentHandler(wallet)] });
console.log(await (await pay(process.env.PAID_URL)).text());
