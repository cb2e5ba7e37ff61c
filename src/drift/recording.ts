/** A recording of a check's exchanges, without keys and addresses of people, which replays as it is. */
import type { Checked } from "./check.js";
import type { Exchange } from "./observe.js";
import { isBinary } from "./tree.js";

export interface LiveRecording {
  capability: string;
  input: unknown;
  now: string;
  exchanges: object[];
  expect: object;
  /** `partial` names files of which only the beginning was kept, so that the run cannot be replayed. */
  origin: { kind: "live"; note: string; partial?: string };
}

/** `keys` are the values that must not be in it. */
export function recordingOf(checked: Checked, { now, keys }: { now: Date; keys: readonly string[] }): LiveRecording {
  const { id, input, exchanges, code, status } = checked;
  const scrub = scrubber(keys);
  const cut = exchanges.filter(({ whole, bytes }) => !whole && isBinary(bytes)).map(({ url }) => scrub(url.pathname));
  return {
    capability: id,
    input,
    now: now.toISOString(),
    exchanges: exchanges.filter(({ status: answered }) => answered > 0).map((exchange) => recorded(exchange, scrub)),
    expect: code === undefined ? {} : { error: { status, code } },
    origin: {
      kind: "live",
      note: "Recorded by coinslot doctor --live; keys and addresses of people are taken out.",
      ...(cut.length > 0 ? { partial: `Too large to be kept: ${cut.join(", ")}` } : {}),
    },
  };
}

/** Headers that a reader may need; all others are left out. */
const HEADERS = ["retry-after", "location", "link", "x-ratelimit-remaining", "x-ratelimit-reset"];

function recorded(exchange: Exchange, scrub: Scrub): object {
  const { method, url, body, status, contentType, headers } = exchange;
  const kept = HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, scrub(value)]];
  });
  return {
    method,
    url: scrub(url.href),
    ...(body === undefined ? {} : { requestBody: parsed(scrub(body)) }),
    status,
    contentType,
    ...(kept.length > 0 ? { headers: Object.fromEntries(kept) } : {}),
    ...bodyOf(exchange, scrub),
  };
}

/** Bytes that are no UTF-8 are base64. Of a text that was too large to keep, the lines that were kept. */
function bodyOf({ bytes, whole }: Exchange, scrub: Scrub): { body: unknown; bodyEncoding?: "base64" } {
  if (isBinary(bytes)) return inBase64(whole ? scrub.keepingLength(latin1(bytes)) : "");
  const text = utf8(whole ? bytes : bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1));
  return text === undefined ? inBase64(scrub(latin1(bytes))) : { body: whole ? parsed(scrub(text)) : scrub(text) };
}

const inBase64 = (text: string) =>
  ({ body: Buffer.from(text, "latin1").toString("base64"), bodyEncoding: "base64" }) as const;
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

/** Undefined if the bytes are in another encoding. A byte order mark stays, because readers must cope with it. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : text;
  } catch {
    return text;
  }
}

const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;

interface Scrub {
  (text: string): string;
  /** Takes keys alone out of a file, whose tables of contents count its bytes. */
  keepingLength(text: string): string;
}

/** Takes keys out in every form in which a request carries them, and e-mail addresses. */
function scrubber(keys: readonly string[]): Scrub {
  const forms = keys
    .filter((key) => key.length >= 4)
    .flatMap((key) => [
      key,
      encodeURIComponent(key),
      encodeURIComponent(key).replaceAll("%20", "+"),
      btoa(latin(`${key}:`)),
      JSON.stringify(key).slice(1, -1),
    ])
    .sort((a, b) => b.length - a.length);
  const without = (text: string, instead: (form: string) => string) =>
    forms.reduce((left, form) => left.replaceAll(form, instead), text);
  return Object.assign((text: string) => without(text, () => "REDACTED").replaceAll(EMAIL, "nobody@example.com"), {
    keepingLength: (text: string) => without(text, (form) => "X".repeat(form.length)),
  });
}

const latin = (text: string) => text.replace(/[^\u0020-\u00ff]/g, "?");
