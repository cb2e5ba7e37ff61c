/** International bank account numbers (ISO 13616): length in each country, and check digits. */
import { mod97 } from "../numbers/arithmetic.js";
import { IBAN_FORMATS } from "../numbers/iban-table.js";

/** Lengths in use in countries that the registry does not list. */
const UNREGISTERED: Readonly<Record<string, number>> = {
  ...{ AO: 25, BF: 28, BJ: 28, CF: 27, CG: 27, CI: 28, CM: 27, CV: 25, DZ: 26, GA: 27, GQ: 27, GW: 25, IR: 26, KM: 27 },
  ...{ MA: 28, MG: 27, ML: 28, MZ: 25, NE: 28, SN: 28, TD: 27, TG: 28 },
};

const HEAD_LENGTH = 4;

export function ibanLengths(): ReadonlyMap<string, number> {
  const registered = IBAN_FORMATS.split(" ").map((row): [string, number] => {
    const [country = "", structure = ""] = row.split(":");
    const length = (structure.match(/\d+/g) ?? []).reduce((all, count) => all + Number(count), HEAD_LENGTH);
    return [country, length];
  });
  return new Map([...registered, ...Object.entries(UNREGISTERED)]);
}

/** With the first four characters moved to the end and letters as numbers, the remainder modulo 97 is 1. */
export function isIban(text: string): boolean {
  const iban = text.replace(/[^A-Z0-9]/g, "");
  return mod97(iban.slice(HEAD_LENGTH) + iban.slice(0, HEAD_LENGTH)) === 1;
}
