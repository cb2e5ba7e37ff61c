/** The routes of the official end-to-end matrix, each with a shop of ours that sells it and a stock buyer who pays. */
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { toClientEvmSigner } from "@x402/evm";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { type PaymentRequired, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createWalletClient, encodeFunctionData, http, parseAbi, parseEther } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { fromMicros } from "../../src/lib/money.js";
import type { PaymentOptions } from "../../src/payment/options/options.js";
import { PERMIT2 } from "../../src/payment/rails/evm/chain/permit2-contracts.js";
import type { ChannelChain } from "./channel-chain.js";
import { AUTHORIZER } from "./channel-shop.js";
import type { Permit2Chain } from "./permit2-chain.js";
import { addressOf, SOLANA, treasury } from "./solana.js";
import type { SolanaChain } from "./solana-chain.js";
import { createSolanaBuyer, type startSolanaFacilitator } from "./solana-lab.js";
import { TREASURY } from "./wallets.js";

/** A route as the matrix' data files have it. */
export interface Route {
  path: string;
  scheme: "exact" | "upto" | "batch-settlement" | "auth-capture";
  assetTransferMethod?: "eip3009" | "permit2";
  paymentFlow?: "upfront" | "escrow";
  schemeOptions?: { permit2Direct?: boolean; coldstart?: boolean };
  price: { usd?: string; amount?: string };
  extensions: string[];
  settlementOverride?: { amount: string };
}

const readRoutes = (family: "evm" | "svm"): Route[] => {
  const file = new URL(`../suites/x402-matrix/mechanisms_${family}.json`, import.meta.url);
  const { routes } = JSON.parse(readFileSync(file, "utf8")) as { routes: Record<string, Omit<Route, "path">> };
  return Object.entries(routes).map(([path, route]) => ({ path, ...route }));
};
export const ROUTES: readonly Route[] = [...readRoutes("evm"), ...readRoutes("svm")];

export const amountOf = ({ price: { usd, amount } }: Route): bigint =>
  amount === undefined ? BigInt(Math.round(Number(usd?.slice(1)) * 1e6)) : BigInt(amount);
export const settledOf = (route: Route): bigint => BigInt(route.settlementOverride?.amount ?? amountOf(route));

export interface Labs {
  permit2: Permit2Chain;
  channels: ChannelChain;
  solana: { chain: SolanaChain; facilitator: Awaited<ReturnType<typeof startSolanaFacilitator>> };
}

export const URL_OF_WORK = "http://shop.test/api/test/work?n=1";

const workOf = (route: Route) =>
  defineCapability({
    id: "test.work",
    summary: "Uses what the matrix says.",
    price: fromMicros(amountOf(route)),
    ...(route.scheme === "upto" ? { billing: "upto" as const } : {}),
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.int().describe("Any number") }),
    output: one(z.object({ n: z.number() })),
    example: { n: 1 },
    run({ n }, { meter }) {
      if (route.scheme === "upto") meter.add(fromMicros(settledOf(route)));
      return { item: { n } };
    },
  });

/** A shop that sells a route, and how its buyer's and its own money moved. */
export interface Stall {
  handle: Handler;
  payer: x402Client;
  /** What left the buyer, and what reached the shop; a deposit leaves at once, and reaches the shop when it is claimed. */
  moved(): Promise<{ left: bigint; arrived: bigint }>;
}

export async function openStall(route: Route, labs: Labs): Promise<Stall> {
  if (route.path.includes("/svm")) return onSolana(route, labs.solana);
  return route.scheme === "batch-settlement" ? byChannel(route, labs.channels) : onEvm(route, labs.permit2);
}

const shop = (route: Route, payment: PaymentOptions): Handler =>
  createHandler({
    capabilities: [workOf(route)],
    trial: false,
    payment: { ...payment, ...(route.paymentFlow === "upfront" ? { settleFirst: ["test.work"] } : {}) },
  });

/** The token of a route, if it is taken through Permit2. */
function assetsOf(route: Route, { network, usdc }: Permit2Chain["chain"]): Pick<PaymentOptions, "assets"> {
  if (route.assetTransferMethod !== "permit2") return {};
  const isSponsored = route.extensions.includes("erc20ApprovalGasSponsoring");
  // A token whose domain is not told has no permits of its own, so an approval is what is left.
  const domain = isSponsored ? {} : { name: "USD Coin", version: "2" };
  return { assets: { [network]: { address: usdc.address, ...domain, transferMethod: "permit2" } } };
}

