import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bankStatement } from "../../../src/capabilities/bank/statement.js";

type Input = Parameters<typeof bankStatement>[0];
const read = async (input: Input) => {
  const [item] = (await bankStatement(input)).items;
  if (!item) throw new Error("no item");
  return item;
};
const only = async (text: string, more: Partial<Input> = {}) => {
  const item = await read({ text, ...more });
  const [statement] = item.statements;
  if (!statement) throw new Error("no statement");
  return { ...item, statement };
};
const refused = (input: Input) => bankStatement(input).catch((error: unknown) => error);
const suite = (name: string): { name: string; text: string; entries: unknown[][] | null }[] =>
  JSON.parse(readFileSync(new URL(`../../suites/statements/${name}.json`, import.meta.url), "utf8"));

const HEAD = [":20:1", ":25:37040044/532013000", ":28C:5/1", ":60F:C260227EUR1200,00"];
const mt940 = (...lines: string[]) => [...HEAD, ...lines].join("\n");

test("an MT940 statement with its account, balances, entries and sum", async () => {
  const text = mt940(
    ":61:2602270227DR336,9NTRFNONREF//B4E07XM00J000023",
    ":86:105?00LASTSCHRIFT?20EREF+R-100?21MREF+M-1?22SVWZ+Miete Fe?23bruar?30COBADEFFXXX?31DE89370400440532013000",
    "?32Haus und Grund?33 GmbH",
    ":62F:C260228EUR863,10",
    "-",
  );
  const { format, entryCount, statement, notes } = await only(text);
  expect({ format, entryCount, notes }).toEqual({ format: "mt940", entryCount: 1, notes: [] });
  expect(statement).toMatchObject({
    account: { iban: null, number: "532013000", bank: "37040044", currency: "EUR" },
    number: "5/1",
    from: "2026-02-27",
    to: "2026-02-28",
    openingBalance: { amount: "1200.00", currency: "EUR", date: "2026-02-27" },
    closingBalance: { amount: "863.10", currency: "EUR", date: "2026-02-28" },
    check: { computed: "863.10", difference: "0.00" },
  });
  expect(statement.entries).toMatchObject([
    {
      amount: "-336.90",
      currency: "EUR",
      bookingDate: "2026-02-27",
      valueDate: "2026-02-27",
      type: "NTRF",
      reversal: false,
      bankReference: "B4E07XM00J000023",
      customerReference: "NONREF",
      endToEndId: "R-100",
      mandateId: "M-1",
      counterparty: { name: "Haus und Grund GmbH", iban: "DE89370400440532013000", bic: "COBADEFFXXX" },
      purpose: "Miete Februar",
    },
  ]);
});

