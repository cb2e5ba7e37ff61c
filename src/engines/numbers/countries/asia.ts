/** Numbers of Asia. */
import { DIGITS_AND_LETTERS, digit, down, int, isDay, luhn, repeat, sum, verhoeff } from "../arithmetic.js";
import type { NumberFault, NumberRules } from "../rule.js";

const VOEN = [4, 1, 8, 6, 2, 7, 5, 3];

export const AZ: NumberRules = {
  voen: {
    ...{ name: "VÖEN", type: "vat", length: 10, tidy: (text) => text.replace(/^(\d{9})$/, "0$1") },
    check: (n) => (/[12]$/.test(n) ? sum(n, VOEN) % 11 === digit(n, 8) : "component"),
  },
};

/** First two digits: the province, Hong Kong, Macao and Taiwan included. */
const CHINESE_PROVINCES = "11-15 21-23 31-37 41-46 50-54 61-65 71 81-83";
const inRanges = (ranges: string, value: number) =>
  ranges.split(" ").some((range) => {
    const [from = "", to = from] = range.split("-");
    return value >= Number(from) && value <= Number(to);
  });

const USCC = "0123456789ABCDEFGHJKLMNPQRTUWXY";

export const CN: NumberRules = {
  uscc: {
    ...{ name: "统一社会信用代码", type: "vat", length: 18, form: /^\d{8}[0-9A-HJ-NP-RTUWXY]{10}$/ },
    check: (n) => {
      const weights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];
      return USCC.charAt((31 - (sum(n, weights, USCC) % 31)) % 31) === n.charAt(17);
    },
  },
  ric: {
    ...{ name: "居民身份证号码", type: "person", length: 18, form: /^\d{17}[0-9X]$/ },
    check: (n) => {
      if (!isDay(int(n, 6, 10), int(n, 10, 12), int(n, 12, 14))) return "component";
      if (!inRanges(CHINESE_PROVINCES, int(n, 0, 2))) return "component";
      const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
      return "10X98765432".charAt(sum(n, weights) % 11) === n.charAt(17);
    },
    details: (n) => ({ birthDate: `${n.slice(6, 10)}-${n.slice(10, 12)}-${n.slice(12, 14)}` }),
  },
};

const INDONESIAN_PROVINCES = "11-19 21 31-36 51-53 61-65 71-76 81-82 91-97";

/** Women have 40 days more. */
function nik(n: string): NumberFault | boolean {
  const day = int(n, 6, 8);
  const isBirth = [1900, 2000].some((century) =>
    isDay(century + int(n, 10, 12), int(n, 8, 10), day > 40 ? day - 40 : day),
  );
  return isBirth && inRanges(INDONESIAN_PROVINCES, int(n, 0, 2)) ? true : "component";
}

export const ID: NumberRules = {
  npwp: {
    ...{ name: "NPWP", type: "vat", length: [15, 16], mask: { 15: "##.###.###.#-###.###" } },
    check: (n) => {
      if (n.length === 16 && !n.startsWith("0")) return nik(n);
      return luhn(n.slice(n.length - 15, n.length - 6));
    },
  },
  nik: { name: "NIK", type: "person", length: 16, check: nik },
};

const israeli = (n: string) => luhn(n);

export const IL: NumberRules = {
  hp: { name: "Company number", type: "vat", length: 9, check: (n) => (n.startsWith("5") ? israeli(n) : "component") },
  idnr: {
    ...{
      name: "Mispar Zehut",
      type: "person",
      length: 9,
      tidy: (text) => text.replace(/^\d{1,8}$/, (n) => n.padStart(9, "0")),
    },
    check: (n) => (int(n) > 0 ? israeli(n) : "format"),
    mask: "########-#",
  },
};

const isPalindrome = (n: string) => [...n].reverse().join("") === n;
const PAN_FORM = /^[A-Z]{3}[ABCFGHJKLPT][A-Z]\d{4}[A-Z]$/;

