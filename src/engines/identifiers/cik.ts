/**
 * A filer's Central Index Key at the SEC as plain digits, from 320193, 0000320193 or CIK0000320193. It has no check
 * digit. Undefined for anything else, zero included.
 */
export function readCik(text: string): string | undefined {
  const [, digits] = /^(?:CIK)?0*([1-9]\d{0,9})$/i.exec(text.trim()) ?? [];
  return digits;
}

/** Ten digits, as in the SEC's addresses. */
export const padCik = (cik: string): string => cik.padStart(10, "0");
