/**
 * Writes src/engines/chinese/phrase-readings.ts: what pinyin-pro alone reads otherwise than two independent lists do.
 *
 *     PINYIN_LISTS=<folder> node scripts/generate-phrase-readings.mjs
 *
 * The lists, of which those of one family count once, as they were made of each other:
 *
 * - npm pinyin (MIT) and `pinyin.txt` of github.com/mozillazg/phrase-pinyin-data (cee0ed6, MIT);
 * - npm @pinyin-pro/data (ISC);
 * - `zdic_cybs.txt` of the same and `zdic_cibs.txt` of github.com/mozillazg/pypinyin-dict (d8a12d7, MIT);
 * - `cc_cedict.txt` of the first (CC-CEDICT, CC BY-SA): it confirms what stands in another list, and adds nothing of its own.
 *
 * What a character is read as where no phrase tells is counted in `dev.sent` and `dev.lb` of github.com/kakaobrain/g2pM
 * (170526e, Apache-2.0), and has to be usual in CC-CEDICT as well.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { addDict, pinyin, removeDict } from "pinyin-pro";

const require = createRequire(import.meta.url);
export const TABLE_PATH = fileURLToPath(new URL("../src/engines/chinese/phrase-readings.ts", import.meta.url));
export const LISTS = process.env.PINYIN_LISTS ?? fileURLToPath(new URL("../../shared/pinyin-lists", import.meta.url));
export const hasLists = () =>
  ["cc_cedict.txt", "zdic_cibs.txt", "dev.sent"].every((file) => existsSync(join(LISTS, file)));

const LONGEST = 8;
const NEEDED = 2;

/** All syllables of Mandarin, without their tones. */
const SYLLABLES = new Set(
  (
    "a ai an ang ao ba bai ban bang bao bei ben beng bi bian biang biao bie bin bing bo bu ca cai can cang cao ce " +
    "cen ceng cha chai chan chang chao che chen cheng chi chong chou chu chua chuai chuan chuang chui chun chuo ci " +
    "cong cou cu cuan cui cun cuo da dai dan dang dao de dei den deng di dia dian diao die ding diu dong dou du " +
    "duan dui dun duo e ê ei en eng er fa fan fang fei fen feng fo fou fu ga gai gan gang gao ge gei gen geng gong " +
    "gou gu gua guai guan guang gui gun guo ha hai han hang hao he hei hen heng hm hng hong hou hu hua huai huan " +
    "huang hui hun huo ji jia jian jiang jiao jie jin jing jiong jiu ju juan jue jun ka kai kan kang kao ke kei ken " +
    "keng kong kou ku kua kuai kuan kuang kui kun kuo la lai lan lang lao le lei leng li lia lian liang liao lie " +
    "lin ling liu lo long lou lu luan lun luo lü lüe m ma mai man mang mao me mei men meng mi mian miao mie min " +
    "ming miu mo mou mu n na nai nan nang nao ne nei nen neng ng ni nian niang niao nie nin ning niu nong nou nu " +
    "nuan nuo nü nüe o ou pa pai pan pang pao pei pen peng pi pian piao pie pin ping po pou pu qi qia qian qiang " +
    "qiao qie qin qing qiong qiu qu quan que qun ran rang rao re ren reng ri rong rou ru rua ruan rui run ruo sa " +
    "sai san sang sao se sen seng sha shai shan shang shao she shei shen sheng shi shou shu shua shuai shuan shuang " +
    "shui shun shuo si song sou su suan sui sun suo ta tai tan tang tao te tei teng ti tian tiao tie ting tong tou " +
    "tu tuan tui tun tuo wa wai wan wang wei wen weng wo wu xi xia xian xiang xiao xie xin xing xiong xiu xu xuan " +
    "xue xun ya yan yang yao ye yi yin ying yo yong you yu yuan yue yun za zai zan zang zao ze zei zen zeng zha " +
    "zhai zhan zhang zhao zhe zhei zhen zheng zhi zhong zhou zhu zhua zhuai zhuan zhuang zhui zhun zhuo zi zong zou " +
    "zu zuan zui zun zuo"
  ).split(" "),
);
const MARKS = /[\u0300\u0301\u0304\u030c]/g;

/** Whether a syllable is one, with one tone or none. */
export function isSyllable(text) {
  const apart = text.normalize("NFD");
  return SYLLABLES.has(apart.replace(MARKS, "").normalize("NFC")) && (apart.match(MARKS) ?? []).length <= 1;
}

const isPhrase = (text) => new RegExp(`^\\p{Script=Han}{2,${LONGEST}}$`, "u").test(text);

