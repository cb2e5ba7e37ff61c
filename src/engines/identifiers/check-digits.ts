/** Check digit arithmetic. All functions take digits, or digits and upper-case letters only. */

/** Whether the digits pass Luhn's check (ISO/IEC 7812): every second one from the right counts double. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const counted = place % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}

/** Letters become 10 to 35, as in ISIN and LEI. */
export const lettersToNumbers = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));

/** The sum of each character's value times the weight of its position. A letter's value is its ASCII code minus 48. */
export const weightedSum = (text: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, place) => sum + weight * (text.charCodeAt(place) - 48), 0);
