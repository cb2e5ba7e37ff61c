const MOST = 60;
/** Private keys in common formats: 32 bytes in hex, 64 bytes in base58, PEM, or a list of words. */
const SECRET = /[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{80}|-----BEGIN|^(?:[a-z]+ ){11}/i;
const CREDENTIALS = /\/\/[^/@\s]*@/;

/** A value for an error message: short, and without secrets that were put into the wrong option. */
export function shown(value: unknown): string {
  if (typeof value === "string") return shownText(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "symbol") return "a symbol";
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return kind === "Object" ? "an object" : `a ${kind}`;
}

function shownText(text: string): string {
  // guard: an error shows no key that was put into the wrong option | gone | wrong-options
  if (SECRET.test(text)) return `a text of ${text.length} characters that may be a secret`;
  const safe = text.replace(CREDENTIALS, "//…@").replace(/\?.*/s, (query) => (query.includes("=") ? "?…" : query));
  return JSON.stringify(safe.length > MOST ? `${safe.slice(0, MOST)}…` : safe);
}