describe("sums", () => {
  test("what does not add up is said, with how much", async () => {
    const { statement, notes } = await only(mt940(":61:260227D100,00NTRFX", ":62F:C260228EUR1050,00"));
    expect(statement.check).toEqual({ computed: "1100.00", difference: "-50.00" });
    expect(notes).toEqual(["statement 1 does not add up: it states -50.00 more than its entries give"]);
  });

  test("a reversed credit takes money away, a reversed debit gives it back", async () => {
    const text = mt940(":61:260227RC100,00NTRFX", ":61:260227RDR30,00NTRFX", ":62F:C260228EUR1130,00");
    const { statement } = await only(text);
    expect(statement.entries).toMatchObject([
      { amount: "-100.00", reversal: true },
      { amount: "30.00", reversal: true },
    ]);
    expect(statement.check.difference).toBe("0.00");
  });

  test("an interim report without balances is checked against the sums that it states", async () => {
    const lines = [
      ":20:1",
      ":25:1/2",
      ":34F:EUR0,",
      ":13D:2602271815+0100",
      ":61:260227C7,5NTRFX",
      ":90D:0EUR0,",
      ":90C:1EUR7,50",
    ];
    const { format, statement } = await only(lines.join("\n"));
    expect(format).toBe("mt942");
    expect(statement).toMatchObject({
      to: "2026-02-27",
      openingBalance: null,
      check: { computed: "7.50", difference: "0.00" },
    });
  });

  const camt = (parts: string) =>
    `<Document><BkToCstmrStmt><Stmt><Acct><Ccy>EUR</Ccy></Acct>${parts}</Stmt></BkToCstmrStmt></Document>`;
  const money = (amount: string, currency = "EUR") =>
    `<Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`;
  const balance = (type: string, amount: string, currency?: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${money(amount, currency)}</Bal>`;
  const entry = (amount: string, currency?: string) => `<Ntry>${money(amount, currency)}<Sts>BOOK</Sts></Ntry>`;

  test.each([
    ["an entry", balance("OPBD", "10") + balance("CLBD", "15") + entry("5", "USD"), "EUR, USD"],
    ["a balance", balance("OPBD", "10", "USD") + balance("CLBD", "15") + entry("5"), "USD, EUR"],
  ])("%s in another currency is not added up, which is said", async (_, parts, currencies) => {
    const { statement, notes } = await only(camt(parts));
    expect(statement.check).toEqual({ computed: null, difference: null });
    expect(notes).toEqual([`statement 1 is not added up: its amounts are in ${currencies}`]);
  });

  test("balances of two currencies in MT940 are not added up", async () => {
    const { statement, notes } = await only(mt940(":61:260227C100,00NTRFX", ":62F:C260228USD1300,00"));
    expect(statement.check.difference).toBeNull();
    expect(notes).toEqual(["statement 1 is not added up: its amounts are in EUR, USD"]);
  });

  test("a sum that contradicts entries is said, also where the balances add up", async () => {
    const balances = balance("OPBD", "10") + balance("CLBD", "15");
    const summary = (net: string, credits: string) =>
      `<TxsSummry><TtlCdtNtries><Sum>${credits}</Sum></TtlCdtNtries><TtlNtries><TtlNetNtryAmt>${net}</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd></TtlNtries></TxsSummry>`;
    expect((await only(camt(summary("5", "5.00") + balances + entry("5")))).notes).toEqual([]);
    const wrong = await only(camt(summary("5.01", "6") + balances + entry("5")));
    expect(wrong.statement.check.difference).toBe("0.00");
    expect(wrong.notes).toEqual([
      "statement 1 states 5.01 as the sum of its entries, which is 5.00",
      "statement 1 states 6.00 as the sum of its credits, which is 5.00",
    ]);
    const creditsAlone = "<TxsSummry><TtlCdtNtries><Sum>6</Sum></TtlCdtNtries></TxsSummry>";
    expect((await only(camt(creditsAlone + balances + entry("5")))).notes).toEqual(wrong.notes.slice(1));
  });

  test("an interim report that states one of its two sums is checked against that one", async () => {
    const report = (sum: string) =>
      [":20:1", ":25:1/2", ":34F:EUR0,", ":61:260227C5,NTRFX", ":61:260227D2,NTRFX", `:90D:1EUR${sum}`].join("\n");
    expect(await only(report("2,"))).toMatchObject({
      notes: [],
      statement: { check: { computed: "3.00", difference: "0.00" } },
    });
    expect(await only(report("2,01"))).toMatchObject({
      notes: [
        expect.stringContaining("does not add up"),
        "statement 1 states -2.01 as the sum of its debits, which is -2.00",
      ],
      statement: { check: { difference: "-0.01" } },
    });
  });

  test("an amount has the digits of its currency and never fewer than were written", async () => {
    const yen = [":20:1", ":25:1/2", ":60F:C260227JPY1200,", ":61:260227D200,NTRFX", ":62F:C260227JPY1000,"].join("\n");
    expect((await only(yen)).statement).toMatchObject({ check: { computed: "1000", difference: "0" } });
    const dinar = yen.replaceAll("JPY", "KWD").replace("D200,", "D200,1234");
    expect((await only(dinar)).statement).toMatchObject({
      entries: [{ amount: "-200.1234" }],
      check: { difference: "0.1234" },
    });
  });
});

describe("MT940 as banks write it", () => {
  test("30 February is the last day of the month, with a note", async () => {
    const { statement, notes } = await only(mt940(":61:2602300301DR6,00N024NONREF", ":62F:C260301EUR1194,00"));
    expect(statement.entries).toMatchObject([{ valueDate: "2026-02-28", bookingDate: "2026-03-01" }]);
    expect(notes).toEqual(["line 5: 30 February 2026 is read as the last day of that month"]);
  });

  test("an entry of December booked in January is of the next year", async () => {
    const { statement } = await only(mt940(":61:2512310102D6,00NTRFX"));
    expect(statement.entries).toMatchObject([{ valueDate: "2025-12-31", bookingDate: "2026-01-02" }]);
  });

  test.each([
    ["wrapped before the amount", ":61:2602270227CR\n30,00N062NONREF", "30.00"],
    ["blanks in the place of the entry's day", ":61:260227    DD212,39NMSCNONREF//", "-212.39"],
    ["a third letter of the currency", ":61:2602270227CM5000,00S051", "5000.00"],
  ])("%s", async (_, line, amount) => {
    expect((await only(mt940(line))).statement.entries).toMatchObject([{ amount }]);
  });

  test("an IBAN where the reference stands, with its owner below", async () => {
    const { statement } = await only(mt940(":61:2602270227D65,00NOVBNL47INGB9999999999\nhr gjlm paulissen"));
    expect(statement.entries).toMatchObject([
      { counterparty: { iban: "NL47INGB9999999999", name: "hr gjlm paulissen" } },
    ]);
  });

  test("words between slashes", async () => {
    const details =
      ":86:/TRTP/SEPA OVERBOEKING/IBAN/NL47INGB9999999999/BIC/INGBNL2A/NAME/J JANSEN/REMI/Factuur 7/EREF/E-7";
    const { statement } = await only(mt940(":61:2602270227D65,00NTRFX", details));
    expect(statement.entries).toMatchObject([
      {
        counterparty: { iban: "NL47INGB9999999999", bic: "INGBNL2A", name: "J JANSEN" },
        purpose: "Factuur 7",
        endToEndId: "E-7",
      },
    ]);
  });

  test("several messages, in the blocks of SWIFT and without", async () => {
    const block = (body: string) => `{1:F01ASNBNL21XXXX0000000000}{2:O940ASNBNL21XXXXN}{3:}{4:\n${body}\n-}{5:}\n`;
    const text = block(mt940(":62F:C260227EUR1200,00")) + mt940(":62F:C260228EUR1200,00");
    expect((await read({ text })).statements).toHaveLength(2);
  });

  test("bytes that are not UTF-8", async () => {
    const bytes = Buffer.from(mt940(":61:2602270227D65,00NTRFX", ":86:Gebühr"), "latin1");
    const { statements, notes } = await read({ file: bytes.toString("base64") });
    expect(statements[0]?.entries[0]?.purpose).toBe("Gebühr");
    expect(notes).toEqual(["the bytes are not UTF-8 and are read as Windows-1252"]);
  });
});

const camt = (entries: string, balances = "") =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr/><Stmt><Id>S-1</Id>
  <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Acme</Nm></Ownr></Acct>${balances}${entries}</Stmt></BkToCstmrStmt></Document>`;
const balance = (code: string, amount: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-02-27</Dt></Dt></Bal>`;
const payment = (amount: string, id: string) =>
  `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt><RltdPties><Dbtr><Pty><Nm>Payer ${id}</Nm></Pty></Dbtr>
  <DbtrAcct><Id><IBAN>NL47INGB9999999999</IBAN></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>Invoice</Ustrd></RmtInf></TxDtls>`;
const entry = (amount: string, mark: string, details: string, status = "<Cd>BOOK</Cd>") =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts>${status}</Sts><BookgDt><DtTm>2026-02-27T23:30:00+01:00</DtTm></BookgDt>
  <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls>${details}</NtryDtls></Ntry>`;

describe("camt", () => {
  test("an entry with who paid, and its day as the bank wrote it", async () => {
    const text = camt(entry("8.5", "CRDT", payment("8.5", "E-1")), balance("OPBD", "18.15") + balance("CLBD", "26.65"));
    const { format, statement } = await only(text);
    expect(format).toBe("camt.053");
    expect(statement).toMatchObject({
      account: { iban: "DE89370400440532013000", owner: "Acme" },
      check: { computed: "26.65", difference: "0.00" },
      entries: [
        {
          ...{
            amount: "8.50",
            bookingDate: "2026-02-27",
            type: "PMNT-RCDT-ESCT",
            endToEndId: "E-1",
            purpose: "Invoice",
          },
          ...{ counterparty: { name: "Payer E-1", iban: "NL47INGB9999999999" }, parts: [] },
        },
      ],
    });
  });

  test("an entry of several payments has them as parts, and itself what they share", async () => {
    const { statement } = await only(camt(entry("8.5", "CRDT", payment("3", "E-1") + payment("5.5", "E-2"))));
    expect(statement.entries).toMatchObject([
      {
        ...{ amount: "8.50", endToEndId: null, purpose: "Invoice", counterparty: { name: null } },
        parts: [
          { amount: "3.00", endToEndId: "E-1", counterparty: { name: "Payer E-1" } },
          { amount: "5.50", endToEndId: "E-2" },
        ],
      },
    ]);
  });

  test("what is not booked does not count in the sum", async () => {
    const entries = entry("5", "DBIT", "") + entry("9", "DBIT", "", "PDNG");
    const { statement } = await only(camt(entries, balance("OPBD", "20") + balance("CLBD", "15")));
    expect(statement.entries.map(({ status }) => status)).toEqual(["booked", "pending"]);
    expect(statement.check.difference).toBe("0.00");
  });
});

const OFX = (list: string, more = "") =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD
<BANKACCTFROM><BANKID>121099999<ACCTID>999988<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20261001<DTEND>20261028
${list}</BANKTRANLIST>${more}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

describe("OFX", () => {
  test("version 1, whose values have no end tags", async () => {
    const row =
      "<STMTTRN><TRNTYPE>CHECK<DTPOSTED>20261004120000[-5:EST]<TRNAMT>-200,5<FITID>2<CHECKNUM>1000<NAME>A &amp; B<MEMO></STMTTRN>";
    const { format, statement } = await only(OFX(row, "<LEDGERBAL><BALAMT>200.29<DTASOF>20261029</LEDGERBAL>"));
    expect(format).toBe("ofx");
    expect(statement).toMatchObject({
      account: { number: "999988", bank: "121099999", currency: "USD" },
      ...{ from: "2026-10-01", to: "2026-10-28", openingBalance: null, check: { computed: null, difference: null } },
      closingBalance: { amount: "200.29", date: "2026-10-29" },
      entries: [
        {
          ...{
            amount: "-200.50",
            bookingDate: "2026-10-04",
            type: "CHECK",
            bankReference: "2",
            customerReference: "1000",
          },
          ...{ counterparty: { name: "A & B" }, purpose: null },
        },
      ],
    });
  });

  test("version 2, which is XML", async () => {
    const text = `<?xml version="1.0"?><?OFX OFXHEADER="200" VERSION="200"?><OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS>
    <CURDEF>BRL</CURDEF><CCACCTFROM><ACCTID>1</ACCTID></CCACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260323</DTPOSTED>
    <TRNAMT>-13.00</TRNAMT><FITID>F</FITID></STMTTRN></BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`;
    expect((await only(text)).statement.entries).toMatchObject([{ amount: "-13.00", currency: "BRL" }]);
  });
});

describe("QIF", () => {
  const qif = (...dates: string[]) =>
    `!Type:Bank\n${dates.map((date) => `D${date}\nT-1,234.50\nN1001\nPLandlord\nMRent\n^`).join("\n")}\n`;

  test("records of a letter and a value", async () => {
    const { format, statement } = await only(qif("12/31'25"));
    expect(format).toBe("qif");
    expect(statement.entries).toMatchObject([
      {
        amount: "-1234.50",
        currency: null,
        bookingDate: "2025-12-31",
        customerReference: "1001",
        counterparty: { name: "Landlord" },
        purpose: "Rent",
      },
    ]);
  });

  test.each<[string[], string[], Partial<Input>]>([
    [["1/ 5'26"], ["2026-01-05"], {}],
    [["5/1/2026", "31/1/2026"], ["2026-01-05", "2026-01-31"], {}],
    [["5.1.26"], ["2026-01-05"], {}],
    [["2026-01-05"], ["2026-01-05"], {}],
    [["1/5/2026"], ["2026-05-01"], { dateOrder: "dmy" }],
    [["26/1/5"], ["2026-01-05"], { dateOrder: "ymd" }],
  ])("dates %j are %j", async (dates, days, more) => {
    const { statement } = await only(qif(...dates), more);
    expect(statement.entries.map(({ bookingDate }) => bookingDate)).toEqual(days);
  });

  test("dates that may be read in two ways are noted", async () => {
    expect((await only(qif("1/5/2026"))).notes).toEqual(["dates are read as mdy: say dateOrder if they are not"]);
  });

  test("dates that are none in the order given are refused", async () => {
    expect(await refused({ text: qif("31/1/2026"), dateOrder: "mdy" })).toMatchObject({
      status: 400,
      issues: [{ path: "dateOrder" }],
    });
  });
});

describe("suites of others", () => {
  test.each(suite("mt940").map((one) => [one.name, one] as const))("mt940, %s", async (_, { text, entries }) => {
    if (!entries) return expect(await refused({ text })).toMatchObject({ status: 400 });
    const item = await read({ text });
    const found = item.statements.flatMap((one) => one.entries.map((e) => [Number(e.amount), e.valueDate, e.type]));
    expect(found).toEqual(entries);
  });

  test.each(suite("camt").map((one) => [one.name, one] as const))("camt, %s", async (_, { text, entries }) => {
    if (!entries) return expect(await refused({ text })).toMatchObject({ status: 400 });
    const item = await read({ text });
    const found = item.statements
      .flatMap((one) => one.entries)
      .map((e) => [Math.round(Number(e.amount) * 100).toString(), e.currency, e.bookingDate, e.valueDate, e.reversal]);
    // Of several statements that library lists the entries of the last.
    expect(found.slice(found.length - entries.length)).toEqual(entries);
  });
});

describe("refusals", () => {
  const lines = (count: number) => mt940(...Array.from({ length: count }, () => ":61:260227C1,00NTRFX"));
  test.each<[string, Input, string]>([
    ["nothing", { text: " " }, "text"],
    ["no statement", { text: "Dear customer, your balance is 5." }, "text"],
    ["other XML", { text: "<invoice/>" }, "text"],
    ["a document type", { text: `<!DOCTYPE Document [<!ENTITY a "b">]>${camt("")}` }, "text"],
    ["a document type in OFX", { text: `<?OFX OFXHEADER="200"?><OFX><!DOCTYPE a>${"</OFX>"}` }, "text"],
    ["XML of 50,000 levels", { text: "<a>".repeat(50_000) }, "text"],
    ["OFX of 50,000 levels", { text: `<OFX>${"<A>".repeat(50_000)}` }, "text"],
    ["an entry that cannot be read", { text: mt940(":61:nonsense") }, "text"],
    ["a field of more than 1,000 characters", { text: mt940(`:61:260227C1,00NTRF${"x".repeat(1_000)}`) }, "text"],
    ["more than 20,000 entries", { text: lines(20_001) }, "text"],
    ["no base64", { file: "*" }, "file"],
    ["an order of dates that is none", { text: "!Type:Bank\n^", dateOrder: "ydm" as never }, "dateOrder"],
  ])("%s", async (_, input, path) => {
    expect(await refused(input)).toMatchObject({ status: 400, issues: [{ path }] });
  });

  test("20,000 entries are read", async () => {
    expect((await read({ text: lines(20_000) })).entryCount).toBe(20_000);
  });

  test.each([
    ["slashes in an entry", mt940(...Array.from({ length: 2_000 }, () => `:61:260227C1,00NTRF${"/ ".repeat(400)}`))],
    [
      "words of slashes",
      mt940(":61:260227C1,00NTRFX", ...Array.from({ length: 2_000 }, () => `:86:${"/ID/".repeat(200)}`)),
    ],
    ["tags of OFX", OFX("<STMTTRN><TRNAMT>1".repeat(150))],
  ])("ends for %s", async (_, text) => {
    await refused({ text });
  });

  test("so many statements", async () => {
    expect(await refused({ text: ":20:x\n:25:1\n".repeat(2_001) })).toMatchObject({
      code: "RESULT_TOO_LARGE",
      issues: [{ path: "text", message: "has more than 2000 statements: send it in parts" }],
    });
  });
});
