/** Finds secrets in a text, however whoever echoes them has written them. */

/** Shorter texts are in many answers by chance. */
const MIN_TOLD = 8;
/** A text in a text in a text, as an address in JSON on a page. */
const MOST_LAYERS = 3;

/** Characters as answers escape them: of addresses, of JSON and JavaScript, of HTML. */
const ESCAPE =
  /%([\da-f]{2})|\\u([\da-f]{4})|\\x([\da-f]{2})|&#x([\da-f]{1,6});|&#(\d{1,7});|\\([/"'\\])|&(amp|quot|apos|lt|gt|sol);/gi;
const NAMED: Readonly<Record<string, string>> = { amp: "&", quot: '"', apos: "'", lt: "<", gt: ">", sol: "/" };

/** One character for each byte, so that texts and files are searched alike. */
const inBytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

export interface Forms {
  /** Texts that are looked for. */
  all: readonly string[];
  /** Letters and digits within each secret, which hardly anybody escapes: without one a long answer is not unescaped. */
  plain: readonly string[];
}

/** Characters of an answer that is unescaped in any case, in a moment. */
const SHORT = 64 * 1024;

/** The forms of secrets that are looked for. */
export function formsOf(secrets: readonly string[]): Forms {
  const told = [...new Set(secrets)].filter((text) => text.length >= MIN_TOLD);
  const forms = told.flatMap((text) => {
    const bytes = Buffer.from(text, "utf8");
    const hex = bytes.toString("hex");
    return [inBytes(text), encodeURIComponent(text), inJson(text), hex, hex.toUpperCase(), ...inBase64(bytes)];
  });
  const all = [...new Set(forms)].filter((form) => form.length >= MIN_TOLD);
  return { all, plain: [...new Set(told.map(plainIn))] };
}

const plainIn = (secret: string): string =>
  (secret.match(/[a-z0-9]+/gi) ?? []).reduce((longest, run) => (run.length > longest.length ? run : longest), "");

const inJson = (text: string): string => inBytes(JSON.stringify(text).slice(1, -1));

/** In the middle of other bytes a text has three forms, by where it begins; its ends are mixed with its neighbours. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const from = before === 0 ? 0 : 4;
    const form = whole.toString("base64").slice(from, Math.floor(whole.length / 3) * 4);
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** Whether an answer has one of the forms, escaped or not. */
export function shows(answer: Uint8Array | string, { all, plain }: Forms): boolean {
  let text =
    typeof answer === "string"
      ? inBytes(answer)
      : Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength).toString("latin1");
  for (let layer = 0; layer <= MOST_LAYERS; layer++) {
    if (all.some((form) => text.includes(form))) return true;
    // Pictures and archives have no escapes.
    if (layer === 0 && text.includes("\0")) return false;
    if (text.length > SHORT && !plain.some((run) => text.includes(run))) return false;
    const next = text.replace(ESCAPE, unescaped);
    if (next === text) return false;
    text = next;
  }
  return false;
}

function unescaped(whole: string, ...groups: unknown[]): string {
  const [percent, unit, byte, hex, decimal, sign, name] = groups as (string | undefined)[];
  if (percent !== undefined) return String.fromCharCode(Number.parseInt(percent, 16));
  if (sign !== undefined) return sign;
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(unit ?? byte ?? hex ?? "", 16) : Number(decimal);
  return code <= 0x10ffff ? inBytes(String.fromCodePoint(code)) : whole;
}

/** How many of the last characters of a text may be the beginning of a form. */
export function begunIn(text: string, { all }: Forms): number {
  let most = 0;
  for (const form of all)
    for (let size = Math.min(form.length - 1, text.length); size > most; size--)
      if (text.endsWith(form.slice(0, size))) most = size;
  return most;
}
