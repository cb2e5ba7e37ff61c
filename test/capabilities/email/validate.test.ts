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
    expect(await check("jörg@example.com")).toMatchObject({ syntax: "error", reason: "err_expecting_atext" });
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
