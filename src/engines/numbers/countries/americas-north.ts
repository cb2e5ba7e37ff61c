/** Numbers of Canada, Mexico and the United States. */
import { digit, int, isDay, luhn, sum } from "../arithmetic.js";
import type { NumberFault, NumberRules } from "../rule.js";

const PROGRAMS = ["RC", "RM", "RP", "RT"];

export const CA: NumberRules = {
  bn: {
    ...{ name: "Business Number", type: "vat", length: [9, 15], form: /^\d{9}(?:[A-Z]{2}\d{4})?$/ },
    check: (n) => {
      if (!luhn(n.slice(0, 9))) return false;
      return n.length === 9 || PROGRAMS.includes(n.slice(9, 11)) ? true : "component";
    },
  },
  sin: {
    ...{ name: "Social Insurance Number", type: "person", length: 9, mask: "###-###-###" },
    check: (n) => (/^[08]/.test(n) ? "component" : luhn(n)),
  },
  bc_phn: {
    ...{ name: "Personal Health Number of British Columbia", type: "person", length: 10, mask: "#### ### ###" },
    check: (n) => {
      if (!n.startsWith("9")) return "component";
      return (11 - (sum(n.slice(1), [2, 4, 8, 5, 10, 9, 7, 3]) % 11)) % 11 === digit(n, 9);
    },
  },
};

const CURP = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ";

/** Syllables that the ministry does not give out. */
const INCONVENIENT =
  "BUEI BUEY CACA CACO CAGA CAGO CAKA CAKO COGE COJA COJE COJI COJO CULO FETO GUEY JOTO KACA KACO KAGA KAGO KAKA KOGE " +
  "KOJO KULO MAME MAMO MEAR MEAS MEON MION MOCO MULA PEDA PEDO PENE PUTA PUTO QULO RATA RUIN";
const CURP_INCONVENIENT =
  "BACA BAKA BUEI BUEY CACA CACO CAGA CAGO CAKA CAKO COGE COGI COJA COJE COJI COJO COLA CULO FALO FETO GETA GUEI GUEY JETA " +
  "JOTO KACA KACO KAGA KAGO KAKA KAKO KOGE KOGI KOJA KOJE KOJI KOJO KOLA KULO LILO LOCA LOCO LOKA LOKO MAME MAMO MEAR MEAS " +
  "MEON MIAR MION MOCO MOKO MULA MULO NACA NACO PEDA PEDO PENE PIPI PITO POPO PUTA PUTO QULO RATA ROBA ROBE ROBO RUIN SENO " +
  "TETA VACA VAGA VAGO VAKA VUEI VUEY WUEI WUEY";
const STATES = "AS BC BS CC CH CL CM CS DF DG GR GT HG JC MC MN MS NE NL NT OC PL QR QT SL SP SR TC TL TS VZ YN ZS";

const shortDate = (n: string, from: number) =>
  [1900, 2000].some((century) =>
    isDay(century + int(n, from, from + 2), int(n, from + 2, from + 4), int(n, from + 4, from + 6)),
  );

function rfc(n: string): NumberFault | boolean {
  const isPerson = n.length === 10 || n.length === 13;
  const form = isPerson ? /^[A-Z&Ñ]{4}\d{6}[0-9A-Z]{0,3}$/ : /^[A-Z&Ñ]{3}\d{6}[0-9A-Z]{3}$/;
  if (!form.test(n)) return "format";
  if (isPerson && INCONVENIENT.split(" ").includes(n.slice(0, 4))) return "component";
  // The last character was wrong in too many registered numbers to refuse them.
  return shortDate(n, isPerson ? 4 : 3) ? true : "component";
}

export const MX: NumberRules = {
  rfc: {
    ...{ name: "RFC", type: "vat", drop: " -_", length: [10, 12, 13], form: /^[0-9A-Z&Ñ]+$/, check: rfc },
    mask: { 10: "#### ######", 12: "### ###### ###", 13: "#### ###### ###" },
  },
  curp: {
    ...{ name: "CURP", type: "person", drop: " -_", length: 18, form: /^[A-ZÑ]{4}\d{6}[A-ZÑ]{6}[0-9A-Z]\d$/ },
    check: (n) => {
      const century = /\d/.test(n.charAt(16)) ? 1900 : 2000;
      const isBirth = isDay(century + int(n, 4, 6), int(n, 6, 8), int(n, 8, 10));
      if (CURP_INCONVENIENT.split(" ").includes(n.slice(0, 4)) || !isBirth) return "component";
      if (!/[HMX]/.test(n.charAt(10)) || !STATES.split(" ").includes(n.slice(11, 13))) return "component";
      const total = [...n.slice(0, 17)].reduce((all, one, place) => all + CURP.indexOf(one) * (18 - place), 0);
      return (10 - (total % 10)) % 10 === digit(n, 17);
    },
  },
};

/** Prefixes of employers' numbers, by the campus of the revenue service that gives them out. */
const NO_EIN = [0, 7, 8, 9, 17, 18, 19, 28, 29, 49, 69, 70, 78, 79, 89, 96, 97];
const SSN_SAMPLES = ["078051120", "457555462", "219099999"];
const plain = (n: string) => n.replace(/-/g, "");
const DASHED = { drop: " ", form: /^\d{3}-?\d\d-?\d{4}$/, normal: plain, mask: "###-##-####" } as const;

const isItin = (n: string) => {
  const group = int(plain(n), 3, 5);
  return n.startsWith("9") && group >= 70 && group !== 89 && group !== 93;
};

function isSsn(n: string): boolean {
  const number = plain(n);
  const isBlank = /^(?:000|666|9)|^.{3}00|0000$/.test(number);
  return !isBlank && !SSN_SAMPLES.includes(number);
}

const isEin = (n: string) => !NO_EIN.includes(int(n, 0, 2));
const EIN_FORM = /^\d\d-?\d{7}$/;
const PTIN_FORM = /^P-?\d{8}$/;

export const US: NumberRules = {
  tin: {
    ...{ name: "Taxpayer Identification Number", type: "vat", drop: " ", normal: plain },
    form: new RegExp(`${DASHED.form.source}|${EIN_FORM.source}|${PTIN_FORM.source}`),
    check: (n) => {
      if (PTIN_FORM.test(n) || (DASHED.form.test(n) && (isSsn(n) || isItin(n) || plain(n).startsWith("9"))))
        return true;
      return (EIN_FORM.test(n) && isEin(n)) || "format";
    },
  },
  ein: {
    ...{
      name: "Employer Identification Number",
      type: "company",
      drop: " ",
      form: EIN_FORM,
      normal: plain,
      mask: "##-#######",
    },
    check: (n) => isEin(n) || "component",
  },
  ssn: { name: "Social Security Number", type: "person", ...DASHED, check: (n) => isSsn(n) || "component" },
  itin: {
    ...{ name: "Individual Taxpayer Identification Number", type: "person", ...DASHED },
    check: (n) => isItin(n) || "component",
  },
  atin: { name: "Adoption Taxpayer Identification Number", type: "person", ...DASHED },
  ptin: { name: "Preparer Tax Identification Number", type: "person", length: 9, form: /^P\d{8}$/ },
  rtn: {
    ...{ name: "Routing transit number", type: "bank", length: 9 },
    check: (n) => sum(n, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
  },
};
