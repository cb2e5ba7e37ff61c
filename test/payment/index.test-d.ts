import type { FacilitatorConfig, HTTPFacilitatorClient } from "@x402/core/http";
import { describe, expectTypeOf, it } from "vitest";
import {
  type Accepted,
  accept,
  type CheckedPayment,
  createFacilitatorClient,
  createRails,
  exactRequirements,
  type Facilitator,
  type FacilitatorOptions,
  type PaymentOptions,
  type PaymentToSettle,
  type Rail,
  type RailFamily,
  type Rails,
  type SettleOutcome,
  type VerifyOutcome,
} from "../../src/payment/index.js";
import {
  accountId,
  encodeHeader,
  evmRail,
  familyOf,
  fromMicros,
  type Micros,
  type PaymentPayload,
  PaymentRefused,
  type PaymentRequirements,
  readPayment,
  receiptHeaders,
  type SettleResponse,
  type Supported,
  sameAccount,
  toMicros,
  uptoRequirements,
  version1Body,
  watchSupported,
} from "../../src/x402/index.js";

describe("the pieces of x402", () => {
  it("ask for money in micro-dollars, which no number is", () => {
    expectTypeOf(toMicros("0.01")).toEqualTypeOf<Micros>();
    expectTypeOf(fromMicros).parameter(0).toEqualTypeOf<bigint>();
    expectTypeOf(exactRequirements).toBeCallableWith(new Map(), 1n, { maxTimeoutSeconds: 60, workMs: 0 });
    // @ts-expect-error a price in floating point
    exactRequirements(new Map(), 0.01, { maxTimeoutSeconds: 60, workMs: 0 });
    expectTypeOf(exactRequirements).returns.toEqualTypeOf<PaymentRequirements[]>();
    expectTypeOf(uptoRequirements).returns.toEqualTypeOf<PaymentRequirements[]>();
    expectTypeOf<PaymentRequirements["amount"]>().toBeString();
    expectTypeOf<PaymentRequirements["scheme"]>().toEqualTypeOf<"exact" | "upto" | "batch-settlement">();
  });

  it("read what was presented, and check it against what was asked", () => {
    expectTypeOf(readPayment(new Headers())).toEqualTypeOf<PaymentPayload | undefined>();
    expectTypeOf<PaymentPayload["version"]>().toEqualTypeOf<1 | 2>();
    expectTypeOf(accept).returns.resolves.toEqualTypeOf<Accepted>();
    expectTypeOf<Accepted["checked"]>().toEqualTypeOf<CheckedPayment>();
    expectTypeOf(encodeHeader).returns.toBeString();
    expectTypeOf(receiptHeaders).parameters.toEqualTypeOf<[SettleResponse, 1 | 2]>();
    expectTypeOf(version1Body).returns.toBeObject();
    expectTypeOf<PaymentRefused["code"]>().extract<"PAYMENT_MISMATCH">().toEqualTypeOf<"PAYMENT_MISMATCH">();
    expectTypeOf(PaymentRefused).instance.toExtend<Error>();
  });

  it("ask a facilitator by URL or in this process; a settlement has three ends", () => {
    expectTypeOf(createFacilitatorClient).parameter(0).toEqualTypeOf<FacilitatorOptions | Facilitator>();
    const client = {} as ReturnType<typeof createFacilitatorClient>;
    expectTypeOf(client.verify).returns.resolves.toEqualTypeOf<VerifyOutcome>();
    expectTypeOf(client.settle).parameters.toEqualTypeOf<[PaymentToSettle]>();
    expectTypeOf<SettleOutcome["kind"]>().toEqualTypeOf<"settled" | "refused" | "pending">();
    expectTypeOf(watchSupported).returns.toEqualTypeOf<Supported>();
  });

  it("take a facilitator as the ecosystem's packages give it, without a cast", () => {
    // What `facilitator` and `createFacilitatorConfig()` of `@coinbase/x402` are.
    expectTypeOf<FacilitatorConfig>().toExtend<PaymentOptions["facilitator"]>();
    expectTypeOf<HTTPFacilitatorClient>().toExtend<PaymentOptions["facilitator"]>();
  });

  it("know rails by network, and accounts by CAIP-10", () => {
    expectTypeOf(createRails).parameter(0).toEqualTypeOf<PaymentOptions>();
    expectTypeOf(createRails).returns.toEqualTypeOf<Rails>();
    expectTypeOf<Rails>().toEqualTypeOf<ReadonlyMap<string, Rail>>();
    expectTypeOf(evmRail).returns.toEqualTypeOf<Rail>();
    expectTypeOf(familyOf).returns.toEqualTypeOf<RailFamily | undefined>();
    expectTypeOf(sameAccount).parameters.toEqualTypeOf<[network: string, a: string, b: string]>();
    expectTypeOf(accountId).returns.toBeString();
  });
});
