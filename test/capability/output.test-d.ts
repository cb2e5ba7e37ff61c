import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import {
  type BinaryResult,
  binary,
  CapabilityError,
  defineCapability,
  type ERROR_CODES,
  type ErrorCode,
  type Input,
  type Issue,
  legacy,
  type Output,
  renamed,
} from "../../src/index.js";

const facts = { summary: "Any.", price: "0.001", source: { provider: "built-in", url: "", license: "MIT" } } as const;
const input = () => z.strictObject({ size: z.int().describe("Any") });

test("a legacy output is what run returns, and a file has its type and its body", () => {
  const plain = defineCapability({
    ...{ ...facts, id: "own.plain", input, example: { size: 1 } },
    output: legacy(() => z.object({ degrees: z.number() })),
    run: ({ size }) => ({ degrees: size }),
  });
  expectTypeOf<Awaited<ReturnType<typeof plain>>>().toEqualTypeOf<{ degrees: number }>();
  const file = defineCapability({
    ...{ ...facts, id: "own.file", input, example: { size: 1 }, output: binary("image/png") },
    run: () => ({ contentType: "image/png", body: new Uint8Array() }),
  });
  expectTypeOf<Awaited<ReturnType<typeof file>>>().toEqualTypeOf<BinaryResult>();
  expectTypeOf<BinaryResult["body"]>().toEqualTypeOf<Uint8Array | string>();
});

test("a renamed capability keeps its input and its result, and has its new id", () => {
  const copy = renamed(convertUnit, "units.convert");
  expectTypeOf(copy.id).toEqualTypeOf<"units.convert">();
  expectTypeOf<Input<typeof copy>>().toEqualTypeOf<Input<typeof convertUnit>>();
  expectTypeOf<Output<typeof copy>>().toEqualTypeOf<Output<typeof convertUnit>>();
  // @ts-expect-error a function that is no capability
  renamed(() => 1, "units.convert");
});

test("an error has a code of the table, and its facts", () => {
  const error = new CapabilityError("NOT_FOUND", "No such row.");
  expectTypeOf(error).toExtend<Error>();
  expectTypeOf(error.code).toEqualTypeOf<ErrorCode>();
  expectTypeOf(error.status).toBeNumber();
  expectTypeOf(error.issues).toEqualTypeOf<Issue[] | undefined>();
  expectTypeOf(error.retryAfter).toEqualTypeOf<number | undefined>();
  expectTypeOf<keyof typeof ERROR_CODES>().toEqualTypeOf<ErrorCode>();
  // @ts-expect-error a code that is not of the table
  new CapabilityError("GONE_FISHING", "Back soon.");
});