async function onEvm(route: Route, { chain, facilitator }: Permit2Chain): Promise<Stall> {
  const handle = shop(route, {
    treasury: { [chain.network]: TREASURY },
    facilitator,
    rpc: { [chain.network]: chain.rpcUrl },
    ...assetsOf(route, chain),
    schemes: route.scheme === "upto" ? ["exact", "upto"] : ["exact"],
  });
  const account = privateKeyToAccount(generatePrivateKey());
  const signer = toClientEvmSigner(account, chain.client as never);
  const scheme = route.scheme === "upto" ? new UptoEvmScheme(signer) : new ExactEvmScheme(signer);
  await chain.mint(account.address, 100_000n);
  if (route.schemeOptions?.permit2Direct) await approve(account, chain);
  return {
    handle,
    payer: new x402Client().register("eip155:*", scheme),
    moved: await movements(chain, { buyer: account.address, had: 100_000n }),
  };
}

const TOKEN = parseAbi(["function approve(address spender, uint256 value)"]);

/** The buyer allowed Permit2 before it came. */
async function approve(account: PrivateKeyAccount, { chain, client, rpcUrl, usdc }: Permit2Chain["chain"]) {
  await client.setBalance({ address: account.address, value: parseEther("1") });
  const data = encodeFunctionData({ abi: TOKEN, args: [PERMIT2, 2n ** 256n - 1n] });
  const wallet = createWalletClient({ account, chain, transport: http(rpcUrl) });
  await client.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to: usdc.address, data }) });
}

async function byChannel(route: Route, chain: ChannelChain): Promise<Stall> {
  const handle = shop(route, {
    treasury: { [chain.network]: TREASURY },
    facilitator: chain.facilitator,
    rpc: { [chain.network]: chain.rpcUrl },
    ...assetsOf(route, chain),
    schemes: ["exact", "batch-settlement"],
    channels: { signer: AUTHORIZER, allowMemoryStore: true },
  });
  const account = privateKeyToAccount(generatePrivateKey());
  const scheme = new BatchSettlementEvmScheme(toClientEvmSigner(account, chain.client as never));
  await chain.mint(account.address, 20_000_000n);
  if (route.schemeOptions?.permit2Direct) await approve(account, chain);
  return {
    handle,
    payer: new x402Client().register("eip155:*", scheme as never),
    moved: await movements(chain, { buyer: account.address, had: 20_000_000n }),
  };
}

async function movements(
  chain: Pick<Permit2Chain["chain"], "balanceOf">,
  { buyer, had }: { buyer: `0x${string}`; had: bigint },
): Promise<Stall["moved"]> {
  const before = await chain.balanceOf(TREASURY);
  return async () => ({
    left: had - (await chain.balanceOf(buyer)),
    arrived: (await chain.balanceOf(TREASURY)) - before,
  });
}

async function onSolana(route: Route, { chain, facilitator }: Labs["solana"]): Promise<Stall> {
  const handle = shop(route, {
    treasury: { [SOLANA]: addressOf(treasury) },
    facilitator: { url: facilitator.url },
    rpc: { [SOLANA]: chain.rpcUrl },
  });
  const { address, scheme } = await createSolanaBuyer(chain, fetch);
  chain.mint(address, 5000n);
  chain.mint(addressOf(treasury), 0n);
  return {
    handle,
    payer: new x402Client().register(SOLANA, scheme),
    moved: async () => ({ left: 5000n - chain.balanceOf(address), arrived: chain.balanceOf(addressOf(treasury)) }),
  };
}

/** The facts of an answer that was paid for, whichever way it came. */
export interface Paid {
  quote: PaymentRequired;
  item: unknown;
  receipt: { success?: boolean; transaction?: string };
}

interface Answer {
  data?: { items: unknown[] };
}
/** A header of x402. */
export const decoded = (header: string | null) => JSON.parse(Buffer.from(header ?? "", "base64").toString());

export async function payByHttp({ handle, payer }: Stall): Promise<Paid> {
  const quote = decoded((await handle(new Request(URL_OF_WORK))).headers.get("payment-required"));
  const buy = wrapFetchWithPayment((input, init) => handle(new Request(input, init)), payer);
  const response = await buy(URL_OF_WORK);
  const { data } = (await response.json()) as Answer;
  return { quote, item: data?.items[0], receipt: decoded(response.headers.get("payment-response")) };
}

/** The official SDK calls the tool, is quoted, signs by the same official client, and calls again. */
export async function payByMcp({ handle, payer }: Stall): Promise<Paid> {
  const client = new Client({ name: "matrix", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://shop.test${handle.basePath}/mcp`), {
    fetch: (input, init) => handle(new Request(input, init)),
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  try {
    const call = (_meta: Record<string, unknown> = {}) =>
      client.callTool({ name: "test_work", arguments: { n: 1 }, _meta }) as Promise<CallToolResult>;
    const quote = (await call()).structuredContent as unknown as PaymentRequired;
    const payment = await payer.createPaymentPayload(quote);
    const { structuredContent, _meta } = await call({ "x402/payment": payment });
    const { data } = (structuredContent ?? {}) as Answer;
    return { quote, item: data?.items[0], receipt: (_meta?.["x402/payment-response"] ?? {}) as Paid["receipt"] };
  } finally {
    await client.close();
  }
}
