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

export function make(random) {
  const { pick, damage, below } = random;
  const value = (text, max) => damage(damage(text, PIECES), PIECES).slice(0, max) || "0";
  switch (below(7)) {
    case 0: {
      const [kind, text] = pick(RIGHT.identifier);
      return { endpoint: "validate.identifier", input: { kind, value: value(text, 64) } };
    }
    case 1: {
      const [country, text] = pick(RIGHT.tax);
      return {
        endpoint: "validate.tax-id",
        input: { country: pick([country, "FR", "ES", "PL"]), value: value(text, 64) },
      };
    }
    case 6: {
      const item = () =>
        pick([
          () => ({ kind: "email", value: value(pick(RIGHT.email), 1000) }),
          () => ({ kind: "phone", value: value(pick(RIGHT.phone), 300), region: pick(["US", "DE", "IR"]) }),
          () => ({ kind: pick(["iban", "tax-id", "vat", "isbn"]), value: value("DE136695976", 70), country: "DE" }),
        ])();
      return { endpoint: "validate.batch", input: { items: Array.from({ length: 1 + below(4) }, item) } };
    }
    case 2:
      return { endpoint: "validate.iban", input: { value: value("GB29 NWBK 6016 1331 9268 19", 64) } };
    case 3:
      return { endpoint: "email.validate", input: { email: value(pick(RIGHT.email), 1000) } };
    case 4:
      return {
        endpoint: "phone.normalize",
        input: { phone: value(pick(RIGHT.phone), 250), region: pick(["US", "DE", "IR"]) },
      };
    default:
      return {
        endpoint: "address.format",
        input: {
          country: pick(COUNTRIES),
          street: [value("1 Main St", 100)],
          city: value("Zürich", 100),
          postalCode: value("8001", 100),
        },
      };
  }
}
