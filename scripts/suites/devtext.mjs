/**
 * Runs suites of others about tokens, versions and texts through the built package, and prints right, wrong and refused.
 *
 *   node scripts/suites/devtext.mjs [--show 10] [--peers <folder>]
 *
 * The suites are those of `test/suites`: Wycheproof's tokens, the fixtures of node-semver, the tables of jellyfish, and
 * the texts of presidio.
 * Beside them stands what one would use instead: jose and semver, and where peers.mjs finds them talisman, and
 * redact-pii (asked whether it finds anything, not how much or where; it knows four of the kinds). `test/capabilities/dev/jwt.test.ts` tells why some
 * of Wycheproof's verdicts are not ours.
 */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { compactDecrypt, compactVerify, createLocalJWKSet, decodeProtectedHeader, importJWK } from "jose";
import semver from "semver";
import { loaderOf } from "./peers.mjs";

const { values: options } = parseArgs({
  options: { show: { type: "string", default: "5" }, peers: { type: "string" } },
});
const group = (name) => import(new URL(`../../dist/capabilities/${name}/index.js`, import.meta.url).href);
const [{ devJwt, devVersion }, { textRedact, textSimilarity }] = await Promise.all(["dev", "text"].map(group));

/** The rows of a suite; its first line tells where it is from. */
const rowsOf = (name) =>
  readFileSync(new URL(`../../test/suites/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line));

const table = [];
const findings = [];
/** `isRight` asks the built endpoint, `peer` the library. */
async function judge(suite, rows, { isRight, peer, nameOf }) {
  const row = { suite, cases: rows.length, right: 0, wrong: 0, refused: 0 };
  for (const one of rows) {
    const how = await isRight(one).then(
      (right) => (right ? "right" : "wrong"),
      (error) => (error.status === 400 ? "refused" : "wrong"),
    );
    row[how] += 1;
    if (how !== "right") findings.push(`${suite}, ${how}: ${nameOf(one)}`.slice(0, 200));
    if (!peer) continue;
    row["peer right"] = (row["peer right"] ?? 0) + Number(await peer(one));
  }
  table.push(row);
}

const first = async (call) => (await call).items[0];

async function joseAccepts({ key, token }) {
  try {
    const isEncrypted = token.split(".").length === 5;
    const alg = key.alg ?? decodeProtectedHeader(token).alg;
    const found = key.keys ? createLocalJWKSet(key) : await importJWK(key, alg);
    await (isEncrypted ? compactDecrypt : compactVerify)(token, found);
    return true;
  } catch {
    return false;
  }
}

const tokens = rowsOf("wycheproof-tokens");
for (const suite of ["jws", "jwk", "jwe"])
  await judge(
    `Wycheproof, ${suite} (peer: jose)`,
    tokens
      .filter(([of]) => of === suite)
      .flatMap(([, name, key, tests]) => tests.map(([id, token, valid]) => ({ name, key, id, token, valid }))),
    {
      async isRight({ key, token, valid }) {
        // No token at all is refused, which is right.
        if (token === "") return !valid;
        const { verified } = await first(devJwt({ token, key, checkClaims: false }));
        return (verified === true) === valid;
      },
      peer: async (one) => (await joseAccepts(one)) === one.valid,
      nameOf: ({ id, name, valid }) => `${id}, ${name}, which the suite calls ${valid ? "valid" : "invalid"}`,
    },
  );

/** A wanted field of a version's answer. */
function isWanted(found, [name, value]) {
  if (name === "orderNot") return found.order !== value;
  if (name !== "parsed") return isDeepStrictEqual(found[name], value);
  return Object.entries(value).every(([part, one]) => isDeepStrictEqual(found.parsed[part], one));
}

const PEER = {
  satisfies: ({ version, range, ...how }) => ({
    satisfies: semver.satisfies(version, range, how),
    // It throws where a version is wrong, and is asked where the suite has an order.
    get order() {
      return Number(semver.gtr(version, range, how)) - Number(semver.ltr(version, range, how));
    },
  }),
  compare: ({ version, other, ...how }) => ({ order: semver.compare(version, other, how) }),
  increment: ({ version, release, identifier, base, ...how }) => ({
    result: semver.inc(version, release, how, identifier, base === "none" ? false : base),
  }),
  parse: ({ version, range, ...how }) =>
    version === undefined
      ? { result: semver.validRange(range, how) }
      : { valid: semver.valid(version, how) !== null, parsed: semver.parse(version, how) },
};
await judge("node-semver (peer: semver)", rowsOf("node-semver"), {
  async isRight({ input, expect }) {
    // A step that does not exist is refused, and has no result in the suite.
    const noStep = (error) => (error.status === 400 ? { result: null } : Promise.reject(error));
    const found = await first(devVersion(input)).catch(noStep);
    return Object.entries(expect).every((wanted) => isWanted(found, wanted));
  },
  async peer({ input: { operation, ...input }, expect }) {
    try {
      const found = PEER[operation](input);
      return Object.entries(expect).every((wanted) => isWanted(found, wanted));
    } catch {
      return false;
    }
  },
  nameOf: ({ input }) => JSON.stringify(input),
});

const load = loaderOf(options.peers);
const TALISMAN = {
  ...{ "damerau-levenshtein": "metrics/damerau-levenshtein", hamming: "metrics/hamming", jaccard: "metrics/jaccard" },
  ...{ jaro: "metrics/jaro", "jaro-winkler": "metrics/jaro-winkler", levenshtein: "metrics/levenshtein" },
  ...{ metaphone: "phonetics/metaphone", nysiis: "phonetics/nysiis", soundex: "phonetics/soundex" },
};
const talisman = {};
for (const [measure, path] of Object.entries(TALISMAN)) talisman[measure] = (await load(`talisman/${path}`))?.default;

/** Distances of the library are turned into our scores, which go from 0 to 1. */
async function isRightOfTalisman([measure, a, b, score]) {
  const ask = talisman[measure].default ?? talisman[measure];
  if (score === undefined) return ask(a).toUpperCase() === b;
  const found = ask(a, b);
  const isDistance = ["damerau-levenshtein", "hamming", "levenshtein"].includes(measure);
  const whole = Math.max(a.length, b.length) || 1;
  return Math.abs((isDistance ? 1 - found / whole : found) - score) < 0.001;
}
await judge("jellyfish (peer: talisman)", rowsOf("jellyfish"), {
  peer: talisman.jaro && (async (row) => isRightOfTalisman(row).catch(() => false)),
  async isRight([measure, a, b, score]) {
    const isCode = score === undefined;
    const { codes, scores } = await first(textSimilarity({ a, b: isCode ? "" : b, measures: [measure] }));
    return isCode ? codes[measure][0] === b : Math.abs(scores[measure] - score) < 0.001;
  },
  nameOf: JSON.stringify,
});

/** Places of Python are in code points. */
const isAsPresidio = ({ findings }, [, , text, count, places]) => {
  const place = (unit) => [...text.slice(0, unit)].length;
  const found = findings.map(({ start, end }) => [place(start), place(end)]);
  return found.length === count && (places === null || isDeepStrictEqual(found, places));
};
const redactor = await load("redact-pii");
const OF_REDACT_PII = ["credit_card", "email", "ip_address", "us_ssn"];
const peerFinds = ([, type, text, count]) =>
  OF_REDACT_PII.includes(type) && (new redactor.SyncRedactor().redact(text) !== text) === count > 0;
// Its tax numbers are counted apart: it finds any number of such a form, and says how unsure it is.
for (const isOfTax of [false, true])
  await judge(
    `presidio, ${isOfTax ? "numbers of tax" : "all but numbers of tax (peer: redact-pii)"}`,
    rowsOf("presidio").filter(([, type]) => (type === "tax_id") === isOfTax),
    {
      isRight: async (row) => isAsPresidio(await first(textRedact({ text: row[2], types: [row[1]] })), row),
      peer: redactor && !isOfTax ? async (row) => peerFinds(row) : undefined,
      nameOf: JSON.stringify,
    },
  );

console.table(table);
const shown = new Map();
for (const finding of findings) {
  const [suite] = finding.split(": ");
  shown.set(suite, (shown.get(suite) ?? 0) + 1);
  if (shown.get(suite) <= Number(options.show)) console.log(finding);
}
