/** Numbers, addresses and e-mail addresses: right ones that are damaged, and heaps of what their rules look for. */
const RIGHT = {
  identifier: [
    ["isin", "US0378331005"],
    ["isbn", "978-0-306-40615-7"],
    ["bic", "DEUTDEFF"],
    ["doi", "10.1000/182"],
    ["leitweg", "991-03730-19"],
    ["isan", "1881-66C7-3420-6541-Y-9F3A-0245-O"],
    ["meid", "29360 87365 0070 3710 0"],
    ["eic", "10X1001A1001A450"],
    ["mac", "00-1B-63-84-45-E6"],
    ["vatin", "CHE-107.787.577 IVA"],
    ["isil", "DE-1"],
  ],
  tax: [
    ["DE", "Aachen HRA 11223"],
    ["FR", "RCS Nancy B 323 159 715"],
    ["RO", "J52/750/2012"],
    ["CZ", "34278-0727558021/0100"],
    ["NZ", "01-0242-0100194-00"],
    ["BY", "УНП MA1953684"],
    ["SE", "880320-0016"],
    ["TN", "1234567/M/A/E/001"],
    ["MX", "GODE 561231 GR8"],
    ["IT", "RCCMNL83S18D969H"],
    ["US", "P-00634642"],
    ["EG", "٣٣١-١٠٥-٢٦٨"],
  ],
  email: ['"a b"@example.com', "(c(d))a@[IPv6:1::2]", "a.b+c@münchen.de", " a @ b . c", "a@\r\n b.c"],
  phone: ["+1 (201) 555-0123 ext. 55", "tel:030-901820;phone-context=+49", "1-800-FLOWERS", "۰۳۰ ۹۰۱۸۲۰"],
};
const PIECES = [
  "-",
  ".",
  "/",
  " ",
  "0",
  "9999999999",
  "A",
  "ſ",
  "٣",
  "９",
  "–",
  "\u200b",
  "\0",
  "\r\n ",
  "(",
  ")",
  "[",
  "]",
  '"',
  "\\",
  "::",
  "@",
  "+",
  "%n",
  "ß",
  "😀",
  "X".repeat(30),
];
const COUNTRIES = ["DE", "JP", "CI", "US", "GB", "ZZ", "AX"];

const value = ({ damage }, text, max) => damage(damage(text, PIECES), PIECES).slice(0, max) || "0";
const oneOf = (random, list, max) => value(random, random.pick(list), max);

const item = (random) =>
  random.pick([
    () => ({ kind: "email", value: oneOf(random, RIGHT.email, 1000) }),
    () => ({ kind: "phone", value: oneOf(random, RIGHT.phone, 300), region: random.pick(["US", "DE", "IR"]) }),
    () => ({
      kind: random.pick(["iban", "tax-id", "vat", "isbn"]),
      value: value(random, "DE136695976", 70),
      country: "DE",
    }),
  ])();

export const parsers = {
  "validate.identifier": (random) => {
    const [kind, text] = random.pick(RIGHT.identifier);
    return { kind, value: value(random, text, 64) };
  },
  "validate.tax-id": (random) => {
    const [country, text] = random.pick(RIGHT.tax);
    return { country: random.pick([country, "FR", "ES", "PL"]), value: value(random, text, 64) };
  },
  "validate.batch": (random) => ({ items: Array.from({ length: 1 + random.below(4) }, () => item(random)) }),
  "validate.iban": (random) => ({ value: value(random, "GB29 NWBK 6016 1331 9268 19", 64) }),
  "email.validate": (random) => ({ email: oneOf(random, RIGHT.email, 1000) }),
  "phone.normalize": (random) => ({
    phone: oneOf(random, RIGHT.phone, 250),
    region: random.pick(["US", "DE", "IR"]),
  }),
  "address.format": (random) => ({
    country: random.pick(COUNTRIES),
    street: [value(random, "1 Main St", 100)],
    city: value(random, "Zürich", 100),
    postalCode: value(random, "8001", 100),
  }),
};
