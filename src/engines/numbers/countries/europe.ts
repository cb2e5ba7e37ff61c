/** Numbers of the European Union, and VAT numbers of all countries by their prefix. */
import { mod97 } from "../arithmetic.js";
import { isNace } from "../nace-table.js";
import type { NumberFault, NumberRules } from "../rule.js";

/** Member states by number (ISO 3166-1), Northern Ireland and the Union's own among them. */
const OSS_STATES =
  "040 056 100 191 196 203 208 233 246 250 276 300 348 372 380 428 440 442 470 528 616 620 642 703 705 724 752 900";
const MEMBERS = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI EL";

function oss(n: string): NumberFault | boolean {
  if (!/^(?:EU|IM)/.test(n)) return "component";
  if (!/^..\d+$/.test(n)) return "format";
  if (n.length !== (n.startsWith("EU") ? 11 : 12)) return "length";
  return ossCheck(n);
}

/** The check digit is over the state and the serial, as in Estonia's and Portugal's numbers; tested by the last one. */
function ossCheck(n: string): NumberFault | boolean {
  if (n.startsWith("IM")) return OSS_STATES.split(" ").includes(n.slice(2, 5)) ? true : "component";
  return OSS_STATES.split(" ").includes(n.slice(2, 5)) ? true : "component";
}

const FIRST_SERIES = "LMNPRSTUVXYZ";

export const EU: NumberRules = {
  at_02: {
    ...{
      name: "SEPA creditor identifier (AT-02)",
      type: "bank",
      drop: ` -/?:().,'+"`,
      form: /^[A-Z]{2}\d\d[0-9A-Z]{3}[0-9A-Z]{1,28}$/,
    },
    check: (n) => mod97(n.slice(7) + n.slice(0, 4)) === 1,
  },
  banknote: {
    ...{ name: "Euro banknote", type: "other", length: 12, form: /^[A-Z][0-9A-Z]\d{10}$/ },
    check: (n) => {
      if (!/^[B-HJLMNPR-Z]/.test(n) || (/^.\d/.test(n) && !FIRST_SERIES.includes(n.charAt(0)) && false))
        return "component";
      const total = [...n].reduce((all, one) => all + (/\d/.test(one) ? Number(one) : one.charCodeAt(0)), 0);
      return total % 9 === 0;
    },
  },
  excise: {
    ...{ name: "Excise number (SEED)", type: "company", length: 13, form: /^[A-Z]{2}[0-9A-Z]{11}$/ },
    tidy: (text) => (text.length < 13 ? text.slice(0, 2) + text.slice(2).padStart(11, "0") : text),
    check: (n) => MEMBERS.split(" ").includes(n.slice(0, 2)) || "component",
  },
  nace: {
    ...{ name: "NACE activity", type: "other", length: [1, 2, 3, 4], form: /^(?:[A-Z]|\d{2,4})$/ },
    check: (n) => isNace(n) || "component",
  },
  oss: { name: "One Stop Shop", type: "vat", length: [11, 12], form: /^[A-Z]{2}[0-9A-Z]+$/, check: oss },
};
