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

/** Makers that get texts to damage: `text(right)`. */
const withTexts = (maker) => (random) => maker({ pick: random.pick, text: (right) => random.damage(right, PIECES) });

const version = (scheme) =>
  withTexts(({ pick, text }) => ({
    ...{ operation: pick(["satisfies", "compare", "parse"]), scheme },
    ...{ version: text(pick(VERSIONS)), other: text(pick(VERSIONS)), range: text(pick(RANGES)) },
  }));

export const parsers = {
  "dev.jwt": withTexts(({ pick, text }) => ({
    token: text(TOKEN),
    key: pick([text(JWK), "secret", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"]),
  })),
  "dev.regex-test": withTexts(({ pick, text }) => ({
    pattern: text(pick(PATTERNS)),
    text: text(pick(TEXTS)),
    replace: text("$1-$<n>$&$$"),
  })),
  "dev.version semver": version("semver"),
  "dev.version pep440": version("pep440"),
  "dev.version maven": version("maven"),
  "dev.license": withTexts(({ pick, text }) => ({
    expression: text(pick(LICENCES)),
    allowed: ["MIT", text("GPL-2.0")],
  })),
  "security.cvss": withTexts(({ pick, text }) => ({ vector: text(pick(VECTORS)) })),
  "text.diff": withTexts(({ pick, text }) => ({
    a: text(pick(TEXTS)),
    b: text(pick(TEXTS)),
    by: pick(["line", "word", "character"]),
  })),
  "text.diff apply": withTexts(({ text }) => ({ operation: "apply", a: text(TEXTS[0]), patch: text(PATCH) })),
  "text.chunk": withTexts(({ pick, text }) => ({
    text: text(pick(TEXTS)),
    by: pick(["characters", "sentences", "markdown", "paragraphs"]),
    max: pick([1, 2, 7, 100]),
  })),
  "text.similarity": withTexts(({ pick, text }) => ({ a: text(pick(TEXTS)), b: text(pick(TEXTS)) })),
  "text.redact": withTexts(({ pick, text }) => ({
    text: text(pick(TEXTS)),
    replace: pick(["label", "mask", "hash"]),
    keep: pick([0, 4]),
  })),
};
