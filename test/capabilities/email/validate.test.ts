import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emailValidate } from "../../../src/capabilities/email/index.js";
import { readAddress } from "../../../src/engines/email/syntax.js";
import { pathFromRoot } from "../../support/render-indexes.js";

async function check(email: string) {
  const { items } = await emailValidate({ email });
  return items[0];
}

const CATEGORIES: Record<string, string> = {
  // Warnings come of asking DNS, which is not asked here.
  ...{ VALID_CATEGORY: "valid", DNSWARN: "valid", RFC5321: "rfc5321", CFWS: "comment", DEPREC: "deprecated" },
  ...{ RFC5322: "rfc5322", ERR: "error" },
};
const SUITE: [number, string, string, string][] = JSON.parse(
  readFileSync(pathFromRoot("test/suites/numbers/isemail.json"), "utf8"),
);
/** The mail servers of .io were asked for this one; without them, it is a domain without a dot. */
const NEEDS_DNS = 5;

describe("email.validate", () => {
  it("says what can be said without sending anything", async () => {
    const { items, meta } = await emailValidate({ email: "Jane.Doe+news+a@GMIAL.com" });
    expect(items).toEqual([
      {
        syntax: "valid",
        valid: true,
        reason: null,
        local: "Jane.Doe+news+a",
        domain: "GMIAL.com",
        asciiDomain: "gmial.com",
        normalized: "Jane.Doe+news+a@gmial.com",
        tags: ["news", "a"],
        role: false,
        smtpUtf8: false,
        free: false,
        disposable: true,
        suggestion: "Jane.Doe+news+a@gmail.com",
        mailboxChecked: false,
      },
    ]);
    expect(meta).toMatchObject({ method: { engine: "built-in", data: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) } });
  });

  it("judges the 164 addresses of is_email as it does", () => {
    const wrong = SUITE.filter(([id, text, category, finding]) => {
      if (id === NEEDS_DNS) return false;
      const found = readAddress(text);
      const isWarning = category === "DNSWARN";
      return found.syntax !== CATEGORIES[category] || found.finding !== (isWarning ? "valid" : finding.toLowerCase());
    });
    expect(wrong).toEqual([]);
    expect(SUITE).toHaveLength(164);
    expect(readAddress("test@io").syntax).toBe("rfc5321");
  });

  it.each([
    ["info@example.com", { role: true }],
    ["postmaster+x@example.com", { role: true }],
    ["jane@gmail.com", { free: true, role: false }],
    ["jane@mailinator.com", { disposable: true }],
    ["jane@mx.mailinator.com", { disposable: true }],
    ["jane@[192.0.2.1]", { syntax: "rfc5321", valid: true, asciiDomain: null, free: false }],
    ["jane@MÜNCHEN.de", { valid: true, domain: "MÜNCHEN.de", asciiDomain: "xn--mnchen-3ya.de" }],
    ["(a)jane@example.com", { syntax: "comment", valid: false, local: "jane", normalized: null }],
  ])("knows of %s: %j", async (email, expected) => {
    expect(await check(email)).toMatchObject(expected);
  });

  it.each([
    ["jörg@example.com", "jörg@example.com"],
    ["δοκιμή@παράδειγμα.δοκιμή", "δοκιμή@xn--hxajbheg2az3al.xn--jxalpdlp"],
    ["用户@例子.广告", "用户@xn--fsqu00a.xn--4rr70v"],
    ["अजय@डाटा.भारत", "अजय@xn--c2bd1gb.xn--h2brj9c"],
    ["квіточка+новини@пошта.укр", "квіточка+новини@xn--80a1acn3a.xn--j1amh"],
    ["jo\u0308rg@example.com", "jörg@example.com"],
    ["😀@example.com", "😀@example.com"],
    ["fa\u200ddi\u200c@example.com", "fa\u200ddi\u200c@example.com"],
  ])("takes %s, as RFC 6531 has it", async (email, normalized) => {
    expect(await check(email)).toMatchObject({ syntax: "valid", valid: true, smtpUtf8: true, normalized });
  });

  it("knows that a domain of other letters needs no extension, and quotation marks may hold them", async () => {
    expect(await check("jane@münchen.de")).toMatchObject({ valid: true, smtpUtf8: false });
    expect(await check('"jörg ü"@example.com')).toMatchObject({ syntax: "rfc5321", smtpUtf8: true });
    expect(await check("jörg+ä@example.com")).toMatchObject({ tags: ["ä"], local: "jörg+ä" });
  });

  it.each([
    ["a blank that is none of ASCII", "jo\u00a0rg@example.com"],
    ["an ideographic blank", "a\u3000b@example.com"],
    ["a character that is not seen", "a\u200bb@example.com"],
    ["a mark that turns the direction", "a\u202eb@example.com"],
    ["a control character", "a\u0085b@example.com"],
    ["half a character", "a\ud83d@example.com"],
    ["a character that is not assigned", "a\u0378@example.com"],
    ["two dots", "jörg..ä@example.com"],
  ])("takes %s for no address", async (_what, email) => {
    expect(await check(email)).toMatchObject({ syntax: "error", valid: false, smtpUtf8: null });
  });

  it("counts octets, not letters", async () => {
    expect(await check(`${"ä".repeat(32)}@example.com`)).toMatchObject({ valid: true });
    expect(await check(`${"ä".repeat(33)}@example.com`)).toMatchObject({
      valid: false,
      reason: "rfc5322_local_toolong",
    });
  });

  it.each([
    ["a@gmal.com", "a@gmail.com"],
    ["a@gmail.con", "a@gmail.com"],
    ["a@hotmial.com", "a@hotmail.com"],
    ["a@yaho.com", "a@yahoo.com"],
    ["a@outlok.com", "a@outlook.com"],
    ["a@example.con", "a@example.com"],
    ["a@gmail.com", null],
    ["a@mail.com", null],
    ["a@example.com", null],
    ["a@email.de", null],
  ])("suggests for %s: %s", async (email, suggestion) => {
    expect((await check(email))?.suggestion).toBe(suggestion);
  });

  it("answers that a text is no address, and why", async () => {
    expect(await check("jane..doe@example.com")).toMatchObject({
      ...{ syntax: "error", valid: false, reason: "err_consecutivedots", local: null, domain: null, free: null },
    });
  });

  it.each(["", "a".repeat(1001)])("refuses %j", async (email) => {
    await expect(emailValidate({ email })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: "email" }],
    });
  });

  it.each([
    "(".repeat(1000),
    `"${"\\".repeat(999)}`,
    `${"a.".repeat(499)}@`,
    "\r\n ".repeat(333),
    `a@[IPv6:${":".repeat(900)}]`,
  ])("ends on hostile text", async (email) => {
    expect(await check(email)).toMatchObject({ valid: false });
  });
});
