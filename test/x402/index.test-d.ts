import { expectTypeOf, test } from "vitest";
import type { Rail } from "../../src/payment/index.js";
import {
  type EvmRailOptions,
  evmRail,
  type Micros,
  multiply,
  type SolanaRailOptions,
  solanaRail,
  type UptoRailOptions,
  uptoRail,
} from "../../src/x402/index.js";

test("each rail takes its own options and is a rail like the others", () => {
  expectTypeOf(evmRail).parameters.toEqualTypeOf<[options: EvmRailOptions]>();
  expectTypeOf(uptoRail).parameter(0).toEqualTypeOf<UptoRailOptions>();
  expectTypeOf(solanaRail).parameters.toEqualTypeOf<[options: SolanaRailOptions]>();
  expectTypeOf(uptoRail).returns.toEqualTypeOf<Rail>();
  expectTypeOf(solanaRail).returns.toEqualTypeOf<Rail>();
});

test("money is multiplied as money", () => {
  expectTypeOf(multiply).parameters.toEqualTypeOf<[amount: Micros, factor: number]>();
  expectTypeOf(multiply).returns.toEqualTypeOf<Micros>();
  // @ts-expect-error a price in floating point
  multiply(0.01, 2);
});
