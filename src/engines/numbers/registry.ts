/** Every kind of number, by country; tables are loaded when the first number of their region is judged. */
import { lazy } from "../../lib/lazy.js";
import { fold, judgeNumber, type NumberRule, type NumberRules, type NumberVerdict } from "./rule.js";

/** Year in which the rules were last compared with the authorities' descriptions. */
export const RULES_DATE = "2026-11";

type Region = Readonly<Record<string, NumberRules>>;

const region = (load: () => Promise<Region>) => lazy(load);

const west = region(() => import("./countries/europe-west.js"));
const south = region(() => import("./countries/europe-south.js"));
const north = region(() => import("./countries/europe-north.js"));
const east = region(() => import("./countries/europe-east.js"));
const germany = region(() => import("./countries/germany.js"));
const union = region(() => import("./countries/europe.js"));
const latin = region(() => import("./countries/americas.js"));
const northAmerica = region(() => import("./countries/americas-north.js"));
const asia = region(() => import("./countries/asia.js"));
const africa = region(() => import("./countries/africa-oceania.js"));

const REGIONS: readonly [string, () => Promise<Region>][] = [
  ["AT BE CH FR IE LI LU MC NL", west],
  ["AD CY ES GR IT MT PT SM TR", south],
  ["DK EE FI FO GB IS LT LV NO SE", north],
  ["AL BG BY CZ HR HU MD ME MK PL RO RS RU SI SK UA", east],
  ["DE", germany],
  ["EU", union],
  ["AR BR CL CO CR CU DO EC GT PE PY SV UY VE", latin],
  ["CA MX US", northAmerica],
  ["AZ CN ID IL IN JP KR MY OM PK SG TH TW VN", asia],
  ["AU DZ EG GH GN KE MA MU MZ NZ SN TN ZA", africa],
];

/** Countries with rules, EU for numbers of the Union. */
export const TAX_COUNTRIES: readonly string[] = REGIONS.flatMap(([countries]) => countries.split(" "));

const VAT_PREFIXES = [...TAX_COUNTRIES, "EL", "XI", "IM"];

/** The rules of a country, by kind; undefined if it has none. Greece's prefix is EL, Northern Ireland's XI. */
export async function rulesOf(country: string): Promise<NumberRules | undefined> {
  const code = { EL: "GR", XI: "GB", IM: "GB" }[country] ?? country;
  const load = REGIONS.find(([countries]) => countries.split(" ").includes(code))?.[1];
  return (await load?.())?.[code];
}

/** The rule of a kind; `vat` is what a country calls its VAT number, whatever its name. */
export function kindOf(rules: NumberRules, kind: string): [kind: string, rule: NumberRule] | undefined {
  const own = Object.hasOwn(rules, kind) ? rules[kind] : undefined;
  if (own) return [kind, own];
  return kind === "vat" ? Object.entries(rules).find(([, { type }]) => type === "vat") : undefined;
}

const identifiers = lazy(async (): Promise<NumberRules> => {
  const [{ FINANCE, TRADE, NUMBERS }, { MEDIA, DEVICES, CHEMISTRY }, { CHECKS }] = await Promise.all([
    import("./identifiers.js"),
    import("./media.js"),
    import("./checks.js"),
  ]);
  return { ...FINANCE, ...TRADE, ...NUMBERS, ...MEDIA, ...DEVICES, ...CHEMISTRY, ...CHECKS };
});

/** Other names of kinds. */
const ALIASES: Readonly<Record<string, string>> = { ean: "gtin", casrn: "cas", iso11649: "rf" };

/** The rule of an identifier of no country; undefined for an unknown kind. */
export async function identifierRule(kind: string): Promise<NumberRule | undefined> {
  if (kind === "leitweg") return (await rulesOf("DE"))?.leitweg;
  const rules = await identifiers();
  const name = ALIASES[kind] ?? kind;
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}

/** A VAT number with its country's letters in front: the number behind them is judged by the country's rule. */
export async function judgeVatin(value: string, countries: readonly string[], now: Date): Promise<NumberVerdict> {
  const text = fold(value)
    .toUpperCase()
    .replace(/^[\s.-]+/, "");
  const country = text.slice(0, 2);
  const refused = (reason: NumberVerdict["reason"]): NumberVerdict => ({ ...WRONG, reason });
  if (!/^[A-Z]{2}$/.test(country)) return refused("format");
  // Import numbers of the One Stop Shop begin with IM, which is the Isle of Man elsewhere.
  const rules = countries.includes(country) ? await rulesOf(country === "IM" ? "EU" : country) : undefined;
  const [, rule] = (rules && kindOf(rules, "vat")) ?? [];
  if (!rule) return refused("component");
  // The letters stand there once: before the number, or as its first.
  const { prefix: _, ...unprefixed } = rule;
  const isPart = LETTERS_ARE_PART.includes(country);
  const bare = judgeNumber(unprefixed, isPart ? text : text.slice(2), now);
  if (bare.normalized === null) return refused(bare.reason);
  const normalized = isPart ? bare.normalized : country + bare.normalized;
  return { ...bare, normalized, details: { country, ...bare.details } };
}

/** Numbers whose first letters are those of the country: CHE, OM, RO, EU, IM. */
const LETTERS_ARE_PART = ["CH", "EU", "IM", "OM", "RO"];

const WRONG: NumberVerdict = { valid: false, normalized: null, formatted: null, reason: null, details: {} };

/** An identifier of no country; undefined for an unknown kind. */
export async function judgeIdentifier(kind: string, value: string, now: Date): Promise<NumberVerdict | undefined> {
  if (kind === "vatin") return judgeVatin(value, VAT_PREFIXES, now);
  if (kind === "iban") return ibanVerdict(value);
  const rule = await identifierRule(kind);
  return rule && judgeNumber(rule, value, now);
}

async function ibanVerdict(value: string): Promise<NumberVerdict> {
  const { valid, normalized, formatted, reason, country, bankCode } = (await iban()).readIban(value);
  return { valid, normalized, formatted, reason, details: valid ? { country, bankCode } : {} };
}

const iban = lazy(() => import("./iban.js"));
