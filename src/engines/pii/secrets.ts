/** Keys and tokens of services: a prefix, then letters of an alphabet, each bounded, so that a search is linear. */
const WORD = "[A-Za-z0-9]";
const SLUG = "[A-Za-z0-9_-]";
const HEX = "[0-9a-f]";

const KEYS: readonly (readonly [prefix: string, alphabet: string, least: number, most: number])[] = [
  ["(?:AKIA|ASIA|AGPA|AIDA|AROA)", "[A-Z0-9]", 16, 16],
  ["gh[pousr]_", WORD, 36, 255],
  ["github_pat_", "[A-Za-z0-9_]", 50, 100],
  ["glpat-", SLUG, 20, 64],
  ["xox[abeprs]-", SLUG, 10, 200],
  ["xapp-", SLUG, 20, 200],
  ["(?:sk|rk|pk)_(?:live|test)_", WORD, 16, 120],
  ["whsec_", "[A-Za-z0-9+/=]", 24, 80],
  ["sk-(?:proj-|ant-|or-)?", SLUG, 20, 200],
  ["AIza", SLUG, 35, 35],
  ["ya29\\.", SLUG, 20, 300],
  ["GOCSPX-", SLUG, 28, 28],
  ["SG\\.[A-Za-z0-9_-]{22}\\.", SLUG, 43, 43],
  ["npm_", WORD, 36, 36],
  ["pypi-", SLUG, 50, 250],
  ["do[opr]_v1_", HEX, 64, 64],
  ["hf_", WORD, 34, 40],
  ["r8_", WORD, 37, 40],
  ["gsk_", WORD, 40, 60],
  ["shp(?:at|ca|pa|ss)_", "[0-9a-fA-F]", 32, 32],
  ["sq0(?:atp|csp)-", SLUG, 22, 50],
  ["hv[sb]\\.", SLUG, 24, 200],
  ["lin_api_", WORD, 40, 40],
  ["PMAK-", "[0-9a-f-]", 50, 70],
  ["xkeysib-", "[0-9a-f-]", 64, 90],
  ["dapi", HEX, 32, 34],
  ["ATATT3", "[A-Za-z0-9_=-]", 50, 250],
  ["ntn_", WORD, 40, 60],
  ["dp\\.pt\\.", WORD, 40, 44],
  ["gl(?:c|sa)_", "[A-Za-z0-9_=+/]", 32, 250],
  ["NRAK-", "[A-Z0-9]", 27, 27],
  ["pscale_(?:tkn|pw)_", "[A-Za-z0-9_.-]", 32, 64],
  ["AGE-SECRET-KEY-1", "[A-Z0-9]", 58, 58],
  ["key-", HEX, 32, 32],
  ["SK", HEX, 32, 32],
  ["rubygems_", HEX, 48, 48],
  ["CLOJARS_", "[a-z0-9]", 60, 60],
  ["figd_", SLUG, 40, 60],
  ["fo1_", SLUG, 43, 43],
  ["tfp_", SLUG, 40, 64],
];

const keys = KEYS.map(([prefix, alphabet, least, most]) => `${prefix}${alphabet}{${least},${most}}`).join("|");

export const SECRETS: readonly RegExp[] = [
  new RegExp(`(?<![A-Za-z0-9_])(?:${keys})(?![A-Za-z0-9])`, "g"),
  // A JSON Web Token.
  /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{2,8000}\.[\w-]{0,2000}/g,
  /-----BEGIN (?:[A-Z]{2,12} ){0,2}PRIVATE KEY-----[A-Za-z0-9+/=\s]{20,10000}-----END (?:[A-Z]{2,12} ){0,2}PRIVATE KEY-----/g,
  // A bot of Telegram, and a web hook of Slack.
  /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/g,
  /https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,80}/g,
];
