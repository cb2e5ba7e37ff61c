import { describe, expect, it } from "vitest";
import { ibanLengths } from "../../../src/engines/pii/iban.js";
import { recognise } from "../../../src/engines/pii/recognisers.js";

const valuesIn = (text: string) => recognise(text).map(({ type, value }) => `${type} ${value}`);

/** An account of a country, with its check digits. */
function ibanOf(country: string, length: number): string {
  const account = "19043002345732019876543210987654".slice(0, length - 4);
  const digits = `${account}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${account}`;
}

describe("recognisers of personal data", () => {
  it.each([...ibanLengths()])(
    "find an IBAN of %s, however it is written, and not its neighbours",
    (country, length) => {
      const iban = ibanOf(country, length);
      const [blanks, hyphens] = [" ", "-"].map((mark) => (iban.match(/.{1,4}/g) ?? []).join(mark));
      for (const layout of [iban, blanks, hyphens])
        for (const text of [layout, `pay ${layout} AND KEEP IT`, `${layout} X`, `(${layout}), 12`, `IBAN:${layout}.`])
          expect(valuesIn(text ?? "")).toEqual([`iban ${layout}`]);
      const wrong = iban.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));
      for (const text of [
        wrong,
        `${iban}A`,
        `${iban}7`,
        `X${iban}`,
        iban.slice(0, -1),
        (iban.match(/.{1,4}/g) ?? []).join("/"),
      ])
        expect(valuesIn(text).filter((value) => value.startsWith("iban"))).toEqual([]);
    },
  );

  it.each([
    ["4111 1111 1111 1111 123", ["4111 1111 1111 1111"]],
    ["4111111111111111 737 12/29", ["4111111111111111"]],
    ["3782 822463 10005 1234", ["3782 822463 10005"]],
    ["No. 17: 5555-5555-5555-4444-09", ["5555-5555-5555-4444"]],
    ["12 4111 1111 1111 1111", ["4111 1111 1111 1111"]],
    [
      "4012888888881881 4012-8888-8888-1881 4012 8888 8888 1881",
      ["4012888888881881", "4012-8888-8888-1881", "4012 8888 8888 1881"],
    ],
    ["122000000000003", ["122000000000003"]],
    ["6759649826438453", ["6759649826438453"]],
    // An instant in milliseconds, the number of a book, what nobody issues, and what stands behind a point.
    ["1748503543012", []],
    ["9780306406157", []],
    ["79927398713000000008", []],
    ["0.4111111111111111", []],
    ["1111 1111 1111 1117", []],
    ["4111 1111 1111 1112 123", []],
    ["4 111 11 111 1111 1111 9", []],
  ])("find in %s the cards %j", (text, cards) => {
    expect(valuesIn(text)).toEqual(cards.map((card) => `credit_card ${card}`));
  });

  it.each([
    ["write to o'brien@example.com", ["o'brien@example.com"]],
    ["'ada@example.com', \"bob@example.com\"", ["ada@example.com", "bob@example.com"]],
    ["a@xn--d1acufc.xn--p1ai", ["a@xn--d1acufc.xn--p1ai"]],
    ["jörg.müller@bücher.example,", ["jörg.müller@bücher.example"]],
    ["ada@a.b.c.d.e.f.g.h.example.co.uk.", ["ada@a.b.c.d.e.f.g.h.example.co.uk"]],
    ["写信给ada@example.com谢谢", ["ada@example.com"]],
    ["r&d+new@example.org", ["r&d+new@example.org"]],
    ["ada@example. and @ada and ada@localhost", []],
  ])("find in %s the addresses %j", (text, addresses) => {
    expect(valuesIn(text)).toEqual(addresses.map((address) => `email ${address}`));
  });

  it.each([
    ["std::vector<int> a :: b; ::add(x); abc::def, Foo::a1 x[::2] x[1::2] f()[::2] '::'", []],
    ["::", []],
    ["http://[::2]/ and fe80:: and bad:cafe::face", ["::2", "fe80::", "bad:cafe::face"]],
    ["::ffff:192.0.2.1", ["::ffff:192.0.2.1"]],
    ["via 64:ff9b::198.51.100.1 now", ["64:ff9b::198.51.100.1"]],
    ["0:0:0:0:0:ffff:129.144.52.38", ["0:0:0:0:0:ffff:129.144.52.38"]],
    ["[2001:db8::1%eth0]:80, fe80::1/64", ["2001:db8::1%eth0", "fe80::1/64"]],
    ["10.0.0.0/8. 10.0.0.0/99", ["10.0.0.0/8", "10.0.0.0"]],
    ["(192.168.1.1), ::1", ["192.168.1.1", "::1"]],
    ["::ffff:256.0.0.1, ::ffff:192.168.1, 2001::25de::cade", []],
    ["std::cout 12:34:56 aa:bb:cc:dd:ee:ff a1.2.3.4 1.2.3.4.5 10.0.0.1x", []],
  ])("find in %s the addresses of machines %j", (text, addresses) => {
    expect(valuesIn(text)).toEqual(addresses.map((address) => `ip_address ${address}`));
  });

  it.each([
    ["219 09 1234", true],
    ["219-09-1234", true],
    ["SSN 219.09.1234.", true],
    ["219 09-1234", false],
    ["219 00 1234", false],
    ["1 219 09 1234", false],
    ["219 09 1234 5", false],
    ["219091234", false],
    ["900-09-1234", false],
    ["078-05-1120", false],
  ])("take %s for a social security number: %s", (text, isOne) => {
    expect(valuesIn(text).some((value) => value.startsWith("ssn"))).toBe(isOne);
  });
});
