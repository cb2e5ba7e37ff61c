import { describe, expect, it } from "vitest";
import type { Rpc } from "../../../../src/payment/rails/rpc.js";
import { solanaRail } from "../../../../src/payment/rails/solana/exact.js";
import { warnOfMissingAccount } from "../../../../src/payment/rails/solana/token.js";
import type { PaymentRequirements } from "../../../../src/payment/x402/wire.js";
import {
  addressOf,
  associatedAccountOf,
  buyer,
  feePayer,
  memo,
  SOLANA,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  toBase64,
  transactionOf,
  transfer,
  treasury,
  USDC_MINT,
  unitLimit,
  unitPrice,
} from "../../../support/solana.js";

/** A transaction as the node shows it once the facilitator has signed it too. */
function land(transaction: ReturnType<typeof transactionOf>): string {
  transaction.sign([feePayer]);
  return toBase64(transaction);
}

const payWith = (...memos: string[]) =>
  transactionOf({ instructions: [unitLimit(), unitPrice(), transfer(), ...memos.map(memo)] });

interface Listed {
  signature: string;
  err?: object | null;
  memo?: string | null;
}

/** Looks up a payment on a chain that lists these transactions and shows these. */
async function find(payment: string, listed: Listed[], shown: Record<string, string> = {}) {
  const read: string[] = [];
  const rpc: Rpc = async (method, [of, options]) => {
    if (method === "getSignaturesForAddress") {
      expect(of).toBe(associatedAccountOf(addressOf(buyer)));
      expect(options).toMatchObject({ commitment: "confirmed" });
      return listed.map((entry) => ({ err: null, memo: null, ...entry }));
    }
    read.push(String(of));
    const transaction = shown[String(of)];
    return transaction === undefined ? null : { transaction: [transaction, "base64"] };
  };
  const options = { network: SOLANA, asset: USDC_MINT, payTo: addressOf(treasury) };
  const rail = solanaRail({ ...options, feePayer: () => addressOf(feePayer), rpc });
  const requirements = rail.requirements(1000n, 60) as PaymentRequirements;
  return {
    sighting: await rail.find({ payload: { transaction: payment }, requirements, payer: addressOf(buyer) }),
    read,
  };
}

describe("a payment on chain", () => {
  it("is found by what its buyer signed, among others with the same memo", async () => {
    const [ours, other] = [payWith("a"), payWith("a", "b")];
    const sent = toBase64(ours);
    const listed = ["other", "gone", "ours"].map((signature) => ({ signature, memo: "[1] a" }));
    const { sighting, read } = await find(sent, listed, { other: land(other), ours: land(ours) });
    expect(sighting).toEqual({ kind: "paid", transaction: "ours", proof: "ours" });
    expect(read).toEqual(["other", "gone", "ours"]);
  });

  it("is cancelled where it failed", async () => {
    const ours = payWith("a");
    const sent = toBase64(ours);
    const listed = [{ signature: "ours", memo: "[1] a", err: { InstructionError: [2, { Custom: 1 }] } }];
    expect((await find(sent, listed, { ours: land(ours) })).sighting).toEqual({ kind: "cancelled" });
  });

  it("is absent where only others are, whose memos are enough to tell", async () => {
    const { sighting, read } = await find(toBase64(payWith("ours")), [
      { signature: "1", memo: "[5] other" },
      { signature: "2", memo: "[6] others" },
    ]);
    expect(sighting).toEqual({ kind: "absent" });
    expect(read).toEqual([]);
  });

  it("is read where the node tells no memos", async () => {
    const ours = payWith("a");
    const sent = toBase64(ours);
    expect((await find(sent, [{ signature: "ours" }], { ours: land(ours) })).sighting.kind).toBe("paid");
  });

  it.each([
    ["too many transactions to read", Array.from({ length: 21 }, (_, i) => ({ signature: String(i) }))],
    ["a full page", Array.from({ length: 200 }, (_, i) => ({ signature: String(i), memo: "[5] other" }))],
  ])("is not whole behind %s", async (_, listed) => {
    expect((await find(toBase64(payWith("ours")), listed)).sighting).toEqual({ kind: "unreadable" });
  });

  it.each<[string, Rpc]>([
    ["is down", () => Promise.reject(new Error("down"))],
    ["answers nonsense", async () => "nonsense"],
    ["answers nonsense later", async (method) => (method === "getTransaction" ? 5 : [{ signature: "1", err: null }])],
  ])("cannot be read where the node %s", async (_, rpc) => {
    const options = {
      network: SOLANA,
      asset: USDC_MINT,
      payTo: addressOf(treasury),
      feePayer: () => addressOf(feePayer),
    };
    const payment = {
      payload: { transaction: toBase64(payWith("a")) },
      requirements: solanaRail(options).requirements(1000n, 60) as PaymentRequirements,
      payer: addressOf(buyer),
    };
    expect(await solanaRail({ ...options, rpc }).find(payment)).toEqual({ kind: "unreadable" });
    expect(await solanaRail(options).find(payment)).toEqual({ kind: "unknown" });
  });
});

describe("a treasury without a token account", () => {
  const holding = { owner: addressOf(treasury), mint: USDC_MINT };
  const accounts = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) =>
    associatedAccountOf(holding.owner, USDC_MINT, program),
  );

  /** What is said about it when the node shows these owners of the mint and of its two possible accounts. */
  async function warnings(owners: (string | null)[] | Error): Promise<string[]> {
    const said: string[] = [];
    const rpc: Rpc = async (method, [addresses]) => {
      expect([method, addresses]).toEqual(["getMultipleAccounts", [USDC_MINT, ...accounts]]);
      if (owners instanceof Error) throw owners;
      return { context: {}, value: owners.map((owner) => owner && { owner, data: ["", "base64"] }) };
    };
    const logger = { debug() {}, info() {}, error() {}, warn: (_: object, message: string) => void said.push(message) };
    await warnOfMissingAccount({ ...holding, option: "payment.treasury" }, rpc, logger);
    return said;
  }

  it("is warned of, by the account's name and how to create it", async () => {
    const [said] = await warnings([TOKEN_PROGRAM, null, null]);
    expect(said).toContain(`payment.treasury: ${holding.owner} has no token account`);
    expect(said).toContain(`Create ${accounts[0]}`);
    expect(said).toContain(`spl-token create-account ${USDC_MINT} --owner ${holding.owner}`);
    expect(await warnings([TOKEN_2022_PROGRAM, null, null])).toEqual([
      expect.stringContaining(`Create ${accounts[1]}`),
    ]);
  });

  it("is nobody's who has one, or when nobody knows", async () => {
    expect(await warnings([TOKEN_PROGRAM, TOKEN_PROGRAM, null])).toEqual([]);
    expect(await warnings([TOKEN_2022_PROGRAM, null, TOKEN_2022_PROGRAM])).toEqual([]);
    expect(await warnings(new Error("down"))).toEqual([]);
  });
});
