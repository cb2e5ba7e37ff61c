/** The official facilitator on the local chain, in this process, with faults to switch on. */
import { without } from "../errors.js";
import type { Facilitator } from "../payment/x402/transport.js";
import { type LocalChain, NETWORK, oneAtATime } from "./chain.js";

/**
 * - `settlement lost`: payments are settled, and the answer never comes;
 * - `settlement refused`: none is settled;
 * - `facilitator down`: it answers nothing;
 * - `upstream down`: no upstream of a capability can be reached.
 */
export const FAULTS = ["settlement lost", "settlement refused", "facilitator down", "upstream down"] as const;
export type Fault = (typeof FAULTS)[number];

export async function localFacilitator(
  { chain, client, rpcUrl }: LocalChain,
  isOn: (fault: Fault) => boolean,
): Promise<Facilitator> {
  const [viem, accounts, core, evm, exact] = await Promise.all([
    import("viem").catch(without("viem")),
    import("viem/accounts").catch(without("viem")),
    import("@x402/core/facilitator").catch(without("@x402/core")),
    import("@x402/evm").catch(without("@x402/evm")),
    import("@x402/evm/exact/facilitator").catch(without("@x402/evm")),
  ]);
  const account = accounts.privateKeyToAccount(accounts.generatePrivateKey());
  await client.setBalance({ address: account.address, value: viem.parseEther("1000") });
  const wallet = viem.createWalletClient({ account, chain, transport: viem.http(rpcUrl) });
  const inTurn = oneAtATime();
  const signer = evm.toFacilitatorEvmSigner({
    address: account.address,
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [] } as never),
    verifyTypedData: (args) => client.verifyTypedData(args as never),
    getCode: (args) => client.getCode(args),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
    writeContract: (args) => inTurn(() => wallet.writeContract(args as never)),
    sendTransaction: (args) => inTurn(() => wallet.sendTransaction(args as never)),
  });
  const official = new core.x402Facilitator().register(NETWORK, new exact.ExactEvmScheme(signer));
  const assertUp = () => {
    if (isOn("facilitator down")) throw new TypeError("fetch failed");
  };
  return {
    async supported() {
      assertUp();
      return official.getSupported();
    },
    async verify(payload, requirements) {
      assertUp();
      return official.verify(payload as never, requirements as never);
    },
    async settle(payload, requirements) {
      assertUp();
      if (isOn("settlement refused"))
        return { success: false, errorReason: "invalid_transaction_state", transaction: "", network: NETWORK };
      const answer = await official.settle(payload as never, requirements as never);
      if (isOn("settlement lost")) throw new TypeError("fetch failed");
      return answer;
    },
  };
}
