/**
 * Spellings of legal forms, so that names can be compared without them. Their meaning is kept coarse: tradable shares,
 * private shares, or partners. Forms are translated freely ("OOO" is written LLC and Ltd.), so only these three
 * distinguish companies.
 */

import { once } from "../../lib/lazy.js";

const SHARES = 1;
const PRIVATE = 2;
const PARTNERS = 4;
/** Forms that may mean any of them, such as "company". */
export const ANY_FORM = SHARES | PRIVATE | PARTNERS;

/** Lower-case Latin, words separated by one blank, forms by commas. */
const SPELLINGS: [kinds: number, spellings: string][] = [
  [
    SHARES,
    "plc, public limited company, public company limited, inc, incorporated, corp, corporation, ag, aktiengesellschaft, " +
      "se, societas europaea, sa, s a, ste anonyme, societe anonyme, sociedad anonima, sociedade anonima, sociedad por acciones, " +
      "sa de cv, s a de c v, sab de cv, sab de c v, sa de c v, sab, s a b de c v, sociedad anonima de capital variable, spa, s p a, societa per azioni, " +
      "nv, n v, naamloze vennootschap, asa, allmennaksjeselskap, oyj, abp, julkinen osakeyhtio, publ, kk, k k, kabushiki kaisha, " +
      "kabushiki gaisha, jsc, ojsc, pjsc, cjsc, joint stock company, joint stock, open joint stock company, public joint stock company, closed joint stock company, " +
      "pao, oao, zao, ao, pat, prat, publichnoe aktsionernoe obshchestvo, otkrytoe aktsionernoe obshchestvo, " +
      "zakrytoe aktsionernoe obshchestvo, aktsionernoe obshchestvo, publichne aktsionerne tovarystvo, " +
      "pryvatne aktsionerne tovarystvo, ad, a d, ead, aktsionerno druzhestvo, dd, d d, dionicko drustvo, delnicka druzba, " +
      "akciova spolecnost, akciova spolocnost, zrt, nyrt, tbk, bhd, berhad, spolka akcyjna, anonim sirketi, anonim sirket, " +
      "a e, anonymi etaireia, anonymos etairia, wpk, kgaa, scpa, cong ty co phan, qpsc, ksc, psc, saog, saoc, sae, s a e, sal",
  ],
  [
    PRIVATE,
    "gmbh, gesellschaft mit beschrankter haftung, gesellschaft mit beschraenkter haftung, ges m b h, gesmbh, mbh, m b h, ug, " +
      "unternehmergesellschaft, ug haftungsbeschrankt, llc, l l c, limited liability company, limited liability, lc, pllc, " +
      "sarl, s a r l, societe a responsabilite limitee, sas, s a s, sasu, societe par actions simplifiee, eurl, srl, s r l, " +
      "societa a responsabilita limitata, societate cu raspundere limitata, sociedad de responsabilidad limitada, " +
      "s de rl de cv, s de rl de c v, s de r l de c v, s de rl, sl, s l, slu, s l u, sociedad limitada, sociedad limitada unipersonal, " +
      "bv, b v, besloten vennootschap, aps, anpartsselskab, ooo, " +
      "obshchestvo s ogranichennoi otvetstvennostyu, obshchestvo s ogranichennoy otvetstvennostyu, tov, " +
      "tovarystvo z obmezhenoyu vidpovidalnistyu, too, sp z o o, spolka z o o, spolka z ograniczona odpowiedzialnoscia, spzoo, " +
      "sro, s r o, spol s r o, spolecnost s rucenim omezenym, kft, korlatolt felelossegu tarsasag, doo, d o o, " +
      "drustvo s ogranicenom odgovornoscu, ood, eood, druzhestvo s ogranichena otgovornost, uab, uzdaroji akcine bendrove, sia, " +
      "sabiedriba ar ierobezotu atbildibu, ou, osauhing, pty ltd, pty limited, pty, proprietary limited, pte ltd, pte limited, " +
      "pte, private limited, pvt ltd, pvt limited, pvt, p ltd, sdn bhd, sendirian berhad, sdn, ltda, limitada, eireli, eirl, " +
      "lda, unipessoal lda, gk, godo kaisha, yk, yugen kaisha, yugen gaisha, wll, w l l, fze, fzco, fzc, fz llc, fz llc, dmcc, " +
      "limited sirketi, ltd sti, dac, designated activity company, epe, cong ty tnhh, cong ty trach nhiem huu han",
  ],
  // English "Limited" is a small company, a listed one in Hong Kong or India, and the translation of every other form.
  [
    SHARES | PRIVATE,
    "ltd, limited, co ltd, co limited, company limited, aktiebolag, aktiebolaget, ab, a b, oy, osakeyhtio, oy ab, as, a s, aktieselskab, " +
      "aksjeselskap, aktsiaselts, hf, ehf, dba, gongsi, youxian gongsi",
  ],
  [
    PARTNERS,
    "lp, l p, limited partnership, llp, l l p, lllp, limited liability partnership, kg, k g, kommanditgesellschaft, " +
      "gmbh co kg, gmbh and co kg, ag co kg, gmbh co kgaa, ohg, offene handelsgesellschaft, gbr, scs, snc, s n c, " +
      "societe en commandite, societe en nom collectif, cv, c v, vof, sca, ky, kommandiittiyhtio, ks, k s, sp k, spk, spolka komandytowa, " +
      "sp j, spolka jawna, ag and co kg, kommandittselskap, kommanditbolag",
  ],
  [
    ANY_FORM,
    "co, company, cie, compagnie, compania, companhia, kompaniya, cia, gesellschaft, sp, spol, pt, perseroan terbatas, sharika, " +
      "sharikat, trustee, trustees, na, n a, ev, e v, eg, e g, unltd, unlimited, cic, llc co, epp, mei, firma, tvo, ulc, dpc",
  ],
];

