/**
 * Converts between US registrations (N-numbers) and transponder addresses: a00001 is N1, adf7c7 is N99999. Between them
 * each registration is followed by those that begin with it, letters before digits: N1, N1A, N1AA, ..., N10.
 */
const FIRST_ADDRESS = 0xa00001;
const LAST_ADDRESS = 0xadf7c7;
/** I and O are not used: they look like 1 and 0. */
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ";
/** Number of registrations that begin with the given first one, two, three or four digits. */
const BLOCKS = [101_711, 10_111, 951, 35];
/** Number of letter suffixes of a registration with fewer than four digits: none, one letter, or a pair. */
const SUFFIXES = 1 + LETTERS.length * (1 + LETTERS.length);

/** Whether the address belongs to the US range. */
export function isUsAddress(icao24: string): boolean {
  const address = Number.parseInt(icao24, 16);
  return address >= FIRST_ADDRESS && address <= LAST_ADDRESS;
}

/** The address of a registration ("N757F" gives "aa3487"); undefined for an invalid one, such as N1234I or N012. */
export function addressOf(tail: string): string | undefined {
  const [, digits = "", letters = ""] = /^N([1-9]\d{0,4})([A-HJ-NP-Z]{0,2})$/.exec(tail) ?? [];
  if (!digits || digits.length + letters.length > 5) return undefined;
  let offset = 0;
  for (const [place, digit] of [...digits].entries()) {
    if (place === 0) offset += (Number(digit) - 1) * sizeAt(place);
    else if (place === 4) offset += 1 + LETTERS.length + Number(digit);
    // A registration that ends here, or continues with letters, precedes those that continue with a digit.
    else offset += SUFFIXES + Number(digit) * sizeAt(place);
  }
  return (FIRST_ADDRESS + offset + suffixOffset(letters, 5 - digits.length)).toString(16);
}

const sizeAt = (place: number) => BLOCKS[place] ?? 1;

/** With one place left, a second letter is impossible. */
function suffixOffset(letters: string, placesLeft: number): number {
  const [first, second] = [...letters].map((letter) => LETTERS.indexOf(letter));
  if (first === undefined) return 0;
  if (placesLeft === 1) return 1 + first;
  return 1 + first * (1 + LETTERS.length) + (second === undefined ? 0 : 1 + second);
}