function pan(n: string): NumberFault | boolean {
  return PAN_FORM.test(n) && n.slice(5, 9) !== "0000" ? true : "component";
}

export const IN: NumberRules = {
  gstin: {
    ...{ name: "GSTIN", type: "vat", length: 15, form: /^\d\d[A-Z]{5}\d{4}[A-Z][0-9A-Z]{3}$/ },
    check: (n) => {
      const state = int(n, 0, 2);
      if (!((state >= 1 && state <= 38) || state === 97 || state === 99)) return "component";
      if (pan(n.slice(2, 12)) !== true || n.charAt(12) === "0" || n.charAt(13) !== "Z") return "component";
      return luhn(n, DIGITS_AND_LETTERS);
    },
    details: (n) => ({ state: n.slice(0, 2), pan: n.slice(2, 12) }),
  },
  pan: { name: "PAN", type: "person", length: 10, form: /^[A-Z]{5}\d{4}[A-Z]$/, check: pan },
  aadhaar: {
    ...{ name: "Aadhaar", type: "person", length: 12, form: /^[2-9]\d{11}$/, mask: "#### #### ####" },
    check: (n) => (isPalindrome(n) ? "format" : verhoeff(n) === 0),
  },
  vid: {
    ...{ name: "Virtual ID", type: "person", length: 16, form: /^[2-9]\d{15}$/, mask: "#### #### #### ####" },
    check: (n) => (isPalindrome(n) ? "format" : verhoeff(n) === 0),
  },
  epic: {
    ...{ name: "Voter ID (EPIC)", type: "person", length: 10, form: /^[A-Z]{3}\d{7}$/ },
    check: (n) => luhn(n.slice(3)),
  },
};

