/** Jobs by each way to pay: the Machine Payments Protocol, credit that a wallet has left, and a signature up to an amount. */
import { Challenge, Credential } from "mppx";
import { keccak256, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { billedByUsage } from "../support/billed-by-usage.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { NETWORK } from "../support/shop.js";
import { signUpto, uptoFacilitator } from "../support/upto.js";
import { mallory, quoteOf, sign, TREASURY, toHeader } from "../support/wallets.js";
import { ASYNC, held, type Job, open, WORK } from "./job-shop.js";

const MODEL = "/test/model?n=1";

/** A signature of the Machine Payments Protocol for the endpoint's challenge. */
async function mppOf({ get, clock }: ReturnType<typeof open>) {
  const response = await get(WORK);
  const [terms] = quoteOf(response).accepts;
  if (!terms) throw new Error("nothing offered");
  const challenge = Challenge.fromResponse(response);
  const nonce = keccak256(toHex(challenge.id + challenge.realm));
  const { payload } = await sign(terms, { now: clock.seconds(), authorization: { nonce } });
  const sent = { type: "authorization" as const, ...payload.authorization, signature: payload.signature };
  return { authorization: Credential.serialize({ challenge, payload: sent }) };
}

describe("JOB-30 a job paid by the Machine Payments Protocol", () => {
  it("is accepted, charged at its end, and the same one when it is asked for again", async () => {
    const shop = open();
    const headers = await mppOf(shop);
    const work = held();
    shop.behaviours.push(work.run);
    const answer = await shop.get(WORK, { ...headers, ...ASYNC });
    expect(answer.status).toBe(202);
    const { id } = (await answer.json()) as Job;
    expect(shop.facilitator.asked("settle")).toBe(0);
    expect((await shop.take(headers)).id).toBe(id);
    work.letGo();
    expect(await shop.ended(id)).toMatchObject({
      state: "done",
      costUsd: "0.001",
      result: { meta: { caller: "paid" } },
    });
    expect((await shop.take(headers)).id).toBe(id);
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("is nobody else's, who read its authorization on the chain and asks with another challenge", async () => {
    const shop = open();
    const { id } = await shop.take(await mppOf(shop));
    const done = await shop.ended(id);
    const credential = Credential.deserialize((await mppOf(shop)).authorization);
    const other = Challenge.fromResponse(await shop.get(WORK));
    const stranger = {
      authorization: Credential.serialize({ ...credential, challenge: { ...other, id: `${other.id}x` } }),
    };
    const answer = await shop.get(WORK, { ...stranger, ...ASYNC });
    expect([done.state, answer.status]).toEqual(["done", 402]);
    expect(JSON.stringify(await answer.json())).not.toContain(id);
  });

  it("is not charged when it is cancelled", async () => {
    const shop = open();
    const work = held();
    shop.behaviours.push(work.run);
    const { id } = await shop.take(await mppOf(shop));
    await work.begun;
    expect(await shop.cancelled(id)).toMatchObject({ state: "cancelled", costUsd: "0" });
    expect(shop.facilitator.settled.length).toBe(0);
  });
});

describe("JOB-31 a job of a wallet that has credit", () => {
  function usage() {
    const capability = billedByUsage(({ meter }) => {
      meter.add("0.005");
      return undefined;
    });
    return open({
      capabilities: [capability],
      payment: {
        treasury: { [NETWORK]: TREASURY },
        facilitator: { url: FACILITATOR_URL },
      },
    });
  }

  it("is paid by that credit, settles nothing, and is the same job for a copy", async () => {
    const shop = usage();
    for (let i = 0; i < 2; i++) await shop.get(MODEL, await shop.paid(MODEL));
    expect(shop.facilitator.asked("settle")).toBe(2);
    const headers = await shop.paid(MODEL);
    const { id } = await shop.take(headers, MODEL);
    const done = await shop.ended(id);
    expect(done).toMatchObject({ state: "done", costUsd: "0.005" });
    expect(done.result).toMatchObject({
      meta: { usage: { creditUsedUsd: "0.005", settledUsd: "0", method: "credit" } },
    });
    expect((await shop.take(headers, MODEL)).id).toBe(id);
    expect(shop.facilitator.asked("settle")).toBe(2);
    const { creditUsedUsd, earnedUsd } = (await shop.handle.ledger({ from: "2026-01-01", to: "2026-12-31" })).total;
    expect([creditUsedUsd, earnedUsd]).toEqual(["0.005", "0.015"]);
  });
});

describe("JOB-32 a job paid up to an amount", () => {
  async function upto(work: Parameters<typeof billedByUsage>[0]) {
    const facilitator = uptoFacilitator();
    const shop = open({
      capabilities: [billedByUsage(work)],
      facilitator,
      clock: fakeClock(new Date().toISOString()),
      payment: {
        treasury: { [NETWORK]: TREASURY },
        facilitator: { url: FACILITATOR_URL },
        schemes: ["exact", "upto"],
        refunds: { [NETWORK]: mallory },
      },
    });
    // The facilitator is asked in the background for what it supports.
    await new Promise((resolve) => setImmediate(resolve));
    const terms = quoteOf(await shop.get(MODEL)).accepts.find(({ scheme }) => scheme === "upto");
    if (!terms) throw new Error("no upto offer");
    const payment = await signUpto({ ...terms });
    const headers = { "payment-signature": toHeader(payment as never), "idempotency-key": "the-very-same-purchase" };
    const amounts = () =>
      facilitator.uptoCalls.filter(({ path }) => path === "settle").map(({ body }) => body.paymentRequirements.amount);
    return { ...shop, headers, amounts };
  }

  it("is charged what it used, once, and is the same one when it is asked for again", async () => {
    let runs = 0;
    const shop = await upto(({ meter }) => {
      meter.add("0.005");
      return ++runs;
    });
    const { id } = await shop.take(shop.headers, MODEL);
    expect(await shop.ended(id)).toMatchObject({ state: "done", costUsd: "0.005" });
    expect((await shop.take(shop.headers, MODEL)).id).toBe(id);
    expect([runs, shop.amounts()]).toEqual([1, ["5000"]]);
  });

  it("is charged nothing when its work fails", async () => {
    const shop = await upto(({ meter }) => {
      meter.add("0.005");
      throw new Error("broken");
    });
    const { id } = await shop.take(shop.headers, MODEL);
    expect(await shop.ended(id)).toMatchObject({ state: "failed", costUsd: "0" });
    expect(shop.amounts()).toEqual([]);
  });
});
