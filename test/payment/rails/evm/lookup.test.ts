import { describe, expect, it } from "vitest";
import { findAuthorization } from "../../../../src/payment/rails/evm/chain/lookup.js";
import type { Rpc } from "../../../../src/payment/rails/rpc.js";
import { alice, TREASURY } from "../../../support/wallets.js";

const ASSET = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const NONCE = `0x${"22".repeat(32)}`;
const HASH = `0x${"77".repeat(32)}`;
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
const quantity = (value: number) => `0x${value.toString(16)}`;
const requirements = {
  scheme: "exact" as const,
  network: "eip155:8453",
  amount: "1000",
  asset: ASSET,
  payTo: TREASURY,
  maxTimeoutSeconds: 60,
  extra: {},
};
const payment = {
  payload: { authorization: { nonce: NONCE, validBefore: "1060" } },
  requirements,
  payer: alice.address,
  since: 1000,
};

/** A chain of a block every two seconds, the first at 0, in which one transaction has these transfers after its use. */
function chain({ head, at, transfers = [TREASURY] }: { head: number; at?: number; transfers?: string[] }) {
  const asked: string[] = [];
  const log = (logIndex: number, topics: string[], data: string) => ({
    ...{ address: ASSET, transactionHash: HASH, logIndex: quantity(logIndex), topics, data },
  });
  const mark = log(5, [USED, topic(alice.address), NONCE], "0x");
  const moves = transfers.map((to, n) => log(6 + n, [TRANSFER, topic(alice.address), topic(to)], quantity(1000)));
  const rpc: Rpc = async (method, params) => {
    asked.push(method);
    if (method === "eth_getBlockByNumber") {
      const number = params[0] === "latest" ? head : Number(params[0]);
      return { number: quantity(number), hash: HASH, timestamp: quantity(number * 2) };
    }
    if (method === "eth_call") return `0x${(at === undefined ? "0" : "1").padStart(64, "0")}`;
    if (method === "eth_getTransactionReceipt") return { status: "0x1", logs: [mark, ...moves] };
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
    if (Number(toBlock) - Number(fromBlock) >= 5000) throw new Error("the range is too long");
    return at !== undefined && Number(fromBlock) <= at && at <= Number(toBlock) ? [mark] : [];
  };
  return { rpc, asked };
}

describe("an authorization on chain", () => {
  it("is found however many blocks ago it was used", async () => {
    const { rpc } = chain({ head: 40_000, at: 505 });
    expect(await findAuthorization(rpc, payment)).toEqual({ kind: "paid", transaction: HASH, proof: `${HASH}:6` });
  });

  it("is not looked for before it was taken", async () => {
    const { rpc, asked } = chain({ head: 600, at: 700 });
    expect(await findAuthorization(rpc, payment)).toEqual({ kind: "unreadable" });
    expect(asked.filter((method) => method === "eth_getLogs")).toHaveLength(1);
  });

  it("is paid by the transfer that follows its use, and by no other of the same transaction", async () => {
    const { rpc } = chain({ head: 600, at: 505, transfers: [alice.address, TREASURY] });
    expect(await findAuthorization(rpc, payment)).toEqual({ kind: "cancelled" });
  });

  it("may still come until a block is later than it lives, and never after", async () => {
    expect(await findAuthorization(chain({ head: 529 }).rpc, payment)).toEqual({ kind: "absent" });
    expect(await findAuthorization(chain({ head: 530 }).rpc, payment)).toEqual({ kind: "cancelled" });
  });
});
