import { describe, expect, it } from "vitest";
import { barcodeGenerate } from "../../../src/capabilities/barcode/index.js";
import { paymentQr } from "../../../src/capabilities/payment/index.js";

type Input = Parameters<typeof paymentQr>[0];

async function ask(input: Input) {
  const { items } = await paymentQr(input);
  const [item] = items;
  if (!item) throw new Error("no item");
  return item;
}

const BIEL = {
  name: "Robert Schneider AG",
  street: "Rue du Lac",
  houseNumber: "1268",
  postalCode: "2501",
  city: "Biel",
  country: "CH",
};
const CREDITOR_LINES = "S\nRobert Schneider AG\nRue du Lac\n1268\n2501\nBiel\nCH\n\n\n\n\n\n\n\n";

/** The texts of SwissQRBill's own tests (MIT), commit 64a4cc5. */
const SAMPLES = [
  `SPC\n0200\n1\nCH5800791123000889012\n${CREDITOR_LINES}3949.75\nCHF\nS\nPia Rutschmann\nMarktgasse\n28\n9400\nRorschach\nCH\nNON\n\nBill no. 3139 for gardening work and disposal of waste material\nEPD`,
  `SPC\n0200\n1\nCH4431999123000889012\n${CREDITOR_LINES}1949.75\nCHF\nS\nPia-Maria Rutschmann-Schnyder\nGrosse Marktgasse\n28\n9400\nRorschach\nCH\nQRR\n210000000003139471430009017\nOrder dated 18.06.2020\nEPD\n//S1/01/20170309/11/10201409/20/14000000/22/36958/30/CH106017086/40/1020/41/3010\nUV;UltraPay005;12345\nXY;XYService;54321`,
  "SPC\n0200\n1\nCH3709000000304442225\nS\nSalvation Army Foundation Switzerland\n\n\n3000\nBern\nCH\n\n\n\n\n\n\n\n\nCHF\n\n\n\n\n\n\n\nNON\n\nDonnation to the Winterfest campaign\nEPD",
  `SPC\n0200\n1\nCH5800791123000889012\n${CREDITOR_LINES}199.95\nCHF\nK\nPia-Maria Rutschmann-Schnyder\nGrosse Marktgasse 28\n9400 Rorschach\n\n\nCH\nSCOR\nRF18539007547034\n\nEPD`,
  `SPC\n0200\n1\nCH5800791123000889012\n${CREDITOR_LINES}0.50\nCHF\nK\nPia-Maria Rutschmann-Schnyder\nGrosse Marktgasse 28\n9400 Rorschach\n\n\nCH\nSCOR\nRF18539007547034\n\nEPD`,
] as const;

