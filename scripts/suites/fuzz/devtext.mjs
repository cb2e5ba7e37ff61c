/** Tokens, patterns, versions, licences, vectors and texts: right ones that are damaged, and heaps of what their parsers look for. */
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.bDIuPSVF1fNsR0sOYwUTEyOOAeuzNJswgZuL3lmdBrM";
const JWK = '{"kty":"RSA","n":"kqGboBfAWttWPCA","e":"AQAB","alg":"RS256"}';
const TEXTS = [
  "one\ntwo\nthree\n",
  "# A\n\n```\ncode\n```\n\n## B\n",
  "Card 4111 1111 1111 1111, a@b.co, DE89370400440532013000",
  "👨‍👩‍👧 é̂ 🇩🇪🇫🇷",
];
const PATTERNS = [
  "^(a+)+$",
  "(?P<n>\\w+)@(\\w+)\\.com",
  "[^a-z\\d]{2,9}|x*?",
  "(?i:\\bfoo\\b)",
  "(?=a)\\1",
  "\\p{Greek}+",
];
const VERSIONS = ["1.2.3-beta.4+build", "1!2.0rc1.post2.dev3+l.1", "1.0-alpha-1-SNAPSHOT"];
const RANGES = ["^1.2.3 || >=2 <3", ">=1.2,!=1.3.*,~=1.2", "[1.0,2.0),(3,)", "1.x - 2"];
const LICENCES = ["(MIT OR GPL-2.0+ WITH GCC-exception-2.0) AND LicenseRef-x", "DocumentRef-a:LicenseRef-b"];
const VECTORS = [
  "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:F",
  "AV:N/AC:M/Au:M/C:C/I:N/A:P",
  "CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H",
];
const PATCH = "--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
const PIECES = [
  ...[
    ".",
    "-",
    "+",
    "*",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "\\",
    "^",
    "$",
    "?",
    ":",
    "/",
    ",",
    "@",
    "#",
    "`",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\0",
  ],
  ...[
    "9".repeat(30),
    "a".repeat(200),
    "(".repeat(50),
    "{9}",
    "{1000}",
    "\u0301",
    "\u200d",
    "😀",
    "\ud800",
    "é",
    "AND",
    "WITH",
    "constructor",
    "__proto__",
  ],
];

const MAKERS = [
  ({ pick, text }) => ({
    endpoint: "dev.jwt",
    input: {
      token: text(TOKEN),
      key: pick([text(JWK), "secret", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"]),
    },
  }),
  ({ pick, text }) => ({
    endpoint: "dev.regex-test",
    input: { pattern: text(pick(PATTERNS)), text: text(pick(TEXTS)), replace: text("$1-$<n>$&$$") },
  }),
  ({ pick, text }) => {
    const scheme = pick(["semver", "pep440", "maven"]);
    return {
      endpoint: "dev.version",
      format: scheme,
      input: {
        ...{ operation: pick(["satisfies", "compare", "parse"]), scheme },
        ...{ version: text(pick(VERSIONS)), other: text(pick(VERSIONS)), range: text(pick(RANGES)) },
      },
    };
  },
  ({ pick, text }) => ({
    endpoint: "dev.license",
    input: { expression: text(pick(LICENCES)), allowed: ["MIT", text("GPL-2.0")] },
  }),
  ({ pick, text }) => ({ endpoint: "security.cvss", input: { vector: text(pick(VECTORS)) } }),
  ({ pick, text }) => ({
    endpoint: "text.diff",
    input: { a: text(pick(TEXTS)), b: text(pick(TEXTS)), by: pick(["line", "word", "character"]) },
  }),
  ({ text }) => ({
    endpoint: "text.diff",
    format: "apply",
    input: { operation: "apply", a: text(TEXTS[0]), patch: text(PATCH) },
  }),
  ({ pick, text }) => ({
    endpoint: "text.chunk",
    input: {
      text: text(pick(TEXTS)),
      by: pick(["characters", "sentences", "markdown", "paragraphs"]),
      max: pick([1, 2, 7, 100]),
    },
  }),
  ({ pick, text }) => ({ endpoint: "text.similarity", input: { a: text(pick(TEXTS)), b: text(pick(TEXTS)) } }),
  ({ pick, text }) => ({
    endpoint: "text.redact",
    input: { text: text(pick(TEXTS)), replace: pick(["label", "mask", "hash"]), keep: pick([0, 4]) },
  }),
];

export function make(random) {
  const { pick, damage } = random;
  return pick(MAKERS)({ pick, text: (right) => damage(right, PIECES) });
}
