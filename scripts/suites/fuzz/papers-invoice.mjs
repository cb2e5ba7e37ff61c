/** Bank statements and invoices: right ones that are damaged, in every format, and PDFs around them. */
import { deflateSync } from "node:zlib";

const { invoiceRead } = await import(new URL("../../../dist/capabilities/invoice/index.js", import.meta.url).href);
const INVOICE = invoiceRead.example.text;
const STATEMENTS = {
  mt940:
    ":20:1\n:25:37040044/532013000\n:28C:5/1\n:60F:C260227EUR1200,00\n:61:2602300301DR6,00N024NONREF//B1\ndetails\n:86:105?00L?20EREF+R-1?21SVWZ+Miete?30COBADEFFXXX?31DE89370400440532013000?32A\n:62F:C260301EUR1194,00\n-",
  mt942:
    "{1:F01A}{2:O942B}{4:\n:20:1\n:25:1/2\n:34F:EUR0,\n:13D:2602271815+0100\n:61:260227C7,5NTRFX\n:86:/TRTP/SEPA/IBAN/NL47INGB9999999999/NAME/J/REMI/x/EREF/E\n:90C:1EUR7,50\n-}",
  camt: '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct><Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-02-27</Dt></Dt></Bal><Ntry><Amt Ccy="EUR">8.5</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><NtryDtls><TxDtls><RmtInf><Ustrd>x</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>',
  ofx: "OFXHEADER:100\n\n<OFX><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>9</BANKACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>CHECK<DTPOSTED>20261004<TRNAMT>-200,5<FITID>2<MEMO></STMTTRN></BANKTRANLIST><LEDGERBAL><BALAMT>1<DTASOF>20261029</LEDGERBAL></STMTRS></STMTTRNRS></OFX>",
  qif: "!Account\nNGiro\n^\n!Type:Bank\nD1/ 5'26\nT-1,234.50\nN1001\nPLandlord\nSRent\nEa\n$-1\n^\n",
};
const PIECES = [
  ...[
    "<",
    ">",
    "</",
    "/>",
    "&",
    "&#0;",
    "]]>",
    "<!DOCTYPE a>",
    "<![CDATA[",
    "xmlns:a='b'",
    "\n:61:",
    "\n:86:",
    "\n-",
    "//",
    "?20",
  ],
  ...[
    "EREF+",
    "/REMI/",
    "C",
    "D",
    "RC",
    ",",
    ".",
    "-",
    "'",
    "260230",
    "99999999999999999999",
    "^",
    "!Type:Bank",
    "\0",
    "é",
    "💶",
  ],
  ...[
    "<cbc:ID>",
    "<cac:InvoiceLine>",
    "1e9",
    "NaN",
    "%PDF-1.7",
    "1 0 obj",
    "stream",
    "endstream",
    "<<",
    ">>",
    "(",
    "/EF",
    "[",
    "]",
  ],
];

function pdf(random, xml) {
  const packed = deflateSync(Buffer.from(xml)).toString("latin1");
  const text = `%PDF-1.7\n1 0 obj<</Type/Filespec/F(factur-x.xml)/EF<</F 2 0 R>>>>endobj\n2 0 obj<</Filter/FlateDecode/Length ${packed.length}>>stream\n${packed}\nendstream\nendobj\ntrailer<</Root 1 0 R>>`;
  return { file: Buffer.from(random.damage(text, PIECES), "latin1").toString("base64") };
}

const statement = (format) => (random) => ({
  text: random.damage(random.damage(STATEMENTS[format], PIECES), PIECES) || " x",
});
const invoice = (random) => ({ text: random.damage(INVOICE, PIECES) });
const invoiceInPdf = (random) => pdf(random, random.damage(INVOICE, PIECES));

export const parsers = {
  ...Object.fromEntries(Object.keys(STATEMENTS).map((format) => [`bank.statement ${format}`, statement(format)])),
  ...{ "invoice.read xml": invoice, "invoice.read pdf": invoiceInPdf },
  "invoice.validate": (random) => (random() < 0.3 ? invoiceInPdf(random) : invoice(random)),
};
