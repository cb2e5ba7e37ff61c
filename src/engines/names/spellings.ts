/** Unifies spellings of names that differ by romanisation, language or clerk. */

import { once } from "../../lib/lazy.js";

/** Spellings of one sound, from longer to shorter. */
const SOUNDS: [RegExp, string][] = [
  // German writes Zelenskyy as Selenskyj, and Sobolevsky with the same letter.
  [/^z(?=[aeiou]\w*sk[iy])/, "s"],
  [/tsch|tch/g, "ch"],
  [/sch/g, "sh"],
  [/ck|kh|q/g, "k"],
  [/ph/g, "f"],
  [/dj/g, "j"],
  [/dh/g, "d"],
  [/gh/g, "g"],
  [/tz/g, "z"],
  [/x/g, "ks"],
  [/ff$/g, "v"],
  [/ine$/g, "in"],
  [/w/g, "v"],
  [/ij$/g, "i"],
  [/ou|oo|oe|ue|o/g, "u"],
  [/[yei]+/g, "i"],
];

/** Variants that rules cannot unify, each group as people write it. */
const VARIANTS = [
  "muhammad mohammed mohamed mohammad muhammed mohamad mohamud mehmed mohd muhamed",
  "ahmad ahmed ahmet",
  "abdullah abdallah abdulla abdalla",
  "hussein husayn hossein husain hussain husein hosein",
  "khalid khaled halid",
  "said saeed sayid saeid",
  "mahmud mahmoud mahmood",
  "ibrahim ebrahim ibraheem",
  "qasim qasem ghasem kassem qassem qasam",
  "jamal gamal djamel",
  "qadhafi gaddafi kadhafi gadhafi kaddafi qaddafi gadafi kadafi qazzafi",
  "laden ladin",
  "yahya yehia yahia yehya",
  "lukashenko lukashenka loukachenko",
  "yusuf yousef youssef yousuf",
  "sulayman suleiman soleiman soleimani suleyman sulaiman solaiman",
  "rahman rehman rahmani",
  "nasir nasser naser nassir",
  "mustafa mostafa moustafa mustapha",
  "assad asad",
  "sergey sergei serhii serhiy sergio",
  "aleksandr alexander oleksandr aleksander alexandr alejandro alexandre alyaksandr aliaksandr",
  "aleksey alexei alexey oleksii oleksiy aleksei",
  "yevgeny evgeny evgeniy yevgeniy evgenii jewgeni evgeni yevgeni",
  "mikhail michael mykhailo mihail michail",
  "nikolay nikolai mykola nicolai nikolaj",
  "vladimir volodymyr wladimir uladzimir",
  "dmitry dmitri dmitriy dmytro dimitri dmitrii dzmitry",
  "yuri yury yuriy iurii jurij yurii",
  "andrey andrei andriy andrii andrej",
  "pyotr petr petro piotr",
  "igor ihor",
  "gennady gennadiy gennadi hennadii",
  "arkady arkadiy arkadi",
  "viktor victor",
  "grigory grigoriy gregory hryhorii",
  "ivan iwan",
  "khamenei khamenehi",
  "park pak bak",
  "choi choe",
  "kim gim",
  "jong jung jeong chong",
  "un eun",
  "jose josef joseph",
  "johannes johan johann",
];

/** Words of companies, abbreviated or in other languages, by canonical form. */
const WORDS =
  "international: intl int internationale internacional internazionale internasional; manufacturing: mfg manuf; " +
  "national: natl nat nationale nacional; association: assoc assn; brothers: bros; services: svcs svc service; " +
  "technologies: tech technology technologie technologia; university: univ; management: mgmt mgt; engineering: engg engr; " +
  "group: grp gruppe groupe grupo gruppo grupa gruppa koncern; holdings: hldgs hldg holding; industries: inds ind industry industrie; " +
  "development: dev devt; pharmaceuticals: pharma pharm pharmaceutical; bank: bk banque banco banca banka bankasi bankas; " +
  "insurance: ins; financial: fin finl finance; communications: comm comms communication; saint: st sankt; " +
  "electric: elec elect electrical; department: dept; center: ctr centre; laboratories: lab labs laboratory; " +
  "products: prods prod product; systems: sys system; enterprises: ent enterprise; america: amer; " +
  "transport: transports transportation trans; investments: invest investment inv; partners: ptnrs partner; general: gen gnl; " +
  "chemical: chem chemicals; petroleum: petrol; resources: res resource; solutions: solution soln; hospital: hosp; " +
  "foundation: fdn found; committee: cttee; mount: mt; street: str; materials: matl material; instruments: instr instrument; " +
  "telecommunications: telecom; trading: trade; air: airlines airline airways; russia: rossiya rossii; motors: motor; stores: store";

/** Canonical company words. They are ordinary words, so they are not folded before. */
const canonicalWords = /* @__PURE__ */ once(
  () =>
    new Map(
      WORDS.split("; ").flatMap((row) => {
        const [word = "", others = ""] = row.split(": ");
        return others.split(" ").map((other): [string, string] => [other, word]);
      }),
    ),
);

const variants = /* @__PURE__ */ once(
  () =>
    new Map(
      VARIANTS.flatMap((row) => {
        const [first = "", ...others] = row.split(" ").map(foldSounds);
        return others.map((other): [string, string] => [other, first]);
      }),
    ),
);

/** The canonical form of a company word: "international" for "Intl" and "Internationale". */
export const canonicalWord = (word: string): string => canonicalWords().get(word) ?? word;

/** One spelling for names that sound the same: "Usama" and "Osama", "Qadhafi" and "Kadafi", "Sergey" and "Serhii". */
export function foldSpelling(word: string): string {
  if (/\d/.test(word)) return word;
  const folded = foldSounds(canonicalWord(word));
  return variants().get(folded) ?? folded;
}

function foldSounds(word: string): string {
  const folded = SOUNDS.reduce((text, [pattern, spelling]) => text.replace(pattern, spelling), word);
  return folded.replace(/(.)\1+/g, "$1");
}

/** The consonants of a folded word, which is all that Arabic and Hebrew write: "muhamad" and "mhmd" are equal. */
export const skeletonOf = (folded: string): string =>
  folded
    .replace(/(?<=.)h$/, "")
    .replace(/[aeiouyv]/g, "")
    .replace(/g/g, "k")
    .replace(/(.)\1+/g, "$1");
