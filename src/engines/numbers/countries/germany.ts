/** Numbers of Germany. */
import { int, mod11_10, mod97 } from "../arithmetic.js";
import type { NumberFault, NumberRules } from "../rule.js";
import { GERMAN_COURTS } from "./german-courts.js";

/** Tax numbers of the states: F tax office, B district, U serial, P check digit; in the state, and in all Germany. */
const STATES =
  "FFBBBUUUUP:28FF0BBBUUUUP FFFBBBUUUUP:9FFF0BBBUUUUP FFBBBUUUUP:11FF0BBBUUUUP 0FFBBBUUUUP:30FF0BBBUUUUP " +
  "FFBBBUUUUP:24FF0BBBUUUUP FFBBBUUUUP:22FF0BBBUUUUP 0FFBBBUUUUP:26FF0BBBUUUUP 0FFBBBUUUUP:40FF0BBBUUUUP " +
  "FFBBBUUUUP:23FF0BBBUUUUP FFFBBBBUUUP:5FFF0BBBBUUUP FFBBBUUUUP:27FF0BBBUUUUP 0FFBBBUUUUP:10FF0BBBUUUUP " +
  "2FFBBBUUUUP:32FF0BBBUUUUP 1FFBBBUUUUP:31FF0BBBUUUUP FFBBBUUUUP:21FF0BBBUUUUP 1FFBBBUUUUP:41FF0BBBUUUUP";

const fits = (n: string, pattern: string) =>
  n.length === pattern.length && [...pattern].every((place, index) => /[A-Z]/.test(place) || place === n[index]);

/** One digit stands two or three times among the first ten, not three times in a row, and others are missing. */
function idnr(n: string): NumberFault | boolean {
  const counts = [..."0123456789"].map((one) => n.slice(0, 10).split(one).length - 1);
  const repeated = counts.filter((count) => count > 1);
  if (repeated.length !== 1 || (repeated[0] ?? 0) > 3) return "format";
  return mod11_10(n);
}

/** Without case, accents and punctuation, as the sources of names differ in them. */
const plain = (court: string) =>
  court
    .toLowerCase()
    .replace(/ß/g, "ss")
    .normalize("NFD")
    .replace(/[^a-z]/g, "");

const courtNamed = (name: string) =>
  GERMAN_COURTS.split("; ").find((court) =>
    [court, court.replace(/^.*\((.*)\)$/, "$1"), court.replace(/ *\(.*\)$/, "")].some(
      (form) => plain(form) === plain(name),
    ),
  );

const REGISTER = /^(.{2,40}?),? +(HRA|HRB|PR|GNR|VR) *([1-9]\d{0,5})(?: *([A-ZÖ]{1,3}))?$/i;
const REGISTER_FIRST = /^(HRA|HRB|PR|GNR|VR) *([1-9]\d{0,5})(?: *([A-ZÖ]{1,3}))?,? +(.{2,40})$/i;

function registerNumber(text: string): string {
  const [, court, kind, number, letter] = REGISTER.exec(text) ?? [];
  const [, kind2, number2, letter2, court2] = court === undefined ? (REGISTER_FIRST.exec(text) ?? []) : [];
  const named = courtNamed(court ?? court2 ?? "");
  const type = (kind ?? kind2 ?? "").toUpperCase().replace("GNR", "GnR");
  const end = (letter ?? letter2)?.toUpperCase();
  return [named, type, number ?? number2, end].filter(Boolean).join(" ");
}

export const DE: NumberRules = {
  vat: {
    name: "Umsatzsteuer-Identifikationsnummer",
    type: "vat",
    prefix: "DE",
    length: 9,
    form: /^[1-9]\d{8}$/,
    check: mod11_10,
  },
  idnr: {
    name: "Steuerliche Identifikationsnummer",
    type: "person",
    length: 11,
    form: /^[1-9]\d{10}$/,
    check: idnr,
    mask: "## ### ### ###",
  },
  stnr: {
    ...{ name: "Steuernummer", type: "person", length: [10, 11, 13] },
    check: (n) => (STATES.split(/[ :]/).some((pattern) => fits(n, pattern)) ? true : "format"),
  },
  handelsregisternummer: {
    ...{
      name: "Handelsregisternummer",
      type: "company",
      drop: "",
      keepCase: true,
      form: new RegExp(`${REGISTER.source}|${REGISTER_FIRST.source}`, "i"),
    },
    check: (n) => {
      const court = REGISTER.exec(n)?.[1] ?? REGISTER_FIRST.exec(n)?.[4] ?? "";
      return courtNamed(court) === undefined ? "component" : true;
    },
    normal: registerNumber,
  },
  leitweg: {
    ...{ name: "Leitweg-ID", type: "company", drop: " ", form: /^\d{2,12}(?:-[0-9A-Z]{1,30})?-\d\d$/ },
    check: (n) => {
      const state = int(n, 0, 2);
      if (!(state >= 1 && state <= 16) && state !== 99) return "component";
      return mod97(n.replaceAll("-", "")) === 1;
    },
  },
  wkn: { name: "Wertpapierkennnummer", type: "other", length: 6, form: /^[0-9A-HJ-NP-Z]{6}$/ },
};
