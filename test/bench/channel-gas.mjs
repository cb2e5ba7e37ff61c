/** What a call costs on chain: gas of the local chain's transactions, whose contracts stand in for the official ones. */
import { readFileSync } from "node:fs";
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { BatchSettlementEvmScheme as Buyer } from "@x402/evm/batch-settlement/client";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/facilitator";
import { ExactEvmScheme as ExactBuyer } from "@x402/evm/exact/client";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { createWalletClient, http, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { startChain } from "../../examples/local-chain/chain.js";
import { printTable, say } from "./measure.mjs";

const SETTLEMENT = "0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003";
const COLLECTOR = "0x4020806089470a89826cB9fB1f4059150b550004";
const TREASURY = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
/** As many as a shop claims in one request (`payment/channels/collect/parking.ts`). */
const TOGETHER = 25;
const CHANNELS = 1000;
const authorizer = privateKeyToAccount(generatePrivateKey());

export async function printGas() {
  const lab = await openLab();
  try {
    const { exact, deposit, claimOne, claimMany, sweep } = await measure(lab);
    const rows = [1, 10, 100, 1000].map((calls) => [
      `${calls} calls a deposit`,
      whole(exact),
      whole((deposit + claimOne + sweep) / calls),
      whole((deposit + (claimMany + sweep) / TOGETHER) / calls),
    ]);
    say("\n  Gas a call, from transactions on the local chain:");
    printTable(["", "exact", "channel, alone", `channel, one of ${TOGETHER}`], rows);
    const [alone, together] = [1, TOGETHER].map((size) => Math.ceil(CHANNELS / size));
    say(`\n  ${whole(CHANNELS)} channels brought home, reckoned from these transactions:`);
    printTable(
      ["", "requests", "gas", "gas a channel"],
      [
        ["one channel a claim", alone, claimOne],
        [`${TOGETHER} channels a claim, as a shop does`, together, claimMany],
      ].map(([name, claims, gas]) => [
        name,
        whole(claims + 1),
        whole(claims * gas + sweep),
        whole((claims * gas + sweep) / CHANNELS),
      ]),
    );
    say(
      `  A deposit is ${whole(deposit)}, a claim ${whole(claimOne)} for one channel and ${whole(claimMany)} for ${TOGETHER}, a sweep ${whole(sweep)}.`,
    );
  } finally {
    await lab.chain.stop();
  }
}

const whole = (number) => Math.round(number).toLocaleString("en-US");

async function openLab() {
  const chain = await startChain();
  const { client, rpcUrl } = chain;
  for (const [address, name] of [
    [SETTLEMENT, "BatchSettlement"],
    [COLLECTOR, "DepositCollector"],
  ]) {
    const file = new URL(`../support/contracts/${name}.artifact.json`, import.meta.url);
    await client.setCode({ address, bytecode: JSON.parse(readFileSync(file, "utf8")).deployedBytecode });
  }
  const account = privateKeyToAccount(generatePrivateKey());
  await client.setBalance({ address: account.address, value: parseEther("1000") });
  const wallet = createWalletClient({ account, chain: chain.chain, transport: http(rpcUrl) });
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [], account }),
    verifyTypedData: (args) => client.verifyTypedData(args),
    getCode: (args) => client.getCode(args),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
    writeContract: (args) => wallet.writeContract(args),
    sendTransaction: (args) => wallet.sendTransaction(args),
  });
  const facilitator = new x402Facilitator()
    .register(chain.network, new ExactEvmScheme(signer))
    // The bench holds the claiming key itself and lets the facilitator sign with it: only the gas is looked at.
    .register(chain.network, new BatchSettlementEvmScheme(signer, authorizer));
  return { chain, facilitator };
}

async function measure({ chain, facilitator }) {
  const { client, network, usdc } = chain;
  const offer = (scheme, extra = {}) => ({
    scheme,
    network,
    amount: "1000",
    asset: usdc.address,
    payTo: TREASURY,
    maxTimeoutSeconds: 300,
    extra: { name: "USD Coin", version: "2", ...extra },
  });
  const channelOffer = offer("batch-settlement", {
    receiverAuthorizer: authorizer.address,
    withdrawDelay: 86_400,
    minDeposit: "1000000",
  });
  const settle = async (terms, payload) => {
    const end = await facilitator.settle({ x402Version: 2, accepted: terms, payload }, terms);
    if (!end.success) throw new Error(`${payload.type ?? terms.scheme}: ${end.errorReason} ${end.errorMessage ?? ""}`);
    return Number((await client.getTransactionReceipt({ hash: end.transaction })).gasUsed);
  };
  const funded = async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    await chain.mint(account.address, 5_000_000n);
    return account;
  };
  const openChannel = async () => {
    const { payload } = await new Buyer(await funded()).createPaymentPayload(2, channelOffer);
    const gas = await settle(channelOffer, payload);
    const { channelConfig, voucher } = payload;
    const { maxClaimableAmount, signature } = voucher;
    const row = {
      voucher: { channel: channelConfig, maxClaimableAmount },
      signature,
      totalClaimed: maxClaimableAmount,
    };
    return { gas, row };
  };
  const claim = (rows) => settle(channelOffer, { type: "claim", claims: rows });
  const sweepOnce = () => settle(channelOffer, { type: "settle", receiver: TREASURY, token: usdc.address });

  const exactOffer = offer("exact");
  const payExact = async () => {
    const { payload } = await new ExactBuyer(await funded()).createPaymentPayload(2, exactOffer);
    return settle(exactOffer, payload);
  };
  // The first of each also makes the treasury's accounts; what follows is what goes on.
  await payExact();
  const exact = await payExact();
  await claim([(await openChannel()).row]);
  await sweepOnce();
  const { gas: deposit, row } = await openChannel();
  const claimOne = await claim([row]);
  const rows = [];
  for (let i = 0; i < TOGETHER; i++) rows.push((await openChannel()).row);
  const claimMany = await claim(rows);
  return { exact, deposit, claimOne, claimMany, sweep: await sweepOnce() };
}
