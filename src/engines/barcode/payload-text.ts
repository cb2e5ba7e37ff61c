/** The text of each kind of payload that readers understand. */
import { calendarEvent, contactCard } from "./cards.js";
import { dialled, type Payload, toJson } from "./payloads.js";

/** The text to encode. */
export function payloadText(data: Payload, brand: string): string {
  switch (data.type) {
    case "text":
      return data.text;
    case "url":
      return data.url;
    case "email":
      return `mailto:${data.to}${query([
        ["subject", data.subject],
        // RFC 6068, section 5: line breaks are %0D%0A.
        ["body", data.body?.replace(/\r\n?|\n/g, "\r\n")],
      ])}`;
    case "sms":
      return data.body ? `SMSTO:${data.to}:${data.body}` : `SMSTO:${data.to}`;
    case "phone":
      // An unescaped # would begin a fragment of the URI.
      return `tel:${dialled(data.number).replaceAll("#", "%23")}`;
    case "wifi":
      return wifiText(data);
    case "vcard":
      return contactCard(data);
    case "geo":
      return geoText(data);
    case "bitcoin":
      return `bitcoin:${data.address}${query([
        ["amount", data.amount === undefined ? undefined : decimal(data.amount, 8)],
        ["label", data.label],
        ["message", data.message],
      ])}`;
    case "calendar":
      return calendarEvent(data, brand);
    case "json":
      return toJson(data.value) ?? "null";
  }
}

/** A query string of the given fields, with %20 for spaces; empty without any. */
function query(fields: [string, string | undefined][]): string {
  const given = fields.flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : []));
  return given.length > 0 ? `?${given.join("&")}` : "";
}

/**
 * The "WIFI:" format of phones' cameras. Values are not quoted, because an iPhone would take quotes as part of the
 * value. A key of hex digits needs none: 64 digits are a WPA key, 10 or 26 a WEP key.
 */
function wifiText({ ssid, password, security, hidden }: Extract<Payload, { type: "wifi" }>): string {
  const kind = security ?? (password ? "WPA" : "none");
  const fields = [kind === "none" ? "T:nopass" : `T:${kind}`, `S:${escaped(ssid)}`];
  if (kind !== "none" && password) fields.push(`P:${escaped(password)}`);
  if (hidden) fields.push("H:true");
  return `WIFI:${fields.join(";")};;`;
}

const escaped = (value: string) => value.replace(/[\\;,":]/g, "\\$&");

/** RFC 5870; seven decimals of a degree are a centimetre. */
function geoText({ lat, lon, altitude }: Extract<Payload, { type: "geo" }>): string {
  const numbers = altitude === undefined ? [lat, lon] : [lat, lon, altitude];
  return `geo:${numbers.map((value) => decimal(value, 7)).join(",")}`;
}

/** At most this many decimals: no exponent, no trailing zeros, no negative zero. */
function decimal(value: number, places: number): string {
  const digits = value.toFixed(places).replace(/\.?0+$/, "");
  return digits === "-0" ? "0" : digits;
}
