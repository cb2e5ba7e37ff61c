/** A local chain with Permit2 and both proxies on it, the official facilitator for both schemes, and stock buyers. */
import { readFileSync } from "node:fs";
import { x402Facilitator } from "@x402/core/facilitator";
import {
  toClientEvmSigner,
  toFacilitatorEvmSigner,
  x402ExactPermit2ProxyAddress,
  x402UptoPermit2ProxyAddress,
} from "@x402/evm";
import { ExactEvmScheme as ExactBuyer } from "@x402/evm/exact/client";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { UptoEvmScheme as UptoBuyer } from "@x402/evm/upto/client";
import { UptoEvmScheme } from "@x402/evm/upto/facilitator";
import { createErc20ApprovalGasSponsoringExtension } from "@x402/extensions";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createWalletClient, type Hex, http, parseEther, recoverTransactionAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { type Chain, startChain } from "../../examples/local-chain/chain.js";
import { PERMIT2 } from "../../src/payment/rails/evm/chain/permit2-contracts.js";
import type { Facilitator } from "../../src/payment/x402/transport.js";

export interface Permit2Chain {
  chain: Chain;
  facilitator: Facilitator;
  stop(): Promise<void>;
}

export async function startPermit2Chain(): Promise<Permit2Chain> {
  const chain = await startChain();
  await chain.client.setCode({ address: PERMIT2, bytecode: codeOf("Permit2") });
  await chain.client.setCode({ address: x402UptoPermit2ProxyAddress, bytecode: codeOf("UptoProxy") });
  await chain.client.setCode({ address: x402ExactPermit2ProxyAddress, bytecode: codeOf("ExactProxy") });
  const { signer, wallet } = await createSigner(chain);
  const official = new x402Facilitator()
    .register(chain.network, new ExactEvmScheme(signer))
    .register(chain.network, new UptoEvmScheme(signer))
    .registerExtension({ key: "eip2612GasSponsoring" })
    .registerExtension(approvals(signer, { chain, send: (one) => wallet.sendTransaction(one as never) }));
  return {
    chain,
    facilitator: {
      supported: async () => official.getSupported(),
      verify: (payload, requirements) => official.verify(payload as never, requirements as never),
      settle: (payload, requirements) => official.settle(payload as never, requirements as never),
    },
    stop: chain.stop,
  };
}

type Transaction = { to: Hex; data: Hex };

/** The extension by which a facilitator sends approvals that their signers cannot pay for. */
export function approvals(
  signer: object,
  { chain: { client }, send }: { chain: Pick<Chain, "client">; send(transaction: Transaction): Promise<Hex> },
) {
  /** A signed transaction needs gas of its own signer, which the facilitator brings. */
  async function sendTransactions(transactions: (Hex | Transaction)[]): Promise<Hex[]> {
    const sent: Hex[] = [];
    for (const one of transactions) {
      if (typeof one === "string") {
        const address = await recoverTransactionAddress({ serializedTransaction: one as `0x02${string}` });
        await client.setBalance({ address, value: parseEther("0.01") });
        sent.push(await client.sendRawTransaction({ serializedTransaction: one }));
      } else sent.push(await send(one));
      await client.waitForTransactionReceipt({ hash: sent.at(-1) as Hex });
    }
    return sent;
  }
  return createErc20ApprovalGasSponsoringExtension({ ...signer, sendTransactions } as never);
}

function codeOf(name: string): Hex {
  const file = new URL(`contracts/${name}.artifact.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { deployedBytecode: Hex }).deployedBytecode;
}

/** An account with ether; the proxy answers the one facilitator that a payer named, so it reads as that one too. */
async function createSigner({ chain, client, rpcUrl }: Chain) {
  const account = privateKeyToAccount(generatePrivateKey());
  await client.setBalance({ address: account.address, value: parseEther("1000") });
  const wallet = createWalletClient({ account, chain, transport: http(rpcUrl) });
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [], account } as never),
    verifyTypedData: (args) => client.verifyTypedData(args as never),
    getCode: (args) => client.getCode(args),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
    writeContract: (args) => wallet.writeContract(args as never),
    sendTransaction: (args) => wallet.sendTransaction(args),
  });
  return { signer, wallet };
}

/** A new wallet without ether behind the official client, which pays the exact price. */
export function createExactBuyer({ client }: Chain, fetch: typeof globalThis.fetch) {
  const account = privateKeyToAccount(generatePrivateKey());
  const buyer = new x402Client().register("eip155:*", new ExactBuyer(toClientEvmSigner(account, client as never)));
  return { account, address: account.address, fetch: wrapFetchWithPayment(fetch, buyer) };
}

/** A new wallet without ether behind the official client, which knows the upto scheme alone. */
export function createUptoBuyer({ client }: Chain, fetch: typeof globalThis.fetch) {
  const account = privateKeyToAccount(generatePrivateKey());
  const buyer = new x402Client().register("eip155:*", new UptoBuyer(toClientEvmSigner(account, client as never)));
  return { address: account.address, fetch: wrapFetchWithPayment(fetch, buyer) };
}
