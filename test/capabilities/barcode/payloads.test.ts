import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { payloadText } from "../../../src/engines/barcode/payload-text.js";
import { payloadSchema } from "../../../src/engines/barcode/payloads.js";
import { refusal, scan } from "./_readers.js";

type Data = Parameters<typeof payloadText>[0];
const textOf = (data: Data) => payloadText(payloadSchema().parse(data), "Coinslot");

const lines = (...text: string[]) => text.map((line) => `${line}\r\n`).join("");

const EXAMPLES: [string, Data, string][] = [
  ["text", { type: "text", text: " as it is\n" }, " as it is\n"],
  ["url", { type: "url", url: "https://example.com/?q=a%20b#c" }, "https://example.com/?q=a%20b#c"],
  ["email", { type: "email", to: "a+b@example.com" }, "mailto:a+b@example.com"],
  [
    "email with text (RFC 6068)",
    { type: "email", to: "a@example.com", subject: "Grüße & Co", body: "one two\nthree" },
    "mailto:a@example.com?subject=Gr%C3%BC%C3%9Fe%20%26%20Co&body=one%20two%0D%0Athree",
  ],
  ["email with body alone", { type: "email", to: "a@example.com", body: "x" }, "mailto:a@example.com?body=x"],
  ["sms", { type: "sms", to: "+15551234567" }, "SMSTO:+15551234567"],
  ["sms with text", { type: "sms", to: "+15551234567", body: "hi: you" }, "SMSTO:+15551234567:hi: you"],
  ["phone (RFC 3966)", { type: "phone", number: "+1 (555) 010.9999" }, "tel:+15550109999"],
  ["phone with service code", { type: "phone", number: "*100#" }, "tel:*100%23"],
  [
    "wifi",
    { type: "wifi", ssid: "My;Net", password: 'p:"w\\d', security: "WPA" },
    'WIFI:T:WPA;S:My\\;Net;P:p\\:\\"w\\\\d;;',
  ],
  ["wifi, open", { type: "wifi", ssid: "Café" }, "WIFI:T:nopass;S:Café;;"],
  [
    "wifi, none in spite of a password",
    { type: "wifi", ssid: "x", password: "y", security: "none" },
    "WIFI:T:nopass;S:x;;",
  ],
  ["wifi, protected by default", { type: "wifi", ssid: "x", password: "yz" }, "WIFI:T:WPA;S:x;P:yz;;"],
  [
    "wifi, hidden",
    { type: "wifi", ssid: "x", password: "k", security: "WEP", hidden: true },
    "WIFI:T:WEP;S:x;P:k;H:true;;",
  ],
  // An iPhone takes quotes for a part of the name or the password, and Android asks for none.
  ["wifi of digits", { type: "wifi", ssid: "20240101", password: "12345678" }, "WIFI:T:WPA;S:20240101;P:12345678;;"],
  ["wifi of hex digits", { type: "wifi", ssid: "cafe", password: "deadbeef" }, "WIFI:T:WPA;S:cafe;P:deadbeef;;"],
  [
    "wifi, a WEP key in hex",
    { type: "wifi", ssid: "x", password: "0123456789", security: "WEP" },
    "WIFI:T:WEP;S:x;P:0123456789;;",
  ],
  [
    "wifi, a WPA key in hex",
    { type: "wifi", ssid: "x", password: "0123456789abcdef".repeat(4) },
    `WIFI:T:WPA;S:x;P:${"0123456789abcdef".repeat(4)};;`,
  ],
  [
    "wifi with quotes of its own",
    { type: "wifi", ssid: '"Bar, 1st"', password: "a:b\\c;d" },
    'WIFI:T:WPA;S:\\"Bar\\, 1st\\";P:a\\:b\\\\c\\;d;;',
  ],
  [
    "wifi in Chinese",
    { type: "wifi", ssid: "咖啡店 5G", password: "1234 5678" },
    "WIFI:T:WPA;S:咖啡店 5G;P:1234 5678;;",
  ],
  ["wifi, an empty password", { type: "wifi", ssid: "x", password: "" }, "WIFI:T:nopass;S:x;;"],
  [
    "vcard (RFC 2426)",
    {
      type: "vcard",
      name: "Lovelace",
      firstName: "Ada",
      phone: "+441234567",
      email: "ada@example.com",
      org: "Analytical; Engines, Ltd",
      title: "Programmer",
      url: "https://example.com/a,b",
      note: "one\ntwo\\three",
    },
    lines(
      "BEGIN:VCARD",
      "VERSION:3.0",
      "N:Lovelace;Ada;;;",
      "FN:Ada Lovelace",
      "ORG:Analytical\\; Engines\\, Ltd",
      "TITLE:Programmer",
      "TEL;TYPE=CELL:+441234567",
      "EMAIL;TYPE=INTERNET:ada@example.com",
      "URL:https://example.com/a,b",
      "NOTE:one\\ntwo\\\\three",
      "END:VCARD",
    ),
  ],
  [
    "vcard of a name",
    { type: "vcard", name: "Sócrates" },
    lines("BEGIN:VCARD", "VERSION:3.0", "N:Sócrates;;;;", "FN:Sócrates", "END:VCARD"),
  ],
  [
    "vcard of full name and parts",
    { type: "vcard", name: "Dr. Ada King", firstName: "Ada", lastName: "King" },
    lines("BEGIN:VCARD", "VERSION:3.0", "N:King;Ada;;;", "FN:Dr. Ada King", "END:VCARD"),
  ],
  [
    "vcard whose name holds the first name",
    { type: "vcard", name: "Ada King", firstName: "Ada" },
    lines("BEGIN:VCARD", "VERSION:3.0", "N:King;Ada;;;", "FN:Ada King", "END:VCARD"),
  ],
  ["geo (RFC 5870)", { type: "geo", lat: 48.201, lon: 16.3695, altitude: 183 }, "geo:48.201,16.3695,183"],
  ["geo of tiny numbers", { type: "geo", lat: 1e-7, lon: -1e-9 }, "geo:0.0000001,0"],
  ["geo of whole tens", { type: "geo", lat: 90, lon: -180, altitude: 0 }, "geo:90,-180,0"],
  [
    "bitcoin (BIP 21)",
    { type: "bitcoin", address: "175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W", amount: 20.3, label: "Luke-Jr" },
    "bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=20.3&label=Luke-Jr",
  ],
  [
    "bitcoin of ten satoshi",
    { type: "bitcoin", address: "1a", amount: 1e-7, message: "a&b ü" },
    "bitcoin:1a?amount=0.0000001&message=a%26b%20%C3%BC",
  ],
  [
    "bitcoin, all of it",
    { type: "bitcoin", address: "1a", amount: 20_999_999.9769 },
    "bitcoin:1a?amount=20999999.9769",
  ],
  [
    "calendar (RFC 5545)",
    {
      type: "calendar",
      title: "Lunch; with A, B",
      start: "2026-03-01T10:00:00+01:00",
      end: "2026-03-01T10:30:00.5Z",
      location: "Room 1",
      description: "bring\r\nfood",
    },
    lines(
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Coinslot//barcode//EN",
      "BEGIN:VEVENT",
      "SUMMARY:Lunch\\; with A\\, B",
      "DTSTART:20260301T090000Z",
      "DTEND:20260301T103000Z",
      "LOCATION:Room 1",
      "DESCRIPTION:bring\\nfood",
      "END:VEVENT",
      "END:VCALENDAR",
    ),
  ],
  ["json", { type: "json", value: { a: [1, null, "ü\n"] } }, '{"a":[1,null,"ü\\n"]}'],
  ["json of null", { type: "json", value: null }, "null"],
];

