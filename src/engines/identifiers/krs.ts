/** A number of Poland's National Court Register: ten digits without a check digit. Undefined for anything else. */
export function readKrs(text: string): string | undefined {
  const krs = text.trim();
  return /^\d{10}$/.test(krs) ? krs : undefined;
}
