/** Whether bytes are exactly one SEQUENCE of DER whose members fill it: a key, a certificate or a request, and nothing by chance. */
export function isDerSequence(bytes: Uint8Array): boolean {
  const whole = headerAt(bytes, 0);
  if (bytes[0] !== 0x30 || !whole || whole.end !== bytes.length) return false;
  let [at, members] = [whole.start, 0];
  while (at < whole.end) {
    const member = headerAt(bytes, at);
    if (!member || member.end > whole.end) return false;
    at = member.end;
    members++;
  }
  return members > 1;
}

/** Whether bytes begin with a SEQUENCE of DER that they hold to its end. */
export function beginsDerSequence(bytes: Uint8Array): boolean {
  const whole = headerAt(bytes, 0);
  return bytes[0] === 0x30 && whole !== undefined && whole.end <= bytes.length;
}

/** Where the content of a value begins and ends. */
function headerAt(bytes: Uint8Array, at: number): { start: number; end: number } | undefined {
  const first = bytes[at + 1];
  if (first === undefined) return undefined;
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const count = first & 0x7f;
  if (count === 0 || count > 3 || at + 2 + count > bytes.length) return undefined;
  let length = 0;
  for (const byte of bytes.subarray(at + 2, at + 2 + count)) length = length * 256 + byte;
  const start = at + 2 + count;
  return { start, end: start + length };
}
