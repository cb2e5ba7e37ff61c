/**
 * Names of countries in another form than a list has them: with an article ("die Schweiz"), turned round ("Tanzania, United
 * Republic of"), or with the form of the state ("Republik Island") and the adjective that it may ask for ("République togolaise").
 */

import { foldName } from "./fold.js";

/**
 * Without spaces and vowel signs, which are written in several ways: "Bouvet-Insel", "हौण्डुरस". Not without the last, which
 * makes an adjective: "जापानी".
 */
export const bareOf = (name: string) => name.trim().replace(/\p{M}+(?=.)|\s/gu, "");

/** Articles, prepositions and conjunctions, folded, in the languages that the search of the directory knows and more. */
const LITTLE = new Set(
  (
    "the of של and der die das des dem den und von la le les l du d de et en el los las del y il lo gli i di e della " +
    "dello dell degli delle dei do da dos o os a as het een van ve и dan và va 및 और و का की के ऑफ एंड एवं द det af av og och " +
    "ja in si kaj eta ir un es kai και η το του της των τησ τα та і на al ale lui din ng ang"
  ).split(" "),
);

/** Forms of states in the same languages. "United" and "states" are names, so they count in phrases alone. */
const FORMS = new Set(
  (
    "special administrative region province people's peoples independent state union grand duchy 中国特別行政区 " +
    "dominion speciale provincia regiao provincie prowincja eyaleti wilayah provinsi bersatu provinz " +
    "sonderverwaltungsregion sonderverwaltungszone especial administrativa amministrativa administratieve regio staat " +
    "bund vereinigung sozialistische unabhangiger volks konfoderation eidgenossenschaft etat populaire independant " +
    "duche ile reino estado popular independiente ducado gran independente gra grao comunidade administracao uniao ilha multietnico " +
    "regno stato popolare indipendente plurinazionale hascimita unione onafhankelijke cooperatieve unie bondsstaat " +
    "panstwo socjalistyczna ludowa niezalezne niepodlegle wielonarodowe boliwarianska haszymidzkie kooperacyjna " +
    "wielkie zwiazek unia wspolnota ludowo kooperatywna cumhuriyeti kralligi devleti sosyalist halk bagimsiz " +
    "cokuluslu bolivarci bolivar buyuk dukaligi prensligi birligi milletler toplulugu isbirligi kooperatif " +
    "федеральная независимое особыи административныи раион специальныи герцогство союз جمهوريه مملكه دوله اتحاد سلطنه اماره دوقيه كومنولث جزيره جزر ديمقراطيه " +
    "ديموقراطيه شعبيه اسلاميه اشتراكيه اتحاديه كبري مستقله بوليفاريه هاشميه गणराज्य रिपब्लिक किंगडम साम्राज्य संघीय " +
    "लोकतांत्रिक समाजवादी इस्लामी राज्य स्टेट इस्लामिक डेमोक्रेटिक सोशलिस्ट फेडरल repulik kerajaan negara rakyat " +
    "merdeka plurinasional hasyimiyah keharyapatihan agung kepangeranan kesultanan persemakmuran uni kepemimpinan " +
    "serikat istimewa daerah administratif independen 공화국 왕국 연방 민주 인민 사회주의 " +
    "이슬람 독립국 다민족국 연합국 다국가 볼리바르 공국 대공국 연합 민주주의 인민주의 sarskilda administrativa oberoende stat staten valsts valstybe riigi riik respublica egyesult estatu " +
    "estatua ludova lidova ljudska narodna populara liaudies tautas herri popola folkets és estat suverena souverain " +
    "statut shtet zajednica wielka velke velike unionen unio saveza liga nezavisna nezavisla neodvisna samostatny " +
    "independenta fuggetlen iseseisev itsenainen sjalvstandige uafhængige uafhaengige uavhengige независима незалежна " +
    "независна " +
    // Islands, which some lists say of a country and others do not.
    "محافظه المنطقه منطقه اداريه خاصه islands isle isles insel inseln iles isla islas ilhas isola isole eiland eilanden wyspa wyspy ada adasi adalari " +
    "остров острова kepulauan pulau 섬 제도 द्वीप द्वीपसमूह द्वीपों द्वीपसमुह"
  ).split(" "),
);

