import { passesLuhn } from "./check-digits.js";

/** La Poste ran out of numbers that pass Luhn for its offices: theirs have a digit sum divisible by 5 instead. */
const LA_POSTE = "356000000";
const LA_POSTE_HEADQUARTERS = "35600000000048";

/** A French company's number, nine digits, with or without blanks. Undefined if the check digit is wrong. */
export function readSiren(text: string): string | undefined {
  const siren = text.replace(/\s/g, "");
  return /^\d{9}$/.test(siren) && passesLuhn(siren) ? siren : undefined;
}

/** A French establishment's number, 14 digits that begin with the company's. Undefined if a check digit is wrong. */
export function readSiret(text: string): string | undefined {
  const siret = text.replace(/\s/g, "");
  if (!/^\d{14}$/.test(siret) || !passesLuhn(siret.slice(0, 9))) return undefined;
  const isOffice = siret.startsWith(LA_POSTE) && siret !== LA_POSTE_HEADQUARTERS;
  return (isOffice ? digitSum(siret) % 5 === 0 : passesLuhn(siret)) ? siret : undefined;
}

const digitSum = (digits: string) => [...digits].reduce((sum, digit) => sum + Number(digit), 0);
