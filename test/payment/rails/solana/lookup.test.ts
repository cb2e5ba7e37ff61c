import { describe, expect, it } from "vitest";
import { createRpc, type Rpc } from "../../../../src/payment/rails/rpc.js";
import { solanaRail } from "../../../../src/payment/rails/solana/exact.js";
import { warnOfMissingAccount } from "../../../../src/payment/rails/solana/token.js";
import type { PaymentRequirements } from "../../../../src/payment/x402/wire.js";
import {
  addressOf,
  associatedAccountOf,
  buyer,
  feePayer,
  MEMO_PROGRAM,
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
    status: await rail.lookup({ payload: { transaction: payment }, requirements, payer: addressOf(buyer) }),
    read,
  };
}

describe("a payment on chain", () => {
  it("is found by what its buyer signed, among others with the same memo", async () => {
    const [ours, other] = [payWith("a"), payWith("a", "b")];
    const sent = toBase64(ours);
    const listed = ["other", "gone", "ours"].map((signature) => ({ signature, memo: "[1] a" }));
    const { status, read } = await find(sent, listed, { other: land(other), ours: land(ours) });
    expect(status).toEqual({ kind: "paid", transaction: "ours", proof: "ours" });
    expect(read).toEqual(["other", "gone", "ours"]);
  });

  it("is cancelled where it failed", async () => {
    const ours = payWith("a");
    const sent = toBase64(ours);
    const listed = [{ signature: "ours", memo: "[1] a", err: { InstructionError: [2, { Custom: 1 }] } }];
    expect((await find(sent, listed, { ours: land(ours) })).status).toEqual({ kind: "cancelled" });
  });

  it("is absent where only others are, whose memos are enough to tell", async () => {
    const { status, read } = await find(toBase64(payWith("ours")), [
      { signature: "1", memo: "[5] other" },
      { signature: "2", memo: "[6] others" },
    ]);
    expect(status).toEqual({ kind: "absent" });
    expect(read).toEqual([]);
  });

  it("is read where the node tells no memos", async () => {
    const ours = payWith("a");
    const sent = toBase64(ours);
    expect((await find(sent, [{ signature: "ours" }], { ours: land(ours) })).status.kind).toBe("paid");
  });

  it.each([
    ["too many transactions to read", Array.from({ length: 21 }, (_, i) => ({ signature: String(i) }))],
    ["a full page", Array.from({ length: 200 }, (_, i) => ({ signature: String(i), memo: "[5] other" }))],
  ])("is not whole behind %s", async (_, listed) => {
    expect((await find(toBase64(payWith("ours")), listed)).status).toEqual({ kind: "unreadable" });
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
    expect(await solanaRail({ ...options, rpc }).lookup(payment)).toEqual({ kind: "unreadable" });
    expect(await solanaRail(options).lookup(payment)).toEqual({ kind: "unknown" });
  });
});

