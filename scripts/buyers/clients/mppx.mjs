import { Mppx } from "mppx/client";
import { charge } from "mppx/evm/client";
import { privateKeyToAccount } from "viem/accounts";

const account = privateKeyToAccount(process.env.BUYER_KEY);
const authorization = { name: "USD Coin", version: "2" };
const { fetch: pay } = Mppx.create({ polyfill: false, methods: [charge({ account, authorization })] });
console.log(await (await pay(process.env.PAID_URL)).text());
