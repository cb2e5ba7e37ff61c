/** ISO 20022 camt.052, camt.053 and camt.054, of every version. */
import { invalid } from "../../errors.js";
import { Decimal } from "../../lib/decimal.js";
import { amountText } from "../../lib/facts/currency.js";
import { parseXml, type XmlElement } from "../../lib/xml/parse.js";
import { all, at, local, textAt } from "../../lib/xml/paths.js";
import { detailsOf } from "./camt-details.js";
import { isoDay } from "./days.js";
import {
  type Account,
  accountOf,
  type Balance,
  type Draft,
  entryOf,
  type StatementEntry,
  type Totals,
} from "./statement.js";

const REPORTS: Record<string, { format: "camt.052" | "camt.053" | "camt.054"; statement: string }> = {
  BkToCstmrAcctRpt: { format: "camt.052", statement: "Rpt" },
  BkToCstmrStmt: { format: "camt.053", statement: "Stmt" },
  BkToCstmrDbtCdtNtfctn: { format: "camt.054", statement: "Ntfctn" },
};

/** Version 1 named its reports by the whole message. */
const messageOf = (root: XmlElement): XmlElement | undefined =>
  root.children.find((child): child is XmlElement => typeof child !== "string" && REPORTS[named(child)] !== undefined);

const named = (element: XmlElement) => local(element.name).replace(/V\d\d$/, "");

export function readCamt(text: string, count: () => void) {
  const root = parseXml(text);
  const message = local(root.name) === "Document" ? messageOf(root) : root;
  const report = message && REPORTS[named(message)];
  if (!message || !report) throw invalid("", "is XML, but not a camt.052, camt.053 or camt.054 message");
  const statements = all(message, report.statement);
  if (statements.length === 0) throw invalid("", `is ${report.format}, but has no ${report.statement} element`);
  return { format: report.format, drafts: statements.map((statement) => readStatement(statement, count)) };
}

function readStatement(statement: XmlElement, count: () => void): Draft {
  const balances = all(statement, "Bal").map((balance) => ({ type: balanceType(balance), ...balanceOf(balance) }));
  const of = (...types: string[]): Balance | null => {
    const found = types.map((type) => balances.find((balance) => balance.type === type)).find(Boolean);
    return found ? { amount: found.amount, currency: found.currency, date: found.date } : null;
  };
  const account = accountIn(statement, balances[0]?.currency ?? null);
  const opening = of("OPBD", "PRCD");
  return {
    account,
    number: textAt(statement, "ElctrncSeqNb") ?? textAt(statement, "LglSeqNb") ?? textAt(statement, "Id"),
    from: isoDay(textAt(statement, "FrToDt/FrDtTm") ?? textAt(statement, "FrToDt/FrDt")) ?? opening?.date ?? null,
    to: isoDay(textAt(statement, "FrToDt/ToDtTm") ?? textAt(statement, "FrToDt/ToDt")) ?? of("CLBD")?.date ?? null,
    openingBalance: opening,
    closingBalance: of("CLBD"),
    availableBalance: of("CLAV", "ITAV"),
    entries: all(statement, "Ntry").map((entry) => readEntry(entry, account, count)),
    totals: totalsOf(statement),
  };
}

const balanceType = (balance: XmlElement) => textAt(balance, "Tp/CdOrPrtry/Cd") ?? textAt(balance, "Tp/Cd");

function balanceOf(balance: XmlElement): Balance {
  return { ...signedAmount(balance), date: dayAt(balance, "Dt") };
}

/** Amt with CdtDbtInd. */
function signedAmount(element: XmlElement): { amount: string; currency: string | null } {
  const amount = at(element, "Amt");
  const currency = amount?.attributes.find(([name]) => name === "Ccy")?.[1] ?? null;
  const written = textAt(element, "Amt") ?? "";
  const value = /^[+-]?[\d.]{1,30}$/.test(written) ? Decimal.parse(written) : undefined;
  if (!value)
    throw invalid("", `<${local(element.name)}> has the amount "${written.slice(0, 40)}", which is not a number`);
  const isDebit = textAt(element, "CdtDbtInd") === "DBIT";
  return { amount: amountText(isDebit ? value.negated() : value, currency), currency };
}

const dayAt = (element: XmlElement, path: string) =>
  isoDay(textAt(element, `${path}/Dt`) ?? textAt(element, `${path}/DtTm`) ?? textAt(element, path));

function accountIn(statement: XmlElement, currency: string | null): Account {
  const account = at(statement, "Acct");
  const text = (path: string) => (account ? textAt(account, path) : null);
  const iban = text("Id/IBAN");
  const other = text("Id/Othr/Id") ?? text("Id/PrtryAcct/Id") ?? text("Id/BBAN") ?? text("Id/UPIC");
  const servicer = ["BICFI", "BIC", "CmbndId/BIC", "ClrSysMmbId/MmbId", "Nm"].map((path) =>
    text(`Svcr/FinInstnId/${path}`),
  );
  return {
    ...(iban ? { iban, number: null } : accountOf(other)),
    bank: servicer.find((one) => one !== null) ?? null,
    currency: text("Ccy") ?? currency,
    owner: text("Ownr/Nm") ?? text("Ownr/Pty/Nm") ?? text("Nm"),
  };
}

const STATUS: Record<string, StatementEntry["status"]> = { PDNG: "pending", FUTR: "pending", INFO: "information" };

function readEntry(element: XmlElement, account: Account, count: () => void): StatementEntry {
  count();
  const { amount, currency } = signedAmount(element);
  const isReversal = ["true", "1"].includes(textAt(element, "RvslInd") ?? "");
  // The parties keep the roles that they had in the payment which a reversal takes back.
  const isIncoming = amount.startsWith("-") === isReversal;
  return entryOf({
    amount,
    currency: currency ?? account.currency,
    bookingDate: dayAt(element, "BookgDt"),
    valueDate: dayAt(element, "ValDt"),
    type: typeOf(element),
    status: STATUS[textAt(element, "Sts/Cd") ?? textAt(element, "Sts") ?? ""] ?? "booked",
    reversal: isReversal,
    ...detailsOf(element, account, isIncoming),
  });
}

/** Codes of the bank transaction: those of ISO joined, else the bank's own. */
function typeOf(entry: XmlElement): string | null {
  const code = at(entry, "BkTxCd") ?? at(entry, "NtryDtls/TxDtls/BkTxCd");
  if (!code) return null;
  const codes = ["Domn/Cd", "Domn/Fmly/Cd", "Domn/Fmly/SubFmlyCd"].map((path) => textAt(code, path));
  return codes.filter(Boolean).join("-") || textAt(code, "Prtry/Cd");
}

function totalsOf(statement: XmlElement): Totals | undefined {
  const summary = at(statement, "TxsSummry");
  if (!summary) return undefined;
  const sum = (path: string) => Decimal.parse(textAt(summary, path) ?? "");
  const net = sum("TtlNtries/TtlNetNtryAmt") ?? sum("TtlNtries/TtlNetNtry/Amt");
  const mark = textAt(summary, "TtlNtries/CdtDbtInd") ?? textAt(summary, "TtlNtries/TtlNetNtry/CdtDbtInd");
  return {
    net: mark === "DBIT" ? net?.negated() : net,
    credits: sum("TtlCdtNtries/Sum"),
    debits: sum("TtlDbtNtries/Sum")?.negated(),
  };
}
