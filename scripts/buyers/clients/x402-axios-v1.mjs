import axios from "axios";
import { privateKeyToAccount } from "viem/accounts";
import { withPaymentInterceptor } from "x402-axios";

const paying = withPaymentInterceptor(axios.create(), privateKeyToAccount(process.env.BUYER_KEY));
console.log(JSON.stringify((await paying.get(process.env.PAID_URL)).data));