/** A list of lines "phrase: syllables", where a phrase may stand several times. */
export function readList(file) {
  const list = new Map();
  for (const line of readFileSync(join(LISTS, file), "utf8").split("\n")) {
    const [phrase, reading] = line.replace(/#.*/, "").split(": ");
    if (!reading) continue;
    list.set(phrase, [...(list.get(phrase) ?? []), reading.trim().split(/\s+/)]);
  }
  return list;
}

const fromEntries = (entries, readingOf) => new Map(entries.map(([phrase, value]) => [phrase, [readingOf(value)]]));

function families() {
  const hotoo = fromEntries(Object.entries(require("pinyin/data/phrases-dict.js")), (value) =>
    value.map(([first]) => first),
  );
  const pro = fromEntries(Object.entries(require("@pinyin-pro/data/complete.json")), ([reading]) => reading.split(" "));
  return [
    [hotoo, readList("pinyin.txt")],
    [pro],
    [readList("zdic_cybs.txt"), readList("zdic_cibs.txt")],
    [readList("cc_cedict.txt")],
  ];
}

/** 一 and 不 change their tone before others, which the lists show here and there, and the library everywhere. */
const changesTone = (character) => character === "一" || character === "不";
const comparable = (phrase, syllables) =>
  [...phrase].map((character, at) => (changesTone(character) ? "*" : syllables[at])).join(" ");

/**
 * The readings of each phrase that lists of two families have, the most frequent first. Where they agree on two that differ in
 * neutral tones alone, CC-CEDICT says which: it marks these, where others write the tone that a character has by itself.
 * What @pinyin-pro/data and CC-CEDICT have outweighs the older lists (都柏林, 还款) if CC-CEDICT has no second reading, or
 * if phrase-pinyin-data has it too, or if it differs in neutral tones alone (故事).
 */
function agreedReadings() {
  const lists = families();
  const [[, common], [modern], , [marked]] = lists;
  const agreed = [];
  for (const phrase of new Set(lists.flat().flatMap((list) => [...list.keys()].filter(isPhrase)))) {
    const votes = new Map();
    for (const family of lists) {
      const readings = family
        .flatMap((list) => list.get(phrase) ?? [])
        .filter((one) => one.length === [...phrase].length);
      for (const reading of new Set(
        readings.filter((one) => one.every(isSyllable)).map((one) => comparable(phrase, one)),
      ))
        votes.set(reading, (votes.get(reading) ?? 0) + 1);
    }
    const readings = [...votes]
      .filter(([, count]) => count >= NEEDED)
      .sort(([one, ones], [other, others]) => others - ones || neutralsOf(one) - neutralsOf(other))
      .map(([reading]) => reading);
    const own = (marked.get(phrase) ?? []).map((one) => comparable(phrase, one));
    const sure = (modern.get(phrase) ?? []).map((one) => comparable(phrase, one)).find((one) => own.includes(one));
    const isSure =
      new Set(own).size === 1 ||
      (common.get(phrase) ?? []).some((one) => comparable(phrase, one) === sure) ||
      (sure && readings[0] && isSameButFull(readings[0], sure));
    if (sure && isSure && sure.split(" ").every((one) => one === "*" || isSyllable(one))) {
      agreed.push([phrase, [sure]]);
      continue;
    }
    const confirmed = readings.find((reading) => own.includes(reading));
    if (confirmed && toneless(confirmed) === toneless(readings[0])) agreed.push([phrase, [confirmed]]);
    else if (readings.length > 0) agreed.push([phrase, readings]);
  }
  return agreed;
}

/** A sentence with one of its characters marked by "▁", and that character's reading as "le5". */
export function readSentences(name) {
  const lines = (file) => readFileSync(join(LISTS, file), "utf8").trimEnd().split("\n");
  const labels = lines(`${name}.lb`);
  return lines(`${name}.sent`).map((sentence, i) => {
    const [before, character, after] = sentence.split("▁");
    return { text: before + character + after, at: [...before].length, character, label: labels[i] };
  });
}

const TONES = ["\u0304", "\u0301", "\u030c", "\u0300"];
/** "lǜ" as "lu:4", and "le" as "le5". */
export function numbered(syllable) {
  const apart = syllable.normalize("NFD");
  const tone = TONES.findIndex((mark) => apart.includes(mark)) + 1 || 5;
  return apart.replace(MARKS, "").replace("u\u0308", "u:") + tone;
}

const SEEN = 8;
const GAIN = 3;
const SURE = 0.8;
const USUAL = 0.4;

/** The characters that texts mostly read otherwise than the library does where no phrase tells it. */
function characterReadings() {
  const dictionary = new Map();
  for (const [phrase, readings] of readList("cc_cedict.txt"))
    for (const [at, syllable] of readings[0].entries()) {
      const key = [...phrase][at] + numbered(syllable);
      dictionary.set(key, (dictionary.get(key) ?? 0) + 1);
    }
  const byCharacter = new Map();
  for (const { text, at, character, label } of readSentences("dev")) {
    const read = numbered(pinyin(text, { type: "all" })[at]?.pinyin ?? "");
    byCharacter.set(character, [...(byCharacter.get(character) ?? []), { label, read }]);
  }
  const chosen = [];
  for (const [character, rows] of byCharacter) {
    const usual = numbered(pinyin(character));
    const plain = rows.filter(({ read }) => read === usual);
    const best = mostFrequent(rows.map(({ label }) => label));
    const right = plain.filter(({ label }) => label === best).length;
    const lost = plain.filter(({ label }) => label === usual).length;
    const share = (dictionary.get(character + best) ?? 0) / (dictionary.get(character + usual) ?? 1);
    if (best === usual || plain.length < SEEN || right - lost < GAIN || right / plain.length < SURE || share < USUAL)
      continue;
    const others = pinyin(character, { multiple: true, type: "array" });
    const own = others.find((one) => numbered(one) === best);
    if (own) chosen.push([character, [own, ...others.filter((one) => one !== own)].join(" ")]);
  }
  return chosen;
}

const WORDS = 300;
const NEARLY_ALL = 0.9;

/** The characters that are neutral at the end of nearly all words that have them there, as two lists agree: 儿. */
function neutralEndings() {
  const counts = families().map((lists) => {
    const family = new Map();
    for (const [phrase, [reading]] of lists.flatMap((list) => [...list])) {
      const last = [...phrase].at(-1);
      const count = family.get(last) ?? { words: 0, neutral: 0 };
      count.words++;
      if (numbered(reading.at(-1)).endsWith("5")) count.neutral++;
      family.set(last, count);
    }
    return family;
  });
  const isNeutral = (character) => (family) => {
    const { words, neutral } = family.get(character) ?? { words: 0, neutral: 0 };
    return words >= WORDS && neutral / words >= NEARLY_ALL;
  };
  return [...counts[0].keys()]
    .filter((character) => counts.filter(isNeutral(character)).length >= NEEDED)
    .map((character) => [character, pinyin(character, { multiple: true, type: "array" })])
    .filter(([, [usual]]) => !numbered(usual).endsWith("5"))
    .map(([character, readings]) => [character, [toneless(readings[0]), ...readings].join(" ")]);
}

function mostFrequent(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0][0];
}

