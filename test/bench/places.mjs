/** Airports and weather stations as their files have them, made up: the same ones in every run. */

const AIRPORT_HEADER =
  '"id","ident","type","name","latitude_deg","longitude_deg","elevation_ft","continent","iso_country","iso_region","municipality","scheduled_service","icao_code","iata_code","gps_code","local_code","home_link","wikipedia_link","keywords"';
const TYPES = ["large_airport", "medium_airport", "heliport", "seaplane_base", "closed", "small_airport"];
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SYLLABLES = ["ber", "lin", "os", "lo", "san", "ta", "ville", "ham", "burg", "ney", "to", "ky", "ro", "ma", "dal"];

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Half lie in North America, as in both files, the others anywhere, fewer towards the poles. */
export function placeFrom(random) {
  const american = random() < 0.5;
  const latitude = american ? 25 + 24 * random() : (Math.asin(2 * random() - 1) * 180) / Math.PI;
  const longitude = american ? -124 + 57 * random() : 360 * random() - 180;
  return { latitude: Number(latitude.toFixed(4)), longitude: Number(longitude.toFixed(4)) };
}

const word = (random, parts) =>
  Array.from({ length: parts }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)])
    .join("")
    .replace(/^./, (letter) => letter.toUpperCase());

/** The number in letters: 0 is A, 26 is BA. */
function lettersOf(number, length) {
  let text = "";
  for (let rest = number, i = 0; i < length; i++, rest = Math.floor(rest / 26)) text = LETTERS[rest % 26] + text;
  return text;
}

/** @returns {Generator<{ line: string, latitude?: number, longitude?: number, closed?: boolean }>} airports.csv */
export function* airports(count) {
  const random = randomFrom(1);
  yield { line: AIRPORT_HEADER };
  for (let i = 0; i < count; i++) {
    const { latitude, longitude } = placeFrom(random);
    const type = TYPES[Math.min(Math.floor(random() * 8), 5)];
    const country = lettersOf(Math.floor(random() * 250), 2);
    const town = word(random, 3);
    const name = `${town} ${word(random, 2)} Airport`;
    const icao = random() < 0.12 ? lettersOf(i, 4) : "";
    const iata = random() < 0.11 ? lettersOf(i % 17_576, 3) : "";
    const local = random() < 0.45 ? `${lettersOf(i, 1)}${i.toString(36).toUpperCase()}`.slice(0, 5) : "";
    const ident = icao || local || `${country}-${String(i % 10_000).padStart(4, "0")}`;
    const link = random() < 0.2 ? `https://en.wikipedia.org/wiki/${town}_${word(random, 2)}_Airport` : "";
    const texts = [country, `${country}-${lettersOf(i % 676, 2)}`, town, iata ? "yes" : "no", icao, iata];
    const place = `${latitude.toFixed(6)},${longitude.toFixed(6)},${Math.floor(9000 * random())}`;
    const codes = [icao || local, local, "", link, random() < 0.3 ? name : ""];
    const line = `${i + 1},${quoted(ident, type, name)},${place},"NA",${quoted(...texts, ...codes)}`;
    yield { line, latitude, longitude, closed: type === "closed" };
  }
}

/** Strings in quotes, nothing at all for an empty one. */
const quoted = (...texts) => texts.map((text) => (text ? `"${text}"` : "")).join(",");

/** @returns {Generator<{ line: string, latitude: number, longitude: number }>} ghcnd-stations.txt */
export function* stations(count) {
  const random = randomFrom(2);
  for (let i = 0; i < count; i++) {
    const { latitude, longitude } = placeFrom(random);
    const id = `US${"1CW"[i % 3]}${String(i).padStart(8, "0")}`;
    const place = `${latitude.toFixed(4).padStart(8)} ${longitude.toFixed(4).padStart(9)}`;
    const name = `${word(random, 3)} ${(12 * random()).toFixed(1)} ${word(random, 2)}`.toUpperCase().padEnd(30);
    const wmo = random() < 0.1 ? String(10_000 + (i % 90_000)) : "     ";
    const elevation = (2000 * random()).toFixed(1).padStart(6);
    const flags = `${random() < 0.01 ? "GSN" : "   "}    `;
    yield { line: `${id} ${place} ${elevation} ${lettersOf(i % 676, 2)} ${name} ${flags} ${wmo}`, latitude, longitude };
  }
}
