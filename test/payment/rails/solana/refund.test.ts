import { createHash } from "node:crypto";
import { VersionedTransaction } from "@solana/web3.js";
import { beforeEach, describe, expect, it } from "vitest";
import { createRpc } from "../../../../src/payment/rails/rpc.js";
import { solanaRail } from "../../../../src/payment/rails/solana/exact.js";
import {
  addressOf,
  associatedAccountOf,
  buyer,
  feePayer,
  memo,
  refundWallet,
  SOLANA,
  stranger,
  toBase64,
  transactionOf,
  transfer,
  treasury,
  USDC_MINT,
  unitLimit,
  unitPrice,
} from "../../../support/solana.js";
import { type FakeSolanaFacilitator, fakeSolanaFacilitator } from "../../../support/solana-facilitator.js";

const MEMO = createHash("sha256").update("return order-1").digest("hex");
const back = { order: "order-1", to: addressOf(buyer), amount: 750n, now: 0 };
const options = { network: SOLANA, asset: USDC_MINT, feePayer: () => addressOf(feePayer) };

let world: FakeSolanaFacilitator;
let rail: ReturnType<typeof solanaRail>;
beforeEach(() => {
  world = fakeSolanaFacilitator();
  const rpc = createRpc("https://api.mainnet-beta.solana.com", world.fetch);
  rail = solanaRail({ ...options, payTo: addressOf(treasury), rpc, refunds: refundWallet });
});

async function sign(change: Partial<typeof back> = {}) {
  const signed = await rail.refund?.({ ...back, ...change });
  if (!signed) throw new Error("the rail pays nothing back");
  return signed;
}

/** Puts a transaction on chain as the facilitator does. */
const land = (transaction: unknown) =>
  world.fetch("https://facilitator.test/settle", {
    method: "POST",
    body: JSON.stringify({
      paymentPayload: { payload: { transaction } },
      paymentRequirements: { network: SOLANA },
    }),
  });

describe("a return", () => {
  it("is what the buyer could have sent: our own check takes it, in the other direction", async () => {
    const { payload, requirements, payer } = await sign();
    expect(payer).toBe(addressOf(refundWallet));
    expect(requirements).toMatchObject({ payTo: addressOf(buyer), amount: "750", asset: USDC_MINT });
    const shop = solanaRail({ ...options, payTo: addressOf(buyer) });
    const checked = await shop.check({ version: 2, scheme: "exact", network: SOLANA, payload }, requirements);
    expect(checked).toMatchObject({ payer: addressOf(refundWallet), proven: true });
  });

  it("carries a memo that follows from its order, and nothing of the order itself", async () => {
    expect((await sign()).requirements.extra).toMatchObject({ feePayer: addressOf(feePayer), memo: MEMO });
    expect((await sign({ order: "order-2" })).requirements.extra.memo).not.toBe(MEMO);
    const { message } = VersionedTransaction.deserialize(
      Buffer.from(String((await sign()).payload.transaction), "base64"),
    );
    expect(message.compiledInstructions.map(({ data }) => Buffer.from(data).toString())).toContain(MEMO);
    expect(message.version).toBe(0);
  });

  it("is not signed for a payer without a token account", async () => {
    world.closeAccount(addressOf(buyer));
    await expect(sign()).rejects.toMatchObject({ name: "NotRefundable" });
  });

  it("is not signed while the chain cannot be read, or nobody is known to pay the fee", async () => {
    const waiting = solanaRail({
      ...options,
      payTo: addressOf(treasury),
      feePayer: () => undefined,
      rpc: createRpc("https://api.mainnet-beta.solana.com", world.fetch),
      refunds: refundWallet,
    });
    await expect(waiting.refund?.(back)).rejects.toThrow("fee payer");
    world.hideChain();
    await expect(sign()).rejects.not.toMatchObject({ name: "NotRefundable" });
    expect(solanaRail({ ...options, payTo: addressOf(treasury), refunds: refundWallet }).refund).toBeUndefined();
  });
});

