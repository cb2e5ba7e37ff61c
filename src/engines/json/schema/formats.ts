/** The formats of JSON Schema, for callers who want them asserted. An unknown format is never wrong. */
import { isIP } from "node:net";
import { readPointer } from "../pointer.js";

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|([+-])(\d{2}):(\d{2}))$/i;
const DURATION =
  /^P(?:\d+W|(?=\d|T\d)(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?=\d)(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const URI_CHARACTERS = /^(?:[\w:/?#[\]@!$&'()*+,;=.~-]|%[0-9a-f]{2})*$/i;
const IRI_CHARACTERS =
  /^(?:[\w:/?#[\]@!$&'()*+,;=.~\u00a0-\ud7ff\uf900-\ufffd-]|[\ud800-\udbff][\udc00-\udfff]|%[0-9a-f]{2})*$/i;
const TEMPLATE =
  /^(?:[^\s"'<>\\^`{|}]|\{[+#./;?&=,!@|]?[\w.%]+(?::[1-9]\d{0,3}|\*)?(?:,[\w.%]+(?::[1-9]\d{0,3}|\*)?)*\})*$/;

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days;
}

function isTime(text: string): boolean {
  const [whole, hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] = TIME.exec(text) ?? [];
  if (whole === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return false;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return false;
  if (Number(second) < 60) return true;
  // A leap second is the last one of a day in UTC.
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? 1 : -1);
  return (Number(hour) * 60 + Number(minute) + offset + 1440) % 1440 === 1439;
}

const isDateTime = (text: string): boolean =>
  isDate(text.slice(0, 10)) && /^t$/i.test(text[10] ?? "") && isTime(text.slice(11));

const isHostname = (text: string): boolean =>
  text.length <= 253 &&
  text.split(".").every((label) => LABEL.test(label) && (!/^..--/.test(label) || /^xn--./i.test(label)));

function isInternationalHostname(text: string): boolean {
  const dotted = text.replace(/[\u3002\uff0e\uff61]/g, ".");
  if (isHostname(dotted)) return true;
  if (!/[^\0-\x7f]/.test(dotted) || /[\s/?#@:[\]]/.test(dotted)) return false;
  const { hostname } = URL.canParse(`http://${dotted}`) ? new URL(`http://${dotted}`) : { hostname: "" };
  return hostname !== "" && isHostname(hostname);
}

function isEmail(text: string, isHost: (host: string) => boolean): boolean {
  const at = text.lastIndexOf("@");
  const [local, host] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || local.length > 64) return false;
  const isLocal =
    LOCAL_PART.test(local) ||
    /^"(?:[^"\\]|\\.)*"$/.test(local) ||
    (/[^\0-\x7f]/.test(local) && !/\s/.test(local) && isHost !== isHostname);
  const literal = /^\[(?:IPv6:)?(.+)\]$/i.exec(host)?.[1];
  return isLocal && (literal === undefined ? isHost(host) : isIP(literal) !== 0);
}

function isReference(text: string, characters: RegExp): boolean {
  if (!characters.test(text) || /#.*#/.test(text)) return false;
  const authority = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(text)?.[1];
  const rest = text.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, "");
  if (/[[\]]/.test(rest)) return false;
  if (authority === undefined) return SCHEME.test(text) || !/^[^/?#]*:/.test(text);
  const [, host = "", port = ""] = /^(?:[^@[\]]*@)?(\[[^\]]*\]|[^:[\]@]*)(?::(.*))?$/.exec(authority) ?? [
    undefined,
    "[",
  ];
  return /^\d*$/.test(port) && (host.startsWith("[") ? isIP(host.slice(1, -1)) === 6 : true);
}

function isRegex(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

const FORMATS: Record<string, (text: string) => boolean> = {
  "date-time": isDateTime,
  date: isDate,
  time: isTime,
  duration: (text) => DURATION.test(text),
  email: (text) => isEmail(text, isHostname),
  "idn-email": (text) => isEmail(text, isInternationalHostname),
  hostname: isHostname,
  "idn-hostname": isInternationalHostname,
  ipv4: (text) => isIP(text) === 4,
  ipv6: (text) => isIP(text) === 6 && !text.includes("%"),
  uri: (text) => SCHEME.test(text) && isReference(text, URI_CHARACTERS),
  "uri-reference": (text) => isReference(text, URI_CHARACTERS),
  iri: (text) => SCHEME.test(text) && isReference(text, IRI_CHARACTERS),
  "iri-reference": (text) => isReference(text, IRI_CHARACTERS),
  "uri-template": (text) => TEMPLATE.test(text),
  uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  "json-pointer": (text) => readPointer(text) !== undefined,
  "relative-json-pointer": (text) => {
    const rest = /^(?:0|[1-9]\d*)(.*)$/s.exec(text)?.[1];
    return rest !== undefined && (rest === "#" || readPointer(rest) !== undefined);
  },
  regex: isRegex,
};

export const isFormat = (format: string, text: string): boolean =>
  Object.hasOwn(FORMATS, format) ? (FORMATS[format]?.(text) ?? true) : true;