describe("payloads", () => {
  it.each(EXAMPLES)("%s", (_, data, expected) => {
    expect(textOf(data)).toBe(expected);
  });

  it.each(EXAMPLES)("IN-14 %s is read back from a QR code", async (_, data, expected) => {
    expect(await scan({ data })).toBe(expected);
  });

  it("folds long content lines at 75 octets, between characters", () => {
    const note = "Grüße 你好 😀 ".repeat(20);
    const card = textOf({ type: "vcard", name: "N", note });
    for (const line of card.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(card.replaceAll("\r\n ", "")).toContain(`NOTE:${note}\r\n`);
    expect(card).not.toContain("\uFFFD");
  });

  it("never lets text add a line to a card or an event", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 100, unit: "grapheme" }), (value) => {
        const card = payloadSchema().safeParse({ type: "vcard", name: "N", note: value });
        if (!card.success) return;
        const names = payloadText(card.data, "Coinslot")
          .replaceAll("\r\n ", "")
          .split("\r\n")
          .map((line) => line.split(":")[0]);
        expect(names).toEqual(["BEGIN", "VERSION", "N", "FN", "NOTE", "END", ""]);
      }),
    );
  });
});

describe("refusals", () => {
  const event = { type: "calendar", title: "T", start: "2026-05-01T10:00:00Z", end: "2026-05-01T11:00:00Z" };
  const coin = { type: "bitcoin", address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" };
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;

  it.each<[string, unknown, string]>([
    ["no data", undefined, "data"],
    ["data that is text", "hello", "data"],
    ["no type", { text: "hello" }, "data.type"],
    ["an unknown type", { type: "ftp", text: "x" }, "data.type"],
    ["IN-5 a type of every object", { type: "constructor" }, "data.type"],
    ["IN-5 another", { type: "__proto__" }, "data.type"],
    ["a field of another type", { type: "text", text: "x", url: "https://example.com" }, "data.url"],
    ["no text", { type: "text" }, "data.text"],
    ["empty text", { type: "text", text: "" }, "data.text"],
    ["2001 characters", { type: "text", text: "a".repeat(2001) }, "data.text"],
    ["half a surrogate pair", { type: "text", text: "a\ud800" }, "data.text"],
    ["half a surrogate pair in a URL", { type: "url", url: "https://example.com/\udc00" }, "data.url"],
    ["a relative URL", { type: "url", url: "/path" }, "data.url"],
    ["a URL with a NUL", { type: "url", url: "https://example.com/\0" }, "data.url"],
    ["a long URL", { type: "url", url: `https://example.com/${"a".repeat(2000)}` }, "data.url"],
    ["no email address", { type: "email", to: "not-an-email" }, "data.to"],
    ["a second header in a subject", { type: "email", to: "a@example.com", subject: "a\r\nBcc: b" }, "data.subject"],
    ["a colon in a number", { type: "sms", to: "1:2" }, "data.to"],
    ["a line break in a number", { type: "sms", to: "1\n2" }, "data.to"],
    ["a word for a number", { type: "phone", number: "call me" }, "data.number"],
    ["a number without digits", { type: "phone", number: "+" }, "data.number"],
    ["a line break in a network's name", { type: "wifi", ssid: "a\nb" }, "data.ssid"],
    ["protection without a password", { type: "wifi", ssid: "a", security: "WPA" }, "data.password"],
    ["WPA3 by that name", { type: "wifi", ssid: "a", security: "WPA3" }, "data.security"],
    ["a line break in a name", { type: "vcard", name: "a\u2028b" }, "data.name"],
    ["a bell in a note", { type: "vcard", name: "a", note: "\u0007" }, "data.note"],
    ["a URL of two words", { type: "vcard", name: "A", url: "nope nope" }, "data.url"],
    ["a latitude beyond the pole", { type: "geo", lat: 90.1, lon: 0 }, "data.lat"],
    ["an altitude without end", { type: "geo", lat: 0, lon: 0, altitude: Number.POSITIVE_INFINITY }, "data.altitude"],
    ["no bitcoin", { ...coin, amount: 0 }, "data.amount"],
    ["less than a satoshi", { ...coin, amount: 1.000000001 }, "data.amount"],
    ["more bitcoin than there are", { ...coin, amount: 21_000_001 }, "data.amount"],
    ["an address with a query", { ...coin, address: "1a?amount=1" }, "data.address"],
    ["a start in words", { ...event, start: "tomorrow" }, "data.start"],
    ["a day that does not exist", { ...event, start: "2026-02-30T10:00:00Z" }, "data.start"],
    ["a start before the year 0", { ...event, start: "0000-01-01T00:00:00+10:00" }, "data.start"],
    ["an end after the year 9999", { ...event, end: "9999-12-31T23:00:00-10:00" }, "data.end"],
    ["an end before the start", { ...event, end: "2026-05-01T09:00:00Z" }, "data.end"],
    ["no value", { type: "json" }, "data.value"],
    ["a value that JSON cannot hold", { type: "json", value: cyclic }, "data.value"],
  ])("%s", async (_, data, path) => {
    const error = await refusal({ data });
    expect(error).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(error.issues?.[0]?.path).toBe(path);
  });
});
