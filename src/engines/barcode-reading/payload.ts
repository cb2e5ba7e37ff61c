/** The meaning of a code's text, where it has one of the known forms. */
import { readGs1 } from "../gs1/read-gs1.js";
import { readPaymentQr } from "../payment-qr/read-payment-qr.js";

export interface Payload {
  type: "gs1" | "payment" | "wifi" | "vcard" | "url";
  [field: string]: unknown;
}

/** `isGs1` says that the code itself is marked so. */
export function payloadOf(text: string, isGs1: boolean, year: number): Payload | null {
  if (isGs1) return { type: "gs1", ...readGs1(text.startsWith("(") ? text : `^${text}`, "auto", year) };
  if (/^(?:SPC|BCD)[\r\n]/.test(text)) return { type: "payment", ...readPaymentQr(text) };
  if (/^WIFI:/i.test(text)) return wifi(text.slice(5));
  if (/^BEGIN:VCARD/i.test(text)) return vcard(text);
  return /^https?:\/\/[^\s]+$/i.test(text) ? url(text, year) : null;
}

/** A Digital Link is the GS1 data that it carries. */
function url(text: string, year: number): Payload {
  const read = text.length <= 4000 ? readGs1(text, "url", year) : undefined;
  return read?.valid ? { type: "gs1", url: text, ...read } : { type: "url", url: text };
}

/** Fields that end at a semicolon; a backslash makes the next sign text. */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  let current = "";
  const close = () => {
    const [, name = "", value = ""] = /^([A-Za-z0-9]{1,8}):([\s\S]*)$/.exec(current) ?? [];
    if (name) fields.set(name.toUpperCase(), value);
    current = "";
  };
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") current += text[++at] ?? "";
    else if (text[at] === ";") close();
    else current += text[at];
  }
  close();
  return fields;
}

function wifi(text: string): Payload | null {
  const fields = fieldsOf(text);
  const ssid = fields.get("S");
  if (ssid === undefined) return null;
  const type = fields.get("T") ?? "";
  return {
    type: "wifi",
    ssid,
    password: fields.get("P") ?? null,
    security: /^(?:|nopass)$/i.test(type) ? "none" : type,
    hidden: /^true$/i.test(fields.get("H") ?? ""),
  };
}

const CARD: Record<string, string> = {
  ...{ FN: "name", ORG: "org", TITLE: "title", TEL: "phone", EMAIL: "email", URL: "url", NOTE: "note", ADR: "address" },
};

/** The first of each property, with folded lines joined and escapes resolved. */
function vcard(text: string): Payload {
  const lines = text.replace(/\r?\n[ \t]/g, "").split(/\r?\n/);
  const card: Payload = { type: "vcard" };
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line
      .slice(0, Math.max(colon, 0))
      .split(";", 1)[0]
      ?.replace(/^\w+\./, "")
      .toUpperCase();
    const value = line.slice(colon + 1);
    if (name === "N") {
      const [lastName = "", firstName = ""] = value.split(/(?<!\\);/).map(unescaped);
      Object.assign(card, { lastName, firstName });
    }
    const field = name && Object.hasOwn(CARD, name) ? CARD[name] : undefined;
    if (field && card[field] === undefined) card[field] = unescaped(value.replace(/(?<!\\);/g, " ").trim());
  }
  return card;
}

const unescaped = (value: string): string =>
  value.replace(/\\([\s\S])/g, (_, sign: string) => (sign === "n" || sign === "N" ? "\n" : sign));
