/** Geohashes: halves of longitude and latitude in turn, five to a letter. */
import type { Bounds, Point } from "./point.js";

const ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz";
const LONGEST_GEOHASH = 12;

/** Whether a text in lower case has the letters of one. */
export const isGeohash = (text: string): boolean => text.length <= LONGEST_GEOHASH && /^[0-9b-hjkmnp-z]+$/.test(text);

export function toGeohash({ latitude, longitude }: Point, length: number): string {
  const area = { south: -90, west: -180, north: 90, east: 180 };
  let hash = "";
  while (hash.length < length) {
    let letter = 0;
    for (let bit = 0; bit < 5; bit++) {
      const isEast = (hash.length * 5 + bit) % 2 === 0;
      const middle = middleOf(area, isEast);
      const isUpper = (isEast ? longitude : latitude) >= middle;
      letter = letter * 2 + Number(isUpper);
      narrow(area, isEast, isUpper, middle);
    }
    hash += ALPHABET[letter];
  }
  return hash;
}

export function geohashBounds(hash: string): Bounds {
  const area = { south: -90, west: -180, north: 90, east: 180 };
  let isEast = true;
  for (const letter of hash)
    for (let bit = 16, value = ALPHABET.indexOf(letter); bit >= 1; bit /= 2) {
      narrow(area, isEast, (value & bit) > 0, middleOf(area, isEast));
      isEast = !isEast;
    }
  return area;
}

const middleOf = ({ south, west, north, east }: Bounds, isEast: boolean): number =>
  isEast ? (west + east) / 2 : (south + north) / 2;

function narrow(area: Bounds, isEast: boolean, isUpper: boolean, middle: number): void {
  if (isEast) area[isUpper ? "west" : "east"] = middle;
  else area[isUpper ? "south" : "north"] = middle;
}
