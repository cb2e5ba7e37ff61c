import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { phoneNormalize } from "../../../src/capabilities/phone/index.js";
import { PHONE_ENGINE } from "../../../src/engines/phone/read-phone.js";
import { pathFromRoot } from "../../support/render-indexes.js";

type Plan = { country: string; callingCode: number } & Record<string, string>;
const read = (path: string) => JSON.parse(readFileSync(pathFromRoot(path), "utf8"));

async function normalize(phone: string, region?: string) {
  const { items } = await phoneNormalize({ phone, ...(region ? { region } : {}) });
  return items[0];
}

describe("phone.normalize", () => {
  it("answers in every usual form", async () => {
    const { items, meta } = await phoneNormalize({ phone: "(0)20 7946-0018 ext. 5", region: "gb" });
    expect(items).toEqual([
      {
        valid: true,
        possible: true,
        reason: null,
        e164: "+442079460018",
        national: "020 7946 0018 x5",
        international: "+44 20 7946 0018 x5",
        rfc3966: "tel:+44-20-7946-0018;ext=5",
        country: "GB",
        callingCode: 44,
        type: "fixed_line",
        extension: "5",
      },
    ]);
    expect(meta).toEqual({ method: PHONE_ENGINE });
  });

  it("reads every example number of Google's table, with its kind of line", async () => {
    const plans: Plan[] = read("test/suites/numbers/example-phones.json");
    const wrong: string[] = [];
    for (const { country, callingCode, ...numbers } of plans)
      for (const [kind, number] of Object.entries(numbers)) {
        const found = await normalize(`+${callingCode}${number}`);
        const type = kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        const types = type === "mobile" || type === "fixed_line" ? [type, "fixed_line_or_mobile"] : [type];
        const isRight = found?.valid && found.callingCode === callingCode && types.includes(found.type ?? "");
        if (!isRight) wrong.push(`${country} ${kind} ${number}`);
      }
    expect(wrong).toEqual([]);
  });

  it.each([
    "+49 30 901820",
    "tel:+49-30-901820",
    "tel:030-901820;phone-context=+49",
    "(+49) 30 901820",
    "＋49 30 901820",
  ])("needs no region for %s", async (phone) => {
    expect(await normalize(phone)).toMatchObject({ valid: true, e164: "+4930901820", country: "DE" });
  });

  it("answers that a number is wrong, and why", async () => {
    expect(await normalize("call me")).toMatchObject({ valid: false, possible: false, reason: "format", e164: null });
    expect(await normalize("+49")).toMatchObject({ valid: false, reason: "format" });
    expect(await normalize("+999 1234567")).toMatchObject({ valid: false, reason: "component" });
    expect(await normalize("2", "US")).toMatchObject({ valid: false, possible: false });
    expect(await normalize("201 555 01", "US")).toMatchObject({ valid: false, possible: false, reason: "length" });
    expect(await normalize("123 555 0123", "US")).toMatchObject({ valid: false, possible: true, reason: "component" });
    expect(await normalize("9".repeat(250), "US")).toMatchObject({ valid: false, reason: "length" });
  });

  it("has no country for numbers that belong to none", async () => {
    expect(await normalize("+800 1234 5678")).toMatchObject({ valid: true, country: null, callingCode: 800 });
  });

  it.each([
    [{ phone: "030 901820" }, "region"],
    [{ phone: "" }, "phone"],
    [{ phone: "  " }, "phone"],
    [{ phone: "1".repeat(251) }, "phone"],
    [{ phone: "030 901820", region: "XX" }, "region"],
  ])("refuses %j", async (input, path) => {
    await expect(phoneNormalize(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
  });

  it("names the version that is installed", () => {
    expect(PHONE_ENGINE.version).toBe(read("node_modules/google-libphonenumber/package.json").version);
  });
});
