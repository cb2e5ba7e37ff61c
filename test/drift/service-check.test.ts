import { expect, it } from "vitest";
import { differenceIn } from "../../src/drift/service-check.js";
import { CapabilityError } from "../../src/errors.js";
import { FormatError } from "../../src/upstream/format-error.js";

const refused = (cause: unknown) => new CapabilityError("UPSTREAM_SCHEMA", "unknown format", { cause });

it("names the place that our reader refused by its field, not by the words of the error", () => {
  expect(differenceIn(refused(new FormatError("items.0.price", "expected number")))?.path).toBe("items[].price");
  expect(differenceIn(refused(new FormatError("", "expected object")))?.path).toBe("$");
  expect(differenceIn(refused(new Error("items.0.price: expected number")))).toBeUndefined();
});
