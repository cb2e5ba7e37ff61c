// An official buyer of channels in a process of its own: makes so many calls at once, again for each line of its input.
import { createInterface } from "node:readline";
import { toClientEvmSigner } from "@x402/evm";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createPublicClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const { KEY, URL_OF_WORK, RPC_URL } = process.env;
const account = privateKeyToAccount(KEY);
const chain = createPublicClient({ transport: http(RPC_URL) });
const channel = new BatchSettlementEvmScheme(toClientEvmSigner(account, chain));
const paying = wrapFetchWithPayment(fetch, new x402Client().register("eip155:*", channel));

let made = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const calls = Array.from({ length: Number(line) }, () => paying(`${URL_OF_WORK}?n=${++made}`));
  const answers = await Promise.all(calls.map((call) => call.then(({ status }) => status).catch(String)));
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