export const JP: NumberRules = {
  cn: {
    ...{ name: "法人番号", type: "vat", length: 13, mask: "#-####-####-####" },
    check: (n) => 9 - (sum([...n.slice(1)].reverse().join(""), repeat([1, 2], 12)) % 9) === digit(n, 0),
  },
  in: {
    ...{ name: "マイナンバー", type: "person", length: 12, mask: "#### #### ####" },
    check: (n) => ((11 - (sum(n, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === digit(n, 11),
  },
};

export const KR: NumberRules = {
  brn: {
    ...{ name: "사업자등록번호", type: "vat", length: 10, mask: "###-##-#####" },
    check: (n) => (int(n, 0, 3) < 101 || int(n, 3, 5) === 0 || int(n, 5, 9) === 0 ? "component" : true),
  },
  rrn: {
    ...{ name: "주민등록번호", type: "person", length: 13, mask: "######-#######" },
    check: (n) => {
      const kind = n.charAt(6);
      const century = "1256".includes(kind) ? 1900 : "3478".includes(kind) ? 2000 : 1800;
      if (!isDay(century + int(n, 0, 2), int(n, 2, 4), int(n, 4, 6)) || int(n, 7, 9) > 96) return "component";
      return (11 - (sum(n, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === digit(n, 12);
    },
  },
};

const MALAYSIAN_PLACES = "1-16 21-68 71-72 74-79 82-93 98-99";

export const MY: NumberRules = {
  nric: {
    ...{ name: "NRIC", type: "person", drop: " -*", length: 12, mask: "######-##-####" },
    check: (n) => {
      const isBirth = [1900, 2000].some((century) => isDay(century + int(n, 0, 2), int(n, 2, 4), int(n, 4, 6)));
      return isBirth && inRanges(MALAYSIAN_PLACES, int(n, 6, 8)) ? true : "component";
    },
  },
};

export const OM: NumberRules = {
  vat: {
    ...{ name: "VATIN", type: "vat", length: 12, form: /^OM\d{9}[0-9X]$/ },
    check: (n) => {
      const rest = (1 + sum(n.slice(6), [1, 6, 3, 7, 9])) % 11;
      return "0123456789X".charAt(rest) === n.charAt(11);
    },
  },
};

export const PK: NumberRules = {
  cnic: {
    ...{ name: "CNIC", type: "person", length: 13, mask: "#####-#######-#" },
    check: (n) => (/^[1-7]/.test(n) && !n.endsWith("0") ? true : "component"),
  },
};

const ENTITIES =
  "CC CD CH CL CM CP CS CX DP FB FC FM FN GA GB GS HS LL LP MB MC MD MH MM MQ NB NR PA PB PF RF RP SM SS TC TU VH XL";

function uen(n: string, now: Date): NumberFault | boolean {
  const year = now.getUTCFullYear();
  if (n.length === 9) {
    if (!/^\d{8}[A-Z]$/.test(n)) return "format";
    return "XMKECAWLJDB".charAt(sum(n, [10, 4, 9, 3, 8, 2, 7, 1]) % 11) === n.charAt(8);
  }
  if (/^\d{9}/.test(n)) {
    if (int(n, 0, 4) > year) return "component";
    return "ZKCMDNERGWH".charAt(sum(n, [10, 8, 6, 4, 9, 7, 5, 3, 1]) % 11) === n.charAt(9);
  }
  return otherUen(n, year % 100);
}

function otherUen(n: string, year: number): NumberFault | boolean {
  if (!/^[RST]/.test(n)) return "component";
  if (!/^.\d\d.{2}\d{4}.$/.test(n)) return "format";
  if ((n.startsWith("T") && int(n, 1, 3) > year) || !ENTITIES.split(" ").includes(n.slice(3, 5))) return "component";
  const values = "ABCDEFGHJKLMNPQRSTUVWX0123456789";
  return values.charAt((sum(n, [4, 3, 5, 3, 10, 2, 2, 5, 7], values) + 6) % 11) === n.charAt(9);
}

export const SG: NumberRules = {
  uen: { name: "Unique Entity Number", type: "company", length: [9, 10], form: /^[0-9A-Z]+$/, check: uen },
};

const thai = (n: string) => (11 - (sum(n, down(13)) % 11)) % 10 === digit(n, 12);

export const TH: NumberRules = {
  tin: {
    ...{ name: "Taxpayer Identification Number", type: "vat", form: /^\d{13}$/ },
    check: (n) => (!n.startsWith("9") && thai(n) ? true : "format"),
    mask: "#-####-#####-##-#",
  },
  moa: {
    ...{ name: "Company taxpayer number", type: "company", length: 13, mask: "#-##-#-###-#####-#" },
    check: (n) => (n.startsWith("0") ? thai(n) : "component"),
  },
  pin: {
    ...{ name: "Personal Identification Number", type: "person", length: 13, mask: "#-####-#####-##-#" },
    check: (n) => (/^[1-8]/.test(n) ? thai(n) : "component"),
  },
};

export const TW: NumberRules = {
  ubn: {
    ...{ name: "統一編號", type: "vat", length: 8 },
    check: (n) => {
      const products = [1, 2, 1, 2, 1, 2, 4, 1].map((weight, place) => weight * digit(n, place));
      const total = products.reduce((all, product) => all + Math.floor(product / 10) + (product % 10), 0);
      // Since April 2023 a multiple of 5 is enough; a 7 in the seventh place leaves 10, which counts 1 or 0.
      return total % 5 === 0 || (n.charAt(6) === "7" && (total + 1) % 5 === 0);
    },
  },
};

export const VN: NumberRules = {
  mst: {
    ...{ name: "Mã số thuế", type: "vat", length: [10, 13], mask: { 13: "##########-###" } },
    check: (n) => {
      if (int(n, 2, 9) === 0 || (n.length === 13 && int(n, 10) === 0)) return "component";
      return 10 - (sum(n, [31, 29, 23, 19, 17, 13, 7, 5, 3]) % 11) === digit(n, 9);
    },
  },
};
