/**
 * A company number of the UK's Companies House: eight characters; old lists omit leading zeros. "445790" is 00445790
 * and "sc45551" is SC045551. It has no check digit. Undefined for anything else.
 */
export function readCompanyNumber(text: string): string | undefined {
  const number = text.replace(/\s/g, "").toUpperCase();
  const [, prefix, digits] = /^([A-Z]{0,2})(\d+)$/.exec(number) ?? [];
  const full = prefix === undefined || digits === undefined ? number : prefix + digits.padStart(8 - prefix.length, "0");
  // Numbers of societies and royal charters also end in a letter: IP12345R, SP0123RS.
  return /^[A-Z]{0,2}\d{4,8}[A-Z]{0,2}$/.test(full) && full.length === 8 ? full : undefined;
}
