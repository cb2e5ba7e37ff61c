import { privateKeyToAccount } from "viem/accounts";
import { wrapFetchWithPayment } from "x402-fetch";

const response = await wrapFetchWithPayment(fetch, privateKeyToAccount(process.env.BUYER_KEY))(process.env.PAID_URL);
console.log(await response.text());