describe("a payment that landed, on a node in trouble", () => {
  const ours = payWith("a");
  const sent = toBase64(ours);
  const bytes = land(ours);
  type Answers = Partial<Record<string, (of: unknown, options: Record<string, unknown>) => unknown>>;

  /** Looks it up at a node that works but for these methods, some minutes after it was taken. */
  function lookUp(answers: Answers, payment = sent, told?: string) {
    const works: Answers = {
      getEpochInfo: () => ({ absoluteSlot: 500, blockHeight: 400 }),
      getBlockTime: () => 1_000_500,
      getSignaturesForAddress: () => [{ signature: "ours", err: null, memo: "[1] a", slot: 300, blockTime: 1_000_010 }],
      getTransaction: () => ({ transaction: [bytes, "base64"], meta: { err: null } }),
    };
    const asked: string[] = [];
    const rpc: Rpc = async (method, [of, options]) => {
      asked.push(method);
      return (answers[method] ?? works[method])?.(of, (options ?? {}) as Record<string, unknown>);
    };
    const options = {
      network: SOLANA,
      asset: USDC_MINT,
      payTo: addressOf(treasury),
      feePayer: () => addressOf(feePayer),
    };
    const rail = solanaRail({ ...options, rpc });
    const requirements = rail.requirements(1000n, 60) as PaymentRequirements;
    const taken = { payload: { transaction: payment }, requirements, payer: addressOf(buyer), since: 1_000_000 };
    return { found: rail.lookup(taken, told), asked };
  }
  const fails = () => {
    throw new Error("no such method");
  };
  const paid = { kind: "paid", transaction: "ours", proof: "ours" };

  it.each<[string, Answers]>([
    ["getEpochInfo fails", { getEpochInfo: fails }],
    ["getEpochInfo is nonsense", { getEpochInfo: () => ({ absoluteSlot: "soon" }) }],
    ["getBlockTime fails", { getBlockTime: fails }],
    ["getBlockTime is null, as for slots without a block", { getBlockTime: () => null }],
    ["both fail", { getEpochInfo: fails, getBlockTime: fails }],
    [
      "the node that lists is behind the one that told what is final",
      {
        getSignaturesForAddress: (_, { minContextSlot }) =>
          minContextSlot ? fails() : [{ signature: "ours", err: null, memo: "[1] a" }],
      },
    ],
    [
      "another candidate cannot be read",
      {
        getSignaturesForAddress: () => ["broken", "ours"].map((signature) => ({ signature, err: null, memo: "[1] a" })),
        getTransaction: (of) => (of === "broken" ? fails() : { transaction: [bytes, "base64"] }),
      },
    ],
    [
      "the next page fails",
      {
        getSignaturesForAddress: (_, { before }) =>
          before
            ? fails()
            : Array.from({ length: 200 }, (_, i) => ({
                signature: i === 3 ? "ours" : `${i}`,
                err: null,
                memo: i === 3 ? "[1] a" : "[1] b",
              })),
      },
    ],
  ])("is paid although %s, and absent is nothing then", async (_, answers) => {
    expect(await lookUp(answers).found).toEqual(paid);
    expect((await lookUp(answers, toBase64(payWith("a", "missing"))).found).kind).toBe("unreadable");
  });

  it("is cancelled where the list shows that it failed, whatever else cannot be said", async () => {
    const listed = [{ signature: "ours", err: { InstructionError: [2, "x"] }, memo: "[1] a" }];
    const { found } = lookUp({ getEpochInfo: fails, getSignaturesForAddress: () => listed });
    expect(await found).toEqual({ kind: "cancelled" });
  });

  it("is read directly where the facilitator told its transaction, and searched where that is another", async () => {
    const told = lookUp({}, sent, "ours");
    expect([await told.found, told.asked]).toEqual([paid, ["getTransaction"]]);
    const lie = lookUp(
      { getTransaction: (of) => (of === "ours" ? { transaction: [bytes, "base64"] } : null) },
      sent,
      "lie",
    );
    expect(await lie.found).toEqual(paid);
    const failed = { transaction: [bytes, "base64"], meta: { err: { InstructionError: [2, "x"] } } };
    const listed = [{ signature: "ours", err: {}, memo: "[1] a" }];
    const { found } = lookUp({ getTransaction: () => failed, getSignaturesForAddress: () => listed }, sent, "ours");
    expect(await found).toEqual({ kind: "cancelled" });
  });

  /** Anybody can put a transaction into the list of anybody's token account. */
  const dust = (count: number, text: string | null) =>
    Array.from({ length: count }, (_, i) => ({ signature: `dust ${i}`, err: null, memo: text, blockTime: 1_000_020 }));
  const ourEntry = { signature: "ours", err: null, memo: "[1] a", blockTime: 1_000_010 };
  const dusted = (...listed: object[]): Answers => ({
    getSignaturesForAddress: (of, { before }) => {
      if (of === MEMO_PROGRAM) return [ourEntry];
      const from = before ? listed.findIndex((entry) => (entry as typeof ourEntry).signature === before) + 1 : 0;
      return listed.slice(from, from + 200);
    },
    getTransaction: (of) => ({ transaction: [of === "ours" ? bytes : land(payWith("a", "dust")), "base64"] }),
  });

  it.each([
    ["without a memo", null],
    ["with a memo of their own", "[4] dust"],
    ["with a copy of its memo, later than it", "[1] a"],
  ])("is not buried by dust %s", async (_, text) => {
    const { found, asked } = lookUp(dusted(...dust(1500, text), ourEntry));
    expect(await found).toEqual(paid);
    expect(asked.filter((method) => method === "getTransaction").length).toBeLessThanOrEqual(20);
  });

  it("that never came is known to be over although dust without memos is in the way", async () => {
    expect((await lookUp(dusted(...dust(105, null)), toBase64(payWith("missing"))).found).kind).toBe("cancelled");
  });

  it("is read although strangers' memos are as long as they can be and written in escapes", async () => {
    const long = "\\u0001".repeat(1100);
    const rows = Array.from({ length: 199 }, (_, i) => `{"signature":"${i}","err":null,"memo":"[1100] ${long}"}`);
    const page = `{"jsonrpc":"2.0","id":1,"result":[${rows.join()},${JSON.stringify(ourEntry)}]}`;
    const rpc = createRpc("https://node.test", async () => new Response(page));
    expect(await rpc("getSignaturesForAddress", [])).toHaveLength(200);
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
