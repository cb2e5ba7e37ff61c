/**
 * Runs numbers, addresses and e-mail addresses of others' suites through the built package, and prints right, wrong and refused.
 *
 *   node scripts/suites/numbers.mjs <folder> [--peers <folder>]
 *
 * The folder has `tax-and-identifier-numbers.jsonl` and `changed-digit-numbers.jsonl`: rows of kind, value, valid and normalized,
 * as the validators of python-stdnum judge the numbers in its tests. The suites that lie in `test/suites/numbers` run as well.
 * Verdicts of stdnum and libphonenumber-js stand beside ours where peers.mjs finds them; it has no verdict ("none") on some kinds.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countPeer, loaderOf } from "./peers.mjs";

const { positionals, values: options } = parseArgs({ allowPositionals: true, options: { peers: { type: "string" } } });
const [folder] = positionals;
if (!folder) throw new Error("usage: node scripts/suites/numbers.mjs <folder>");
const group = (name) => import(new URL(`../../dist/capabilities/${name}/index.js`, import.meta.url).href);
const [{ emailValidate }, { phoneNormalize }, { validateIban, validateIdentifier, validateTaxId }] = await Promise.all(
  ["email", "phone", "validate"].map(group),
);
const load = loaderOf(options.peers);
const peer = (await load("stdnum"))?.stdnum;
const phones = await load("libphonenumber-js/max");

const first = async (call) => (await call).items[0];
const OF_NO_COUNTRY = { "eu.eic": "eic", "eu.ecnumber": "ecnumber" };

/** Their module `de.vat` is the kind `vat` of DE; a module without a country is an identifier. */
async function ours({ kind: theirs, value }) {
  if (theirs === "iban") return first(validateIban({ value }));
  if (theirs === "eu.vat") return first(validateIdentifier({ kind: "vatin", value }));
  const kind = OF_NO_COUNTRY[theirs] ?? theirs;
  const [, country, name] = /^([a-z]{2})_?\.(\w+?)_?$/.exec(kind) ?? [];
  if (!country) return first(validateIdentifier({ kind, value }));
  const { valid, matches } = await first(validateTaxId({ country, kind: name, value }));
  return { valid, normalized: matches[0]?.normalized ?? null };
}

function theirs({ kind, value }) {
  const [country, name] = kind.split(".");
  const validator = peer?.[country?.replace("_", "").toUpperCase()]?.[name?.replace("_", "")];
  if (!validator) return undefined;
  try {
    return { valid: validator.validate(value).isValid };
  } catch {
    // It throws on some numbers and then has no verdict.
    return undefined;
  }
}

const table = new Map();
const count = (suite, how) => {
  const row = table.get(suite) ?? {
    suite,
    right: 0,
    wrong: 0,
    refused: 0,
  };
  table.set(suite, { ...row, [how]: (row[how] ?? 0) + 1 });
};
const wrong = new Map();

for (const name of ["tax-and-identifier-numbers", "changed-digit-numbers"]) {
  const file = join(folder, `${name}.jsonl`);
  if (!existsSync(file)) {
    console.log(`${file} is not there`);
    continue;
  }
  for (const line of readFileSync(file, "utf8").trim().split("\n")) {
    const row = JSON.parse(line);
    const verdict = await ours(row).catch((error) => (error.status === 400 ? undefined : Promise.reject(error)));
    const isNormal = row.normalized === undefined || verdict?.normalized === row.normalized;
    const how = !verdict ? "refused" : verdict.valid === row.valid && isNormal ? "right" : "wrong";
    count(name, how);
    if (how !== "right") wrong.set(row.kind, [...(wrong.get(row.kind) ?? []), row.value]);
    if (peer) {
      const other = theirs(row);
      count(name, !other ? "stdnum none" : other.valid === row.valid ? "stdnum right" : "stdnum wrong");
    }
  }
}

const own = (name) =>
  JSON.parse(readFileSync(new URL(`../../test/suites/numbers/${name}.json`, import.meta.url), "utf8"));
for (const { country, callingCode, ...numbers } of own("example-phones"))
  for (const number of Object.values(numbers)) {
    const found = await first(phoneNormalize({ phone: `+${callingCode}${number}` }));
    count("example-phones", found.valid ? "right" : "wrong");
    if (phones)
      await countPeer(table.get("example-phones"), "libphonenumber-js", () =>
        phones.isValidPhoneNumber(`+${callingCode}${number}`),
      );
    if (!found.valid) wrong.set("phone", [...(wrong.get("phone") ?? []), `${country} ${number}`]);
  }
const SYNTAX = {
  VALID_CATEGORY: "valid",
  DNSWARN: "valid",
  RFC5321: "rfc5321",
  CFWS: "comment",
  DEPREC: "deprecated",
  RFC5322: "rfc5322",
  ERR: "error",
};
for (const [, email, category] of own("isemail")) {
  const found = await first(emailValidate({ email })).catch(() => undefined);
  count("isemail", !found ? "refused" : found.syntax === SYNTAX[category] ? "right" : "wrong");
}

console.table([...table.values()]);
for (const [kind, values] of wrong) console.log(`${kind}: ${values.length}, such as ${values.slice(0, 3).join(" | ")}`);