/** The address that a refund alone mentions. */
function referenceOf({ payload }: Awaited<ReturnType<typeof sign>>): string {
  const { message } = VersionedTransaction.deserialize(Buffer.from(String(payload.transaction), "base64"));
  const [first] = message.compiledInstructions[0]?.accountKeyIndexes ?? [];
  return message.staticAccountKeys[first ?? -1]?.toBase58() ?? "";
}

describe("a return on chain", () => {
  it("may still appear until its last block is final, and never after that", async () => {
    const signed = await sign();
    expect((await rail.lookup(signed)).kind).toBe("absent");
    world.skip(150);
    expect((await rail.lookup(signed)).kind).toBe("absent");
    world.skip(1);
    expect((await rail.lookup(signed)).kind).toBe("cancelled");
    expect(await (await land(signed.payload.transaction)).json()).toMatchObject({ success: false });
  });

  it("is found, also when its blockhash is long over", async () => {
    const signed = await sign();
    await land(signed.payload.transaction);
    const signature = world.landed[0]?.signature;
    const paid = { kind: "paid", transaction: signature, proof: signature };
    expect(await rail.lookup(signed)).toEqual(paid);
    world.skip(1000);
    expect(await rail.lookup(signed)).toEqual(paid);
  });

  it("is found by another one that was signed for the same order, but not by one that failed", async () => {
    const earlier = await sign();
    world.skip(1);
    const later = await sign();
    expect(later.payload).not.toEqual(earlier.payload);
    world.faults.push("fails-on-chain");
    await land(earlier.payload.transaction);
    expect((await rail.lookup(earlier)).kind).toBe("cancelled");
    expect((await rail.lookup(later)).kind).toBe("absent");

    world.skip(1);
    await land((await sign()).payload.transaction);
    expect(await rail.lookup(later)).toMatchObject({ kind: "paid", transaction: world.landed[0]?.signature });
  });

  it("is not taken for done by a stranger's transfer with the same memo", async () => {
    const signed = await sign();
    const refundAccount = associatedAccountOf(addressOf(refundWallet));
    const dust = transfer({ from: stranger, destination: refundAccount, amount: 1n });
    const toBuyer = transfer({ from: stranger, payTo: addressOf(buyer), amount: 750n });
    for (const instruction of [dust, toBuyer]) {
      const instructions = [unitLimit(40_000), unitPrice(), instruction, memo(MEMO)];
      await land(toBase64(transactionOf({ instructions, signers: [stranger] })));
    }
    expect((await rail.lookup(signed)).kind).toBe("absent");
    world.skip(151);
    expect((await rail.lookup(signed)).kind).toBe("cancelled");
  });

  it("is found behind pages of others, by a node that is not behind the one that told what is final", async () => {
    const signed = await sign();
    await land(signed.payload.transaction);
    const [ours] = world.landed;
    const asked: unknown[] = [];
    const others = Array.from({ length: 450 }, (_, i) => ({ signature: `other-${i}`, err: null, memo: "[5] other" }));
    const all = [...others, { signature: ours?.signature ?? "", err: null, memo: `[64] ${MEMO}` }];
    const paged = solanaRail({
      ...options,
      payTo: addressOf(treasury),
      rpc: async (method, [of, how]) => {
        if (method === "getEpochInfo") return { absoluteSlot: 77, blockHeight: 2000 };
        if (method === "getTransaction") return { transaction: [ours?.transaction, "base64"] };
        asked.push([of, how]);
        const { before, limit } = how as { before?: string; limit: number };
        const at = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
        return all.slice(at, at + limit);
      },
    });
    expect(await paged.lookup(signed)).toMatchObject({ kind: "paid", transaction: ours?.signature });
    const account = referenceOf(signed);
    expect(asked).toEqual([
      [account, { limit: 200, commitment: "confirmed", minContextSlot: 77 }],
      [account, { limit: 200, commitment: "confirmed", minContextSlot: 77, before: "other-199" }],
      [account, { limit: 200, commitment: "confirmed", minContextSlot: 77, before: "other-399" }],
    ]);
  });

  it("is looked for among what came after it was signed: what the host has sent there before does not count", async () => {
    for (let i = 0; i < 101; i++) {
      const topUp = transfer({ from: stranger, payTo: addressOf(refundWallet), amount: BigInt(i + 1) });
      await land(toBase64(transactionOf({ instructions: [unitLimit(), unitPrice(), topUp], signers: [stranger] })));
    }
    world.skip(1);
    const signed = await sign();
    expect((await rail.lookup(signed)).kind).toBe("absent");
    await land(signed.payload.transaction);
    expect((await rail.lookup(signed)).kind).toBe("paid");
  });

  it("is not given up while a listed transaction cannot be read, or the chain tells nothing", async () => {
    const signed = await sign();
    const unreadable = solanaRail({
      ...options,
      payTo: addressOf(treasury),
      rpc: async (method) => {
        if (method === "getEpochInfo") return { absoluteSlot: 5000, blockHeight: 5000 };
        if (method === "getTransaction") return null;
        return [{ signature: "new", err: null, memo: `[64] ${MEMO}` }];
      },
    });
    expect((await unreadable.lookup(signed)).kind).toBe("absent");
    world.hideChain();
    expect((await rail.lookup(signed)).kind).toBe("unreadable");
  });

  const dust = (count: number, text?: string) => world.dust(addressOf(refundWallet), count, text);

  it.each([
    ["without a memo", undefined],
    ["with its memo", MEMO],
  ])("is not buried by zero-amount transfers that mention the wallet's token account, %s", async (_, text) => {
    const signed = await sign();
    dust(205, text);
    expect((await rail.lookup(signed)).kind).toBe("absent");
    await land(signed.payload.transaction);
    const { signature } = world.landed[0] ?? {};
    dust(205, text);
    expect(await rail.lookup(signed)).toMatchObject({ kind: "paid", transaction: signature });
    const other = await sign({ order: "order-2" });
    world.skip(151);
    dust(205, text);
    expect((await rail.lookup(other)).kind).toBe("cancelled");
  });

  it("has an address of its own that nobody knows who does not hold the wallet's key", async () => {
    const references = [await sign(), await sign({ order: "order-2" })].map(referenceOf);
    expect(new Set(references).size).toBe(2);
    world.skip(1);
    expect(referenceOf(await sign())).toBe(references[0]);
    const rpc = createRpc("https://api.mainnet-beta.solana.com", world.fetch);
    const another = solanaRail({ ...options, payTo: addressOf(treasury), rpc, refunds: stranger });
    const signed = await another.refund?.(back);
    if (!signed) throw new Error("the rail pays nothing back");
    expect(references).not.toContain(referenceOf(signed));
  });

  it("that was signed by an older release is not buried by what is later than its life", async () => {
    const signed = await sign();
    const { extra } = signed.requirements;
    const instructions = [
      unitLimit(),
      unitPrice(),
      transfer({ from: refundWallet, amount: 750n, payTo: back.to }),
      memo(MEMO),
    ];
    const old = transactionOf({ instructions, signers: [refundWallet] });
    const kept = {
      ...signed,
      payload: { transaction: toBase64(old) },
      requirements: { ...signed.requirements, extra },
    };
    world.skip(151);
    dust(205);
    expect((await rail.lookup(kept)).kind).toBe("cancelled");
  });

  it("is paid where the node lists it, whatever else the node cannot say", async () => {
    const signed = await sign();
    await land(signed.payload.transaction);
    const reads = createRpc("https://api.mainnet-beta.solana.com", world.fetch);
    const rpc: typeof reads = async (method, params) => {
      if (method === "getEpochInfo") throw new Error("no such method");
      return reads(method, params);
    };
    const partial = solanaRail({ ...options, payTo: addressOf(treasury), rpc });
    expect((await partial.lookup(signed)).kind).toBe("paid");
    world.landed.splice(0);
    expect((await partial.lookup(signed)).kind).toBe("unreadable");
  });
});
