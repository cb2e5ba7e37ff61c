import { wrapAxiosWithPayment, x402Client } from "@x402/axios";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import axios from "axios";
import { privateKeyToAccount } from "viem/accounts";

const client = new x402Client().register("eip155:*", new ExactEvmScheme(privateKeyToAccount(process.env.BUYER_KEY)));
const { data } = await wrapAxiosWithPayment(axios.create(), client).get(process.env.PAID_URL);
console.log(JSON.stringify(data));
