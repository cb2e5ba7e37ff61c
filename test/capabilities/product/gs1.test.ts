import { describe, expect, it } from "vitest";
import { productGs1 } from "../../../src/capabilities/product/index.js";

const clock = () => new Date("2026-11-23T00:00:00Z");

async function read(data: string) {
  const { items } = await productGs1({ data }, { clock });
  const [item] = items;
  if (!item) throw new Error("no item");
  return item;
}

describe("product.gs1", () => {
  it("reads a label, and writes it in every form", async () => {
    const { items, meta } = await productGs1({ data: "(01)09521234543213(17)271231(10)ABC/1(3103)001750" }, { clock });
    expect(items).toEqual([
      {
        valid: true,
        elements: [
          { ai: "01", title: "GTIN", value: "09521234543213", fields: { checkDigit: "3" } },
          { ai: "17", title: "USE BY or EXPIRY", value: "271231", fields: { date: "2027-12-31" } },
          { ai: "10", title: "BATCH/LOT", value: "ABC/1", fields: {} },
          { ai: "3103", title: "NET WEIGHT (kg)", value: "001750", fields: { quantity: "1.750", unit: "kg" } },
        ],
        bracketed: "(01)09521234543213(17)271231(10)ABC/1(3103)001750",
        barcodeMessage: "^01095212345432131727123110ABC/1^3103001750",
        digitalLink: "https://id.gs1.org/01/09521234543213/10/ABC%2F1?17=271231&3103=001750",
        humanReadable: ["(01) 09521234543213", "(17) 271231", "(10) ABC/1", "(3103) 001750"],
        errors: [],
        associations: [],
        dictionary: "2026-01-27",
      },
    ]);
    expect(meta).toMatchObject({ method: { engine: "built-in", data: "2026-01-27" } });
  });

  it("gives back what each of its forms says", async () => {
    const data = "(01)09521234543213(10)A(B(21)12%+(99)~".replace("A(B", "A\\(B").replace("~", "x y".replace(" ", "_"));
    const first = await read(data);
    expect(first.valid).toBe(true);
    expect(first.bracketed).toBe(data);
    for (const form of [first.barcodeMessage, first.digitalLink]) {
      const again = await read(form ?? "");
      expect(again.elements.map(({ ai, value }) => [ai, value])).toEqual(
        first.elements.map(({ ai, value }) => [ai, value]),
      );
    }
  });

  it("says what is wrong, where, and goes on with the next element", async () => {
    const { valid, errors, bracketed, digitalLink } = await read("(01)09521234543210(17)271332(10)AB");
    expect({ valid, bracketed, digitalLink }).toEqual({ valid: false, bracketed: null, digitalLink: null });
    expect(errors).toEqual([
      { code: "INCORRECT_CHECK_DIGIT", ai: "01", position: 17 },
      { code: "ILLEGAL_MONTH", ai: "17", position: 24 },
    ]);
  });

  it("judges elements by themselves, and tells companions that are missing", async () => {
    expect(await read("(10)ABC")).toMatchObject({
      valid: true,
      associations: [{ ai: "10", needs: ["01", "02", "03", "8006", "8026"], excludes: [] }],
    });
    expect(await read("(01)09521234543213(37)5")).toMatchObject({
      valid: true,
      associations: [
        { ai: "01", needs: [], excludes: ["37"] },
        { ai: "37", needs: ["00"], excludes: [] },
        { ai: "37", needs: ["02", "8026"], excludes: [] },
      ],
    });
  });

  it("reads scans with GS characters and with a symbology identifier", async () => {
    for (const data of ["]d2010952123454321310A\x1d21B", "\x1d010952123454321310A\x1d21B", "^010952123454321310A^21B"])
      expect(await read(data)).toMatchObject({ valid: true, bracketed: "(01)09521234543213(10)A(21)B" });
    expect(await read("010952123454321310A")).toMatchObject({
      valid: false,
      errors: [{ code: "MISSING_FNC1_IN_FIRST_POSITION", ai: null, position: 0 }],
    });
  });

  it.each([
    ["(17)270200", { date: "2027-02" }],
    ["(17)991231", { date: "1999-12-31" }],
    ["(7007)260301260304", { date: "2026-03-01", until: "2026-03-04" }],
    ["(4324)2611240930", { date: "2026-11-24", time: "09:30" }],
    ["(8008)26112409", { date: "2026-11-24", time: "09" }],
    ["(3922)1299", { amount: "12.99" }],
    ["(3932)97800005", { currency: "978", amount: "0.05" }],
    ["(3941)0125", { percent: "12.5" }],
    ["(423)276756", { countries: ["276", "756"] }],
    ["(422)276", { country: "276" }],
    ["(4331)001850-", { temperature: "-18.50", unit: "°C" }],
    ["(4309)02790858483015297971", { latitude: "-62.0914152", longitude: "-58.4702029" }],
    ["(8006)123456789012310102", { checkDigit: "1", piece: "01", total: "02" }],
    ["(253)1234567890128X9", { key: "1234567890128", serial: "X9", checkDigit: "8" }],
    ["(3363)000042", { quantity: "0.042", unit: "m³" }],
  ])("tells what %s means", async (data, fields) => {
    expect((await read(data)).elements[0]?.fields).toEqual(fields);
  });

  it.each([
    ["", "must be 1 to 4000"],
    ["   ", "must not be blank"],
    ["9".repeat(4001), "must be 1 to 4000"],
  ])("refuses what cannot be judged", async (data, message) => {
    await expect(productGs1({ data })).rejects.toMatchObject({
      status: 400,
      code: "INVALID_INPUT",
      issues: [{ path: "data", message: expect.stringContaining(message) }],
    });
  });

  it.each([
    ["brackets", "(99)A".repeat(800)],
    ["backslashes", `(99)${"\\(".repeat(1990)}`],
    ["separators", "^99A".repeat(1000)],
    ["parameters", `https://a/01/12312312312333?${"99=A&".repeat(750)}`],
    ["slashes", `https://a${"/".repeat(3900)}`],
    ["percent signs", `https://a/01/12312312312333?99=${"%41".repeat(1300)}`],
    ["padding", `(8030)${"=".repeat(3900)}`],
  ])("ends with a verdict for heaps of %s", async (_what, data) => {
    expect(await read(data)).toMatchObject({ valid: false });
  });
});
