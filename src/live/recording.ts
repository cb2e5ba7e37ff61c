/** A recording of a check's exchanges, without keys and addresses of people, which replays as it is. */
import type { Checked } from "./check.js";
import type { Exchange } from "./observe.js";

export interface LiveRecording {
  capability: string;
  input: unknown;
  now: string;
  exchanges: object[];
  expect: object;
  origin: { kind: "live"; note: string };
}

/** `keys` are the values that must not be in it. */
export function recordingOf(checked: Checked, { now, keys }: { now: Date; keys: readonly string[] }): LiveRecording {
  const { id, input, exchanges, code, status } = checked;
  const scrub = scrubber(keys);
  return {
    capability: id,
    input,
    now: now.toISOString(),
    exchanges: exchanges.filter(({ status: answered }) => answered > 0).map((exchange) => recorded(exchange, scrub)),
    expect: code === undefined ? {} : { error: { status, code } },
    origin: { kind: "live", note: "Recorded by coinslot doctor --live; keys and addresses of people are taken out." },
  };
}

/** Headers that a reader may need; all others are left out. */
const HEADERS = ["retry-after", "location", "link", "x-ratelimit-remaining", "x-ratelimit-reset"];

function recorded(exchange: Exchange, scrub: (text: string) => string): object {
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
    body: bodyOf(exchange, scrub),
  };
}

/** Pictures are base64; of a file that was too large to keep, the lines that were kept. */
function bodyOf({ bytes, contentType, whole }: Exchange, scrub: (text: string) => string): unknown {
  if (/^image\//.test(contentType)) return Buffer.from(bytes).toString("base64");
  const text = scrub(new TextDecoder().decode(bytes));
  return whole ? parsed(text) : text.slice(0, text.lastIndexOf("\n") + 1);
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

/** Takes keys out in every form in which a request carries them, and e-mail addresses. */
function scrubber(keys: readonly string[]): (text: string) => string {
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
  return (text) =>
    forms.reduce((left, form) => left.replaceAll(form, "REDACTED"), text).replaceAll(EMAIL, "nobody@example.com");
}

const latin = (text: string) => text.replace(/[^\u0020-\u00ff]/g, "?");