const kindsBySpelling = /* @__PURE__ */ once(
  () =>
    new Map(
      SPELLINGS.flatMap(([kinds, spellings]) =>
        spellings.split(", ").map((spelling): [string, number] => [spelling, kinds]),
      ),
    ),
);
const LONGEST = 6;

/** Forms in scripts without blanks or capital letters, replaced before a name is transliterated. */
const NATIVE: [RegExp, string][] = [
  [/股份有限公司|股份公司|株式会社|株式會社|\(株\)|주식회사|\(주\)/gu, " kk "],
  [/有限责任公司|有限責任公司|合同会社|유한회사|유한책임회사/gu, " llc "],
  [/有限会社/gu, " yk "],
  [/有限公司|公司/gu, " ltd "],
  [/グループ/gu, " group "],
  [/ホールディングス/gu, " holdings "],
  [/บริษัท|จำกัด/gu, " ltd "],
  [/\(มหาชน\)/gu, " plc "],
  [/בע["״']?מ/gu, " ltd "],
  [/ذ\s?\.\s?م\s?\.\s?م\.?/gu, " llc "],
  [/ش\s?\.\s?م\s?\.\s?[عكبل]\.?/gu, " plc "],
  [/(?<!\p{L})(?:ال)?شركة(?!\p{L})/gu, " company "],
];

/** Replaces a legal form in its own script by Latin letters. */
export const nativeFormsToLatin = (name: string): string =>
  NATIVE.reduce((text, [pattern, form]) => text.replace(pattern, form), name);

export interface WithoutForms {
  words: string[];
  /** The forms as they were written. */
  forms: string[];
  /** Company types of all forms together; all bits without any form. */
  kinds: number;
}

/** The words of a name without its legal forms, at any position: "Oy Nokia Ab", "PT Telkom Tbk". */
export function withoutLegalForms(words: readonly string[]): WithoutForms {
  const rest: string[] = [];
  const forms: string[] = [];
  let kinds = ANY_FORM;
  for (let start = 0; start < words.length; ) {
    const length = formLengthAt(words, start);
    if (length === 0) {
      rest.push(words[start++] ?? "");
      continue;
    }
    const form = words.slice(start, start + length).join(" ");
    const said = kindsBySpelling().get(form) ?? ANY_FORM;
    // If two forms contradict each other, the last one counts: a GmbH & Co. KG has partners.
    kinds = kinds & said || said;
    forms.push(form);
    start += length;
  }
  return { words: rest, forms, kinds };
}

/** Number of words of the longest form that begins here; 0 for none. */
function formLengthAt(words: readonly string[], start: number): number {
  for (let length = Math.min(LONGEST, words.length - start); length > 0; length--)
    if (kindsBySpelling().has(length === 1 ? (words[start] ?? "") : words.slice(start, start + length).join(" ")))
      return length;
  return 0;
}

const SHORT_FORMS = new Map(
  Object.entries({ limited: "ltd", incorporated: "inc", corporation: "corp", company: "co" }),
);
const shortest = (forms: readonly string[]) =>
  forms
    .map((form) => SHORT_FORMS.get(form) ?? form.replaceAll(" ", ""))
    .sort()
    .join(" ");

/** Whether two names have the same legal forms, in any order, abbreviated or not. */
export const sameForms = (some: readonly string[], others: readonly string[]): boolean =>
  shortest(some) === shortest(others);
