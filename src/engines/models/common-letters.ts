/** Letters that often follow each other, and the most frequent Han characters. */

/** By letter, the letters that often follow it in English, in code and in Western European languages. */
export const COMMON_PAIRS: Readonly<Record<string, string>> = {
  a: "bcdgilmnprstuvwy",
  b: "aeijloruy",
  c: "acehiklortu",
  d: "aeilos",
  e: "acdefilmnpqrstvwxy",
  f: "aeiortu",
  g: "ehinr",
  h: "aeiortu",
  i: "abcdefgklmnoprstv",
  j: "es",
  k: "eis",
  l: "adeilostuy",
  m: "abeiops",
  n: "acdegilopstuvy",
  o: "bcdfglmnoprstuvw",
  p: "aeiloprstu",
  q: "u",
  r: "acdegikmnorstuy",
  s: "acehioprstuy",
  t: "acehiloprstuwy",
  u: "bcdeilmnprst",
  v: "aei",
  w: "aehino",
  x: "pt",
  y: "mnops",
  z: "",
};

/** Each is about one token in every vocabulary with Chinese. */
export const COMMON_HAN: ReadonlySet<number> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ Array.from(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实" +
      "日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员" +
      "解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象" +
      "完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运這個們國學會說時來對為過發後無與長關業兩間問產電當經開現動進實種樣還從東門員處義條題氣總數報結務場計許統區隊馬" +
      "書聽達權設記類據邊張該規術領傳師觀讓識帶導爭運",
    (character) => character.codePointAt(0) ?? 0,
  ),
);
