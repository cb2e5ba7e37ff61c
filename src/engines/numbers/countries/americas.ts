/** Numbers of South and Central America and the Caribbean. */
import { digit, down, int, isDay, luhn, sum, up } from "../arithmetic.js";
import type { NumberFault, NumberRules } from "../rule.js";

const CUIT_TYPES = ["20", "23", "24", "27", "30", "33", "34", "50", "51", "55"];
const weighed = (text: string) =>
  (10 - ([...text].reverse().reduce((all, one, place) => all + Number(one) * ([3, 1, 7, 9][place % 4] ?? 0), 0) % 10)) %
  10;

export const AR: NumberRules = {
  cuit: {
    ...{ name: "CUIT", type: "vat", length: 11, mask: "##-########-#" },
    check: (n) => {
      if (!CUIT_TYPES.includes(n.slice(0, 2))) return "component";
      return "012345678990".charAt(11 - (sum(n, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) === n.charAt(10);
    },
  },
  dni: { name: "DNI", type: "person", length: [7, 8], mask: { 7: "#.###.###", 8: "##.###.###" } },
  cbu: {
    ...{ name: "CBU", type: "bank", length: 22, mask: "######## ##############" },
    check: (n) => weighed(n.slice(0, 7)) === digit(n, 7) && weighed(n.slice(8, 21)) === digit(n, 21),
  },
};

const cnpjValue = (text: string, weights: readonly number[]) =>
  weights.reduce((all, weight, place) => all + weight * (text.charCodeAt(place) - 48), 0);
const under2 = (rest: number) => (rest < 2 ? 0 : 11 - rest);
const CNPJ = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

export const BR: NumberRules = {
  cnpj: {
    ...{ name: "CNPJ", type: "vat", drop: " -./", length: 14, form: /^[0-9A-Z]{12}\d\d$/, mask: "##.###.###/####-##" },
    check: (n) => {
      if (/^0{12}/.test(n)) return "format";
      const first = under2(cnpjValue(n, CNPJ.slice(1)) % 11);
      return first === digit(n, 12) && under2(cnpjValue(n, CNPJ) % 11) === digit(n, 13);
    },
  },
  cpf: {
    ...{ name: "CPF", type: "person", length: 11, mask: "###.###.###-##" },
    check: (n) => {
      if (int(n) === 0) return "format";
      return under2(sum(n, down(10)) % 11) === digit(n, 9) && under2(sum(n, down(11)) % 11) === digit(n, 10);
    },
  },
};

export const CL: NumberRules = {
  rut: {
    ...{ name: "RUT", type: "vat", prefix: "CL", length: [8, 9], form: /^\d{7,8}[0-9K]$/ },
    check: (n) => {
      const body = n.slice(0, -1).padStart(8, "0");
      return "0123456789K".charAt((11 - (sum(body, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11) === n.slice(-1);
    },
    mask: { 8: "#.###.###-#", 9: "##.###.###-#" },
  },
};

const NIT = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];

export const CO: NumberRules = {
  nit: {
    ...{ name: "NIT", type: "vat", length: [8, 9, 10, 11, 12, 13, 14, 15, 16] },
    check: (n) => {
      const body = [...n.slice(0, -1)].reverse().join("");
      return "01987654321".charAt(sum(body, NIT.slice(0, body.length)) % 11) === n.slice(-1);
    },
  },
};

export const CR: NumberRules = {
  cpf: {
    ...{ name: "Cédula de Persona Física", type: "person", drop: " ", length: 10, mask: "##-####-####" },
    // Zeros before each of the three parts are left out.
    tidy: (text) => {
      const parts = text.split("-");
      const [province = "", volume = "", entry = ""] = parts;
      if (parts.length === 3) return province.padStart(2, "0") + volume.padStart(4, "0") + entry.padStart(4, "0");
      return text.replace(/-/g, "").replace(/^(.{9})$/, "0$1");
    },
    check: (n) => (n.startsWith("0") ? true : "component"),
  },
  cpj: {
    ...{ name: "Cédula de Persona Jurídica", type: "vat", length: 10, mask: "#-###-######" },
    check: (n) => {
      const kind = int(n, 1, 4);
      if (n.startsWith("2")) return [100, 200, 300, 400].includes(kind) || "component";
      if (n.startsWith("4")) return kind === 0 || "component";
      if (n.startsWith("5")) return kind === 1 || "component";
      return (n.startsWith("3") && ((kind >= 2 && kind <= 14) || (kind >= 101 && kind <= 110))) || "component";
    },
  },
  cr: {
    ...{ name: "Cédula de Residencia (DIMEX)", type: "person", length: [11, 12] },
    check: (n) => (n.startsWith("1") ? true : "component"),
  },
};

export const CU: NumberRules = {
  ni: {
    ...{ name: "Número de identidad", type: "person", length: 11 },
    check: (n) => {
      const seventh = digit(n, 6);
      const century = seventh === 9 ? 1800 : seventh <= 5 ? 1900 : 2000;
      return isDay(century + int(n, 0, 2), int(n, 2, 4), int(n, 4, 6)) ? true : "component";
    },
  },
};

/** Numbers that the tax authority gave out with a wrong check digit. */
const RNC_EXCEPTIONS =
  "101581601 101582245 101595422 101595785 10233317 131188691 401007374 501341601 501378067 501620371 501651319 501651823 " +
  "501651845 501651926 501656006 501658167 501670785 501676936 501680158 504654542 504680029 504681442 505038691";

/** Kinds of fiscal receipts: on paper since 2018, electronic, and before 2018. */
const isReceipt = (kind: number) => (kind >= 1 && kind <= 4) || (kind >= 11 && kind <= 17);
const isElectronic = (kind: number) => [31, 32, 33, 34, 41, 43, 44, 45, 46, 47].includes(kind);

export const DO: NumberRules = {
  rnc: {
    ...{ name: "RNC", type: "vat", length: [8, 9], mask: { 9: "#-##-#####-#" } },
    check: (n) => {
      if (RNC_EXCEPTIONS.split(" ").includes(n)) return true;
      if (n.length === 8) return "length";
      return ((((10 - (sum(n, [7, 9, 8, 6, 5, 4, 3, 2]) % 11)) % 9) + 9) % 9) + 1 === digit(n, 8);
    },
  },
  cedula: { name: "Cédula de identidad", type: "person", length: 11, check: (n) => luhn(n), mask: "###-#######-#" },
  ncf: {
    ...{ name: "Número de Comprobante Fiscal", type: "other", length: [11, 13, 19], form: /^[ABEP]\d+$/ },
    check: (n) => {
      if (n.length === 13) return n.startsWith("E") ? isElectronic(int(n, 1, 3)) || "component" : "format";
      if (n.length === 11) return n.startsWith("B") ? isReceipt(int(n, 1, 3)) || "component" : "format";
      return /^[AP]/.test(n) ? isReceipt(int(n, 9, 11)) || "component" : "format";
    },
  },
};

function cedula(n: string): NumberFault | boolean {
  if (!isProvince(n) || digit(n, 2) > 6) return "component";
  return luhn(n.slice(0, 10));
}

const isProvince = (n: string) => {
  const province = int(n, 0, 2);
  return (province >= 1 && province <= 24) || province === 30 || province === 50;
};

/** The third digit tells public bodies (6), companies (9) and persons; some old companies have 6 as well. */
function ecuadorianRuc(n: string): NumberFault | boolean {
  if (!isProvince(n)) return "component";
  const third = digit(n, 2);
  if (third < 6) return n.endsWith("000") ? "component" : cedula(n);
  const isPublic = sum(n, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
  if (third === 6) {
    if (!n.endsWith("0000") && isPublic) return true;
    return n.endsWith("000") ? "component" : cedula(n);
  }
  if (third !== 9 || n.endsWith("000")) return "component";
  return isPublic || sum(n, [4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}

export const EC: NumberRules = {
  ruc: { name: "RUC", type: "vat", length: 13, check: ecuadorianRuc },
  ci: { name: "Cédula de identidad", type: "person", length: 10, check: cedula },
};

export const GT: NumberRules = {
  nit: {
    ...{ name: "NIT", type: "vat", form: /^\d+[0-9K]$/, length: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
    tidy: (text) => text.replace(/^0+/, ""),
    check: (n) => {
      const total = sum(n, up(2, n.length).reverse());
      return "0123456789K".charAt((11 - (total % 11)) % 11) === n.slice(-1);
    },
  },
};

export const PE: NumberRules = {
  ruc: {
    ...{ name: "RUC", type: "vat", length: 11 },
    check: (n) => {
      if (!["10", "15", "17", "20"].includes(n.slice(0, 2))) return "component";
      return (11 - (sum(n, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === digit(n, 10);
    },
  },
  cui: {
    ...{ name: "DNI, CUI", type: "person", length: [8, 9], form: /^\d{8}[0-9A-K]?$/ },
    check: (n) => {
      if (n.length === 8) return true;
      const rest = sum(n, [3, 2, 7, 6, 5, 4, 3, 2]) % 11;
      return ["65432110987", "KJIHGFEDCBA"].some((letters) => letters.charAt(rest) === n.charAt(8));
    },
  },
};

export const PY: NumberRules = {
  ruc: {
    ...{ name: "RUC", type: "vat", length: [5, 6, 7, 8, 9] },
    check: (n) => ((11 - (sum(n, up(2, n.length).reverse()) % 11)) % 11) % 10 === digit(n, -1),
  },
};

export const SV: NumberRules = {
  nit: {
    ...{ name: "NIT", type: "vat", prefix: "SV", length: 14, mask: "####-######-###-#" },
    check: (n) => {
      if (!/^[019]/.test(n)) return "component";
      // Numbers with a serial up to 100 are of the first years.
      if (int(n, 10, 13) <= 100)
        return (sum(n, [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11) % 10 === digit(n, 13);
      return ((11 - (sum(n, [2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === digit(n, 13);
    },
  },
};

export const UY: NumberRules = {
  rut: {
    ...{ name: "RUT", type: "vat", prefix: "UY", length: 12, mask: "##-######-###-#" },
    check: (n) => {
      if (int(n, 0, 2) < 1 || int(n, 0, 2) > 22 || int(n, 2, 8) === 0 || n.slice(8, 11) !== "001") return "component";
      return (11 - (sum(n, [4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === digit(n, 11);
    },
  },
};

export const VE: NumberRules = {
  rif: {
    ...{ name: "RIF", type: "vat", length: 10, form: /^.\d{9}$/, mask: "#-########-#" },
    check: (n) => {
      const first = { V: 4, E: 8, J: 12, P: 16, G: 20 }[n.charAt(0)];
      if (first === undefined) return "component";
      return "00987654321".charAt((first + sum(n.slice(1), [3, 2, 7, 6, 5, 4, 3, 2])) % 11) === n.charAt(9);
    },
  },
};
