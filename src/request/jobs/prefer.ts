/** The preferences of a request (RFC 7240), as far as jobs know them. */

/** A call is answered at once if it is done within so many seconds, and the connection is held no longer. */
const MOST_WAIT_SECONDS = 60;

export interface Preference {
  isAsync: boolean;
  /** Whether a call that would be answered at once is refused. */
  isStrict: boolean;
  /** Milliseconds to wait for the answer itself. */
  waitMs: number;
}

/** The first of each name counts; anything that is not known is left alone. */
export function readPrefer(header: string | null): Preference {
  const found = new Map<string, string>();
  for (const one of (header ?? "").split(",")) {
    const [name = "", value = ""] = (one.split(";")[0] ?? "").split("=").map((part) => part.trim());
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value.replace(/^"(.*)"$/, "$1"));
  }
  const seconds = found.get("wait") ?? "";
  const waitMs = /^\d{1,6}$/.test(seconds) ? Math.min(Number(seconds), MOST_WAIT_SECONDS) * 1000 : 0;
  const isStrict = found.get("handling")?.toLowerCase() === "strict";
  return { isAsync: found.has("respond-async"), isStrict, waitMs };
}
