import { expect, it } from "vitest";
import { isAwaitingWork, isEnded, parseRecord } from "../../src/payment/record/record.js";

const requirements = { scheme: "exact", network: "eip155:8453", asset: "0xa", amount: "1000", payTo: "0xb" };
const facts = {
  ...{ id: "eip155:8453:0xa:0x1", requestId: "r", fingerprint: "test.work 00", signatureHash: "s", secretHash: "t" },
  ...{ leaseUntil: 1_800_000_000_000, validBefore: 1_800_000_600, attempts: 1 },
  payment: { payload: {}, requirements, payer: "0xc", paidFor: { endpoint: "test.work", url: "u" }, since: 1 },
};
const receipt = { success: true, transaction: "0xd", network: "eip155:8453", payer: "0xc", amount: "1000" };
const refused = { success: false, transaction: "", network: "eip155:8453", payer: "0xc", errorReason: "timeout" };
const settled = { ...facts, state: "settled", settledAt: 1, receipt, leaseUntil: 0 };
const refund = { amount: "1000", state: "owed", attempts: 0 };
const failure = { code: "ANSWER_NOT_KEPT", message: "not kept" };
const credit = { id: "k", used: "10", captured: false };

/** Records as release 0.1.0 wrote them. */
const STORED: Record<string, Record<string, unknown>> = {
  "a claim": { ...facts, state: "running", attempts: 0 },
  "a claim to be paid first": { ...facts, state: "running", prepaid: true, covered: "10", attempts: 0 },
  "a saved reply": { ...facts, state: "settling", outcome: "{}", credit, refund: { ...refund, amount: "10" } },
  "a saved reply of which nobody knows": {
    ...{ ...facts, state: "settling", outcome: "{}", receipt: refused, usedBefore: true, attempts: 2 },
    kept: { as: "unclear", size: 2 },
  },
  "a reply that was refused": {
    ...{ ...facts, state: "settling", outcome: "{}", receipt: refused },
    ...{ kept: { as: "refused", size: 2, until: 5 }, credit: { ...credit, freed: true } },
  },
  "a payment before its work": { ...facts, state: "settling", prepaid: true, credit },
  "paid work to be done": { ...settled, prepaid: true, credit, lookAt: 2 },
  "work that credit pays for, to be done": {
    ...{ ...facts, state: "settled", settledAt: 1, prepaid: true },
    ...{ credit: { ...credit, left: "5" }, byCredit: { id: "k", amount: "10" } },
  },
  "an answer": {
    ...settled,
    outcome: "{}",
    booked: true,
    refund: { ...refund, state: "returned", transaction: "0xe" },
  },
  "an answer with a token of credit": {
    ...settled,
    outcome: "{}",
    refund: { ...refund, state: "credited", token: "c" },
  },
  "an answer that is not kept": { ...settled, failure, refund },
  "work that failed": { ...settled, prepaid: true, failure: { code: "UPSTREAM_ERROR", message: "down" }, refund },
  "work that broke off": { ...settled, prepaid: true, refund },
  "a free answer": { ...facts, state: "settled", settledAt: 1, outcome: "{}", booked: true },
  "an answer for credit alone": { ...facts, state: "settled", settledAt: 1, outcome: "{}", credit },
  "a free answer that is not kept": { ...facts, state: "settled", settledAt: 1, failure },
  "a settlement that nobody can tell of": { ...facts, state: "settled", prepaid: true, receipt: refused, failure },
};

/** What this release adds to those of a settled payment. */
const STAGE: Record<string, string> = {
  "paid work to be done": "awaiting-work",
  "work that credit pays for, to be done": "awaiting-work-on-credit",
  "an answer": "answered",
  "an answer with a token of credit": "answered",
  "an answer that is not kept": "unanswered",
  "work that failed": "unanswered",
  "work that broke off": "unanswered",
  "a free answer": "answered-free",
  "an answer for credit alone": "answered-free",
  "a free answer that is not kept": "unanswered-free",
  "a settlement that nobody can tell of": "undecided",
};
const isToBeDone = (name: string) => STAGE[name]?.startsWith("awaiting-work") ?? false;

it.each(Object.entries(STORED))("reads %s as release 0.1.0 wrote it", (name, stored) => {
  const record = parseRecord(JSON.parse(JSON.stringify(stored)));
  const stage = stored.state === "settled" ? { stage: STAGE[name] } : {};
  expect(record).toEqual({ ...stored, ...stage, endpoint: "test.work" });
  expect(isAwaitingWork(record)).toBe(name === "paid work to be done");
  expect(isEnded(record)).toBe(record.state === "settled" && !isToBeDone(name));
});

it.each(Object.entries(STORED))("reads %s as this release writes it", (_, stored) => {
  const record = parseRecord(stored);
  expect(parseRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
});

it("reads the endpoint of a record, not the beginning of its fingerprint", () => {
  const renamed = { ...STORED["a claim"], endpoint: "shop.work", fingerprint: "v2:0011" };
  expect(parseRecord(renamed).endpoint).toBe("shop.work");
});

it.each(Object.keys(STAGE))("refuses %s that names another stage", (name) => {
  const stages = new Set(Object.values(STAGE));
  stages.delete(STAGE[name] as string);
  for (const stage of stages) expect(() => parseRecord({ ...STORED[name], stage }), stage).toThrow();
});

const DAMAGED: Record<string, Record<string, unknown>> = {
  "a claim with a receipt": { ...STORED["a claim"], receipt },
  "a claim with an answer": { ...STORED["a claim"], outcome: "{}" },
  "a claim that was settled": { ...STORED["a claim"], settledAt: 1 },
  "a settlement of nothing": { ...facts, state: "settling" },
  "a settlement under way with a receipt of money": { ...STORED["a saved reply"], receipt },
  "an answer whose receipt says that no money came": { ...settled, outcome: "{}", receipt: refused },
  "an answer settled in advance, without a receipt": { ...settled, outcome: "{}", prepaid: true, receipt: undefined },
  "an answer with a receipt, settled at no time": { ...settled, outcome: "{}", settledAt: undefined },
  "a refund of what was never paid": { ...STORED["a free answer"], refund },
  "money taken, with neither an answer nor a reason": { ...settled, prepaid: undefined },
  "an answer and its failure": { ...settled, outcome: "{}", failure },
  "no payment": { ...STORED["a claim"], payment: undefined },
  "no state": { ...facts },
  "a state of a later release": { ...facts, state: "refunding" },
  "a stage of a later release": { ...settled, outcome: "{}", stage: "forwarded" },
  "a claim with the stage of an answer": { ...STORED["a claim"], stage: "answered" },
};

it.each(Object.entries(DAMAGED))("refuses a damaged record: %s", (_, stored) => {
  expect(() => parseRecord(JSON.parse(JSON.stringify(stored)))).toThrow();
});
