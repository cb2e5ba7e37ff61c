/** Names of countries by what is compared when none stands in a list as it is written. */

import { foldName } from "./fold.js";
import { bareOf, type Form, firstLetters, formOf } from "./forms.js";
import { FURTHER_NAMES } from "./further-names.js";
import type { NamedCountry } from "./names.js";
import { isVietnamese, soundOf } from "./sounds.js";

interface Core {
  words: string[];
  codes: Set<string>;
}

export interface Index {
  /** Codes by the sorted words of names. */
  words: Map<string, Set<string>>;
  /** Codes by the sorted words of names that do not tell a form of state, apart from namesakes. */
  cores: Map<string, Core>;
  /** The same by the first letters of each of these words. */
  stems: Map<string, Set<Core>>;
  /** Codes by names without spaces and vowel signs, which are written in several ways: "Bouvet-Insel", "हौण्डुरस". */
  bare: Map<string, Set<string>>;
  /** Codes by how names sound, apart from namesakes. */
  sounds: Map<string, Set<string>>;
  /** And by those beside a form of state, where an adjective may stand: "French Republic". */
  statesSounds: Map<string, Set<string>>;
}

/**
 * Which of these a name means depends on the form alone: the Republic of China is not the People's Republic of China.
 */
const NAMESAKES = new Set(["CD", "CG", "CN", "TW", "KP", "KR"]);

/** One for each list, made when a name is first asked for that stands in no list. */
const indexes = new WeakMap<readonly NamedCountry[], Index>();

export function indexOf(countries: readonly NamedCountry[]): Index {
  const known = indexes.get(countries);
  if (known) return known;
  const index: Index = {
    words: new Map(),
    cores: new Map(),
    stems: new Map(),
    bare: new Map(),
    sounds: new Map(),
    statesSounds: new Map(),
  };
  for (const named of countries) addCountry(index, named);
  for (const codes of [index.words, index.bare, index.sounds, index.statesSounds]) codes.delete("");
  indexes.set(countries, index);
  return index;
}

function addCountry(index: Index, { country, names }: NamedCountry): void {
  const { alpha2 } = country;
  const inSyllables = new Set((FURTHER_NAMES.get(alpha2) ?? []).filter(isVietnamese).map(foldName));
  for (const name of [names.english, names.native, names.cldr, names.other].flat()) {
    const form = formOf(name);
    add(index.bare, bareOf(name), alpha2);
    if (inSyllables.has(name)) addSyllables(index, form, alpha2);
    else {
      add(index.words, form.words, alpha2);
      if (!NAMESAKES.has(alpha2) && form.core.length > 0) addCore(index, form, alpha2);
    }
  }
}

/** Without words, which are those of other languages: "Môn-đô-va" has "do" and "va". */
function addSyllables(index: Index, { ordered }: Form, alpha2: string): void {
  add(index.bare, bareOf(ordered.join("")), alpha2);
  if (!NAMESAKES.has(alpha2)) add(index.sounds, soundOf(ordered, true) ?? "", alpha2);
}

function addCore(index: Index, { core, hasForm }: Form, alpha2: string): void {
  const key = core.join(" ");
  const entry = index.cores.get(key) ?? { words: core, codes: new Set() };
  index.cores.set(key, entry);
  entry.codes.add(alpha2);
  for (const word of core) add(index.stems, firstLetters(word), entry);
  const sound = soundOf(core, false) ?? "";
  add(index.statesSounds, sound, alpha2);
  if (!hasForm) add(index.sounds, sound, alpha2);
}

function add<Value>(map: Map<string, Set<Value>>, key: string, value: Value): void {
  const values = map.get(key) ?? new Set();
  map.set(key, values.add(value));
}