/** Hindi writes English words of forms in its own letters, in several ways each, which differ in vowel signs alone. */
const HINDI_FORMS = new Set(
  (
    "रिपब्लिक फेडरेशन फ़ेडरेशन फेडरल फेडेरल फेडरेटिव फेडेरेटड संघीकृत स्टेट स्टेट्स डेमोक्रेटिक डेमेक्रेटिक पीपल्स सोशलिस्ट इस्लामिक इस्लामी किंगडम सल्तनत " +
    "कॉमनवेल्थ प्रिंसिपालिटी प्रिन्सिपलिटी प्रिन्सपलिटी प्रिन्सीपलिटी यूनियन कॉन्फेडरेशन ग्रान्ड ग्रैंड डची इन्डिपेन्डेन्ट इंडिपेंडेंट स्पेशल " +
    "ऐडमिनिस्ट्रेटिव एडमिनिस्ट्रेटिव रीजन प्रोविन्स बोलिवारियन हशेमाइट प्लॊरिनेशनल प्लूरिनेशनल ईस्टर्न गणराज्य जनवादी स्वतंत्र राज्य " +
    "आइलैंड आइलैन्ड आइलैंड्स आइलैन्ड्स समूह"
  )
    .split(" ")
    .map((word) => bareOf(foldName(word))),
);

/** Beginnings of others, in languages that inflect them. */
const FORM_STEMS = (
  "republi errepublik repubblic respublik republyk tasaval koztarsas lyðveldi lydveldi sambandslydveldi " +
  "alþydulydveldi thydulydveldi folkrepubli volksrepubli folkerepubli forbundsrepubli bundesrepubli bondsrepubli " +
  "sambandsrepubli kansantasaval nepkoztarsas rahvavabarii vabarii democra demokra dimokra sociali sosiali socijal " +
  "szocialist islam iszlam federa foder zwiazk zvez kingdom konigreich koninkrijk kongerike konungarik konungsrik " +
  "kongedomme kralovstv kraljevin krolestw karalyst karalist kuningri kuningas kiralysag royaume regat erresum " +
  "reglando principa furstentum vorstendom furstendom fyrstendom fyrsted ksiestw knizectv kneziev knezevin " +
  "suurherttua hercegseg furstad furstir granducat groothertogdom grossherzogtum storhertig velkovojvod storhertugd " +
  "nagyherceg velkoknieza commonwealth mancomunidad gemenebest samvald rahvasteuhend confedera konfedera " +
  "plurinacional plurinational multinational mnohonarod tobbnemzet bolivari bolivarsk hashemit hachemit haschemit " +
  "hasjemit hasimovsk hasemit cooperativ kooperativ sultan республ републ демократ социал соціал соција федерат " +
  "федераци федераці ислам іслам королев королів краљев кралств княж князівств кнежев кнез держав държав држав " +
  "государств народн содружеств співдружн султан великое велике боливар болівар хашим кооперат конфедер многонац " +
  "δημοκρατ βασιλε ομοσπονδ ισλαμικ λαϊκη λαικη σοσιαλ πριγκιπατ κοινοπολιτ κρατοσ κρατος רפובליק דמוקרט ממלכ " +
  "איסלמי פדרל סוציאל נסיכות מדינת המדינה"
).split(" ");

const isForm = (word: string) =>
  FORMS.has(word) ||
  (HINDI_LETTERS.test(word) && HINDI_FORMS.has(bareOf(word))) ||
  FORM_STEMS.some((stem) => word.startsWith(stem));

const HINDI_LETTERS = /\p{Script=Devanagari}/u;

/** Forms of more words than one, among them words that are names elsewhere. */
const PHRASES =
  /(?<!\p{L})(?:co operative|united republic|oriental republic|federated states|republica (?:unida|oriental)|republique (?:unie|orientale)|vereinigte republik|republik ostlich|repubblica (?:unita|orientale)|(?:verenigde|oostelijke) republiek|wschodnia republika|восточная республика|estados federados|etats federes|stati federati|foderierte staaten|gefedereerde staten|federasi negara negara|negara kesatuan|(?:(?:nuoc )?cong hoa|(?:dai )?cong quoc|(?:nuoc|dai|ngoi|chuc) vuong(?: quoc)?|vuong quoc|quoc gia|lien bang|hop chung quoc|nhan dan|dan chu|xa hoi(?: chu nghia)?|hoi giao|doc lap|thong nhat|da dan toc|cai tri|quan dao|mien quan ly dac biet)(?: cua)?)(?!\p{L})/gu;