describe("payment.qr", () => {
  it("writes a Swiss QR-bill as SwissQRBill writes it, and reads it again", async () => {
    const written = await ask({
      scheme: "swiss",
      iban: "CH44 3199 9123 0008 8901 2",
      amount: "1949.75",
      currency: "CHF",
      creditor: BIEL,
      debtor: {
        name: "Pia-Maria Rutschmann-Schnyder",
        street: "Grosse Marktgasse",
        houseNumber: "28",
        postalCode: "9400",
        city: " Rorschach",
        country: "ch",
      },
      reference: "21 00000 00003 13947 14300 09017",
      message: "Order dated 18.06.2020",
      information: "//S1/01/20170309/11/10201409/20/14000000/22/36958/30/CH106017086/40/1020/41/3010",
      alternativeSchemes: ["UV;UltraPay005;12345", "XY;XYService;54321"],
    });
    expect(written).toMatchObject({ valid: true, text: SAMPLES[1], referenceType: "QRR", errors: [] });
    expect(await ask({ text: written.text ?? "" })).toEqual(written);
  });

  it("writes and reads a SEPA transfer", async () => {
    const written = await ask({
      scheme: "epc",
      iban: "DE89 3704 0044 0532 0130 00",
      bic: "COBADEFFXXX",
      amount: "12.3",
      creditor: { name: "Müller GmbH" },
      purpose: "gdds",
      reference: "RF18 5390 0754 7034",
      information: "Danke",
    });
    expect(written).toMatchObject({
      scheme: "epc",
      valid: true,
      text: "BCD\n002\n1\nSCT\nCOBADEFFXXX\nMüller GmbH\nDE89370400440532013000\nEUR12.30\nGDDS\nRF18539007547034\n\nDanke",
      currency: "EUR",
    });
    expect(await ask({ text: written.text ?? "" })).toEqual(written);
  });

  it("has its picture drawn by barcode.generate", async () => {
    const { text } = await ask({ scheme: "epc", iban: "DE89370400440532013000", creditor: { name: "A" } });
    expect(text).toBe("BCD\n002\n1\nSCT\n\nA\nDE89370400440532013000");
    const drawn = await barcodeGenerate({ data: { type: "text", text: text ?? "" }, errorCorrection: "M" });
    expect(drawn.contentType).toBe("image/svg+xml");
  });

  const SEPARATED = SAMPLES.flatMap((text, at) =>
    ["\n", "\r\n", "\r"].flatMap((end) =>
      [false, true].map((more) => [at + 1, JSON.stringify(end), end, more, text] as const),
    ),
  );
  it.each(SEPARATED)("reads sample %d with line ends %s", async (number, _end, end, more, text) => {
    const read = await ask({ text: text.replaceAll("\n", end) + (more ? end : "") });
    const { text: _read, ...plain } = await ask({ text });
    expect(read).toMatchObject(plain);
    expect(read).toMatchObject({ scheme: "swiss", valid: true, errors: [], creditor: { country: "CH" } });
    expect(read.amount).toBe(["3949.75", "1949.75", null, "199.95", "0.50"][number - 1]);
    expect(read.referenceType).toBe(["NON", "QRR", "NON", "SCOR", "SCOR"][number - 1]);
  });

  it("keeps the two lines of a combined address", async () => {
    expect((await ask({ text: SAMPLES[3] })).debtor).toEqual({
      addressType: "combined",
      name: "Pia-Maria Rutschmann-Schnyder",
      ...{ street: null, houseNumber: null, postalCode: null, city: null, country: "CH" },
      addressLine1: "Grosse Marktgasse 28",
      addressLine2: "9400 Rorschach",
    });
  });

  it.each([
    ["garbage", "qrText", "data_structure_invalid"],
    ["SPC\r\n0100\r\n\r\n\r\n", "qrText", "data_structure_invalid"],
    [`SPC1\r\n0200${"\r\n".repeat(30)}`, "qrText", "data_structure_invalid"],
    [`SPC\r\n0101${"\r\n".repeat(29)}`, "version", "version_unsupported"],
    [`SPC\r\n020${"\r\n".repeat(29)}`, "version", "version_unsupported"],
    [`SPC\r\n020f${"\r\n".repeat(29)}`, "version", "version_unsupported"],
    [`SPC\r\n0200\r\n0${"\r\n".repeat(28)}`, "codingType", "coding_type_unsupported"],
    [SAMPLES[0].replace("3949.75", "1239d49.75"), "amount", "number_invalid"],
    [SAMPLES[0].replace("EPD", "E_P"), "trailer", "data_structure_invalid"],
    [SAMPLES[3].replace("SCOR", "XXXX"), "referenceType", "ref_type_invalid"],
    [SAMPLES[0].replace("CH58", "CH59"), "iban", "account_iban_invalid"],
    [SAMPLES[0].replace("CH5800791123000889012", "DE89370400440532013000"), "iban", "account_iban_not_from_ch_or_li"],
    [SAMPLES[0].replace("3949.75", "-1"), "amount", "amount_outside_valid_range"],
    [SAMPLES[0].replace("3949.75", "1000000000"), "amount", "amount_outside_valid_range"],
    [SAMPLES[0].replace("CHF", "USD"), "currency", "currency_not_chf_or_eur"],
    [
      SAMPLES[0].replace("NON\n\n", "QRR\n210000000003139471430009017\n"),
      "reference",
      "qr_ref_invalid_use_for_non_qr_iban",
    ],
    [SAMPLES[1].replace("QRR\n210000000003139471430009017", "NON\n"), "reference", "qr_ref_missing"],
    [
      SAMPLES[1].replace("QRR\n210000000003139471430009017", "SCOR\nRF18539007547034"),
      "reference",
      "cred_ref_invalid_use_for_qr_iban",
    ],
    [SAMPLES[1].replace("009017", "009018"), "reference", "ref_invalid"],
    [SAMPLES[1].replace("//S1", "S1"), "information", "bill_info_invalid"],
    [SAMPLES[0].replace("2501\nBiel", "2501\n"), "creditor.city", "field_value_missing"],
    [SAMPLES[0].replace("Biel\nCH", "Biel\nCHE"), "creditor.country", "country_code_invalid"],
    ["BCD\n002\n1\nSCT\n\nA\nDE89370400440532013001", "iban", "account_iban_invalid"],
    ["BCD\n001\n1\nSCT\n\nA\nDE89370400440532013000", "bic", "field_value_missing"],
    ["BCD\n002\n1\nSCT\n\nA\nDE89370400440532013000\nUSD1", "currency", "currency_not_eur"],
    ["BCD\n002\n1\nSCT\n\nA\nDE89370400440532013000\nEUR0", "amount", "amount_outside_valid_range"],
    ["BCD\n002\n1\nSCT\n\nA\nDE89370400440532013000\nEUR1,5", "amount", "number_invalid"],
    ["BCD\n002\n1\nSCT\n\nA\nDE89370400440532013000\nEUR1\n\nRF19539007547034", "reference", "ref_invalid"],
    ["BCD\n003\n1\nSCT\n\nA\nDE89370400440532013000", "version", "version_unsupported"],
    ["BCD\n002", "qrText", "data_structure_invalid"],
  ])("answers of %j that it is wrong", async (text, field, code) => {
    const { valid, errors } = await ask({ text });
    expect(valid).toBe(false);
    expect(errors).toContainEqual({ field, code });
  });

  it("ignores the minor version", async () => {
    expect(await ask({ text: SAMPLES[0].replace("\n0200\n", "\n0201\n") })).toMatchObject({
      valid: true,
      version: "0201",
    });
  });

  it("tells what cannot be written, and gives no text", async () => {
    const input: Input = { scheme: "swiss", iban: "CH5800791123000889012", currency: "CHF", creditor: { name: "A" } };
    expect(await ask(input)).toMatchObject({
      valid: false,
      text: null,
      errors: ["postalCode", "city", "country"].map((field) => ({
        field: `creditor.${field}`,
        code: "field_value_missing",
      })),
    });
    expect(await ask({ ...input, creditor: { ...BIEL, city: "B".repeat(36) } })).toMatchObject({
      errors: [{ field: "creditor.city", code: "field_value_too_long" }],
    });
    expect(await ask({ ...input, creditor: BIEL, message: "漢" })).toMatchObject({
      errors: [{ field: "message", code: "unsupported_characters" }],
    });
    expect(
      await ask({
        scheme: "epc",
        iban: "DE89370400440532013000",
        creditor: { name: "ü".repeat(70) },
        message: "ü".repeat(140),
      }),
    ).toMatchObject({ valid: false, errors: [{ field: "qrText", code: "field_value_too_long" }] });
  });

  const swiss = { scheme: "swiss", iban: "CH5800791123000889012", currency: "CHF", creditor: BIEL } as const;
  it.each([
    [{}, "text"],
    [{ text: "" }, "text"],
    [{ text: " \n" }, "text"],
    [{ text: "S".repeat(1001) }, "text"],
    [{ text: "SPC", scheme: "swiss" }, "scheme"],
    [{ ...swiss, iban: undefined }, "iban"],
    [{ ...swiss, creditor: undefined }, "creditor"],
    [{ ...swiss, currency: undefined }, "currency"],
    [{ ...swiss, bic: "COBADEFF" }, "bic"],
    [{ scheme: "epc", iban: "DE89370400440532013000", creditor: { name: "A" }, debtor: BIEL }, "debtor"],
    [{ ...swiss, amount: "0.00" }, "amount"],
    [{ ...swiss, amount: "1e3" }, "amount"],
    [{ ...swiss, amount: "1.234" }, "amount"],
    [{ ...swiss, amount: "1000000000.00" }, "amount"],
    [{ ...swiss, currency: "francs" }, "currency"],
    [{ ...swiss, message: "two\nlines" }, "message"],
    [{ ...swiss, creditor: { ...BIEL, name: "A\rEPD" } }, "creditor.name"],
    [{ ...swiss, alternativeSchemes: ["a", "b", "c"] }, "alternativeSchemes"],
    [{ scheme: "zengin" }, "scheme"],
  ])("refuses %j at %s", async (input, path) => {
    await expect(paymentQr(input as Input)).rejects.toMatchObject({ status: 400, issues: [{ path }] });
  });
});
