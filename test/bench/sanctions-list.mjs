/** A list of the size and make of the real one: persons, companies and vessels of many languages, with aliases. */
const GIVEN =
  "muhammad ali hassan abdul ahmad vladimir sergey dmitry aleksandr ivan juan carlos jose luis maria kim jong ri chol hussein mahmud reza hossein karim omar yusuf".split(
    " ",
  );
const TRADES =
  "trading shipping petroleum general investment aviation industries electronics bank holding construction international marine energy engineering foundation".split(
    " ",
  );
const PLACES =
  "iran tehran damascus syria moscow russian pyongyang korea havana caracas libya east gulf asia black sea".split(" ");
const FORMS = ["LLC", "CO", "LTD.", "COMPANY", "JSC", "S.A.", "GMBH", "FZE", ""];
const STARTS = "b ch d f g h j k kh l m n p q r s sh t v w y z".split(" ");
const VOWELS = "a e i o u aa ou ai".split(" ");
const ENDS = ["", "", "n", "r", "d", "m", "v", "z", "k", "ni"];

/** Equal numbers for an equal seed (Lehmer's generator). */
function seeded(seed) {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

/** @returns {{ entries: object[], aliases: object[] }} entries and aliases as the list's files have them */
export function makeList({ entries: count, aliases: aliasCount }) {
  const random = seeded(4711);
  const pick = (list) => list[random(list.length)];
  const word = () => Array.from({ length: 2 + random(2) }, () => pick(STARTS) + pick(VOWELS) + pick(ENDS)).join("");
  const person = () => `${word()}, ${pick(GIVEN)} ${random(2) ? pick(GIVEN) : word()}`.toUpperCase();
  const company = () =>
    `${word()} ${random(2) ? pick(PLACES) : word()} ${pick(TRADES)} ${pick(FORMS)}`.trim().toUpperCase();
  const name = (type) => (type === "individual" ? person() : type === "vessel" ? word().toUpperCase() : company());
  const entries = Array.from({ length: count }, (_, position) => {
    const type = pick(["individual", "individual", "organization", "organization", "vessel"]);
    return { entNum: position + 1, name: name(type), type, programs: ["SDGT"], remarks: null };
  });
  const aliases = Array.from({ length: aliasCount }, () => {
    const { entNum, type } = pick(entries);
    return { entNum, name: name(type), type: "aka" };
  });
  return { entries, aliases };
}