/** Forms of states that Chinese and Japanese write at the end of a name, without a space. */
const SUFFIXES =
  /(?<=..)(?:民主主义|民主主義|社会主义|社會主義|社会主義|伊斯兰|伊斯蘭|イスラム|多民族|人民|民主|联邦|聯邦|連邦|联合|聯合|独立|獨立|合作|合众|大公|公|侯|王|苏丹|蘇丹)*(?:(?:中国|中國)?特別行政区|共和国|共和國|王国|王國|公国|公國|侯国|侯國|联邦|聯邦|連邦|联盟|聯盟|連合|國協|苏丹国|蘇丹國|国|國)$/u;

export interface Form {
  /** All words but little ones, sorted. */
  words: string;
  /** Those among them that do not tell a form of state, sorted. */
  core: string[];
  /** All words but phrases of forms, in their order. */
  ordered: string[];
  /** Those among them that do not tell a form, without blanks. */
  bare: string;
  /** Whether any word tells one. */
  hasForm: boolean;
  /** Whether little words are the larger part. */
  isMostlyLittle: boolean;
}

/** Takes a folded name apart. */
export function formOf(folded: string): Form {
  const words = wordsOf(folded);
  const rest = wordsOf(folded.replace(PHRASES, " ")).filter((word) => !isForm(word));
  const core = rest.map((word) => word.replace(SUFFIXES, ""));
  const ordered = folded
    .replace(PHRASES, " ")
    .split(" ")
    .filter((word) => word !== "");
  return {
    words: words.join(" "),
    core: core.toSorted(),
    ordered,
    bare: bareOf(ordered.filter((word) => !isForm(word)).join("")),
    hasForm: core.join(" ") !== words.join(" "),
    isMostlyLittle: words.join("").length * 2 < folded.replaceAll(" ", "").length,
  };
}

/** Whether a part of a name tells a form of state: "Republic of". */
export const tellsForm = (folded: string): boolean =>
  folded.replace(PHRASES, " ") !== folded || wordsOf(folded).some(isForm);

/** Without the elided article of Romance languages, and the Arabic and the Hebrew one. */
const ARTICLE = /^(?:(?:l|d|dell|all|nell)'(?=.)|و?ال(?=...)|و(?=....)|ה(?=....))/u;

const wordsOf = (folded: string) =>
  folded
    .replace(/[()（）]/gu, " ")
    .split(" ")
    .map((word) => word.replace(ARTICLE, ""))
    .filter((word) => word !== "" && !LITTLE.has(word))
    .toSorted();

/** Parts of a name with an addition in brackets, which may be another name: "Heiliger Stuhl (Staat Vatikanstadt)". */
export function partsOf(folded: string): string[] {
  const inner = [...folded.matchAll(/[(（]([^()（）]+)[)）]/gu)].map(([, text = ""]) => text.trim());
  return inner.length === 0 ? [folded] : [folded, folded.replace(/ ?[(（][^()（）]*[)）]/gu, "").trim(), ...inner];
}

const ADJECTIVE_ENDING = 5;
const LEAST_STEM = 4;
const LOST_ENDING = 3;

/** Words that have one stem begin with the same letters. */
export const firstLetters = (word: string): string => word.slice(0, LEAST_STEM);

/** How many letters words and a name's words have in common as stems: "Togolaise" and "Togo" have four. */
export function sharedStems(
  words: readonly string[],
  name: readonly string[],
): { shared: number; lost: number } | undefined {
  if (words.length !== name.length) return undefined;
  const left = [...name];
  let shared = 0;
  let lost = 0;
  for (const word of words) {
    const at = bestStem(word, left);
    const [found] = at === undefined ? [] : left.splice(at, 1);
    if (found === undefined) return undefined;
    const stem = prefixLength(word, found);
    shared += stem;
    lost += found.length - stem;
  }
  return { shared, lost };
}

function bestStem(word: string, names: readonly string[]): number | undefined {
  let best: number | undefined;
  let longest = 0;
  for (const [at, name] of names.entries()) {
    const stem = prefixLength(word, name);
    const isStem =
      word === name ||
      (stem >= Math.max(LEAST_STEM, name.length - LOST_ENDING) && word.length - stem <= ADJECTIVE_ENDING);
    if (isStem && stem > longest) [best, longest] = [at, stem];
  }
  return best;
}

function prefixLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
