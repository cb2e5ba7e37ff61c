import { describe, expect, it } from "vitest";
import { validateBatch } from "../../../src/capabilities/validate/index.js";

type Items = Parameters<typeof validateBatch>[0]["items"];

describe("validate.batch", () => {
  it("checks a form of different numbers in one call", async () => {
    const items: Items = [
      { kind: "email", value: "jane.doe@example.com" },
      { kind: "phone", value: "020 7946 0018", region: "gb" },
      { kind: "vat", value: "DE 136695976", country: "de" },
      { kind: "iban", value: "GB29 NWBK 6016 1331 9268 18" },
      { kind: "tax-id", value: "390.533.447-05", country: "BR" },
      { kind: "isin", value: "US0378331006" },
      { kind: "email", value: "jane..doe@example.com" },
      { kind: "iban", value: "BE54 3101 0027 0097", country: "BE" },
    ];
    const { items: found, total } = await validateBatch({ items });
    expect(total).toBe(8);
    expect(found).toEqual([
      { index: 0, kind: "email", valid: true, normalized: "jane.doe@example.com", reason: null },
      { index: 1, kind: "phone", valid: true, normalized: "+442079460018", reason: null },
      { index: 2, kind: "vat", valid: true, normalized: "136695976", reason: null },
      { index: 3, kind: "iban", valid: false, normalized: null, reason: "checksum" },
      { index: 4, kind: "tax-id", valid: true, normalized: "39053344705", reason: null },
      { index: 5, kind: "isin", valid: false, normalized: null, reason: "checksum" },
      { index: 6, kind: "email", valid: false, normalized: null, reason: "err_consecutivedots" },
      { index: 7, kind: "iban", valid: true, normalized: "BE54310100270097", reason: null },
    ]);
  });

  it.each([
    [[], "items"],
    [Array.from({ length: 101 }, () => ({ kind: "luhn", value: "0" })), "items"],
    [
      [
        { kind: "luhn", value: "0" },
        { kind: "shoe-size", value: "42" },
      ],
      "items.1.kind",
    ],
    [[{ kind: "tax-id", value: "42" }], "items.0.country"],
    [[{ kind: "vat", value: "42" }], "items.0.country"],
    [[{ kind: "vat", value: "42", country: "AQ" }], "items.0.country"],
    [[{ kind: "ssn", value: "42", country: "DE" }], "items.0.kind"],
    [[{ kind: "phone", value: "030 1234" }], "items.0.region"],
    [[{ kind: "isin", value: "1".repeat(65) }], "items.0.value"],
    [[{ kind: "isin", value: "" }], "items.0.value"],
  ])("refuses %j", async (items, path) => {
    await expect(validateBatch({ items })).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
  });
});