const neutralsOf = (reading) => reading.split(" ").filter((syllable) => numbered(syllable).endsWith("5")).length;
const toneless = (reading) => reading.normalize("NFD").replace(MARKS, "");

/** Of readings that as many lists have, the one with the fuller tones. */
const isSameButFull = (best, read) => toneless(best) === toneless(read) && neutralsOf(best) < neutralsOf(read);

/** The text of the generated module. */
export function renderPhraseReadings() {
  for (const dictionary of ["corrections", "characters", "coinslot"]) removeDict(dictionary);
  const agreed = agreedReadings();
  const readings = new Map();

  /** Adds what is read wrongly with all that was added before: a part that is right often makes the whole right. */
  function correct(list) {
    const wrong = [];
    for (const [phrase, [best, ...others]] of list) {
      const read = pinyin(phrase, { type: "array" });
      if (read.length !== [...phrase].length || comparable(phrase, read) === best) continue;
      if (others.includes(comparable(phrase, read)) && !isSameButFull(best, comparable(phrase, read))) continue;
      const right = best.split(" ").map((syllable, at) => (syllable === "*" ? read[at] : syllable));
      if (right.every(isSyllable)) wrong.push([phrase, right.join(" ")]);
    }
    addDict(Object.fromEntries(wrong), "corrections");
    for (const [phrase, reading] of wrong) readings.set(phrase, reading);
  }
  const correctAll = () => {
    for (let length = 2; length <= LONGEST; length++)
      correct(agreed.filter(([phrase]) => [...phrase].length === length));
  };

  correctAll();
  const characters = [...characterReadings(), ...neutralEndings()];
  removeDict("corrections");
  readings.clear();
  // The lists have it in other characters, 甚麼, which are simplified before they are read.
  readings.set("甚么", "shén me");
  addDict(Object.fromEntries(characters), { name: "characters", dict1: "replace" });
  correctAll();
  for (const dictionary of ["corrections", "characters"]) removeDict(dictionary);

  const sorted = (entries) =>
    [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).map((entry) => entry.join(" "));
  return `/**
 * Readings that pinyin-pro alone has otherwise, each as two independent lists have it, among them npm pinyin
 * (https://github.com/hotoo/pinyin, MIT), @pinyin-pro/data (https://github.com/chinese-data/pinyin-pro-data, ISC) and
 * phrase-pinyin-data (https://github.com/mozillazg/phrase-pinyin-data, MIT); characters after the sentences of CPP
 * (https://github.com/kakaobrain/g2pM, Apache-2.0), or neutral at the end of nearly all words.
 * Generated by scripts/generate-phrase-readings.mjs; not to be edited by hand.
 */

/** ${characters.length} characters, each with its readings, the one that it has where no phrase tells it first. */
export const CHARACTER_READINGS = \`${sorted(characters).join("\n")}\`;

/** ${readings.size} simplified phrases, each with its syllables; one a line. */
export const PHRASE_READINGS = \`${sorted(readings).join("\n")}\`;
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeFileSync(TABLE_PATH, renderPhraseReadings());
