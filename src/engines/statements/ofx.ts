/** Open Financial Exchange 1 and 2: accounts of banks, of cards, and the cash of depots. */
import { invalid } from "../../errors.js";
import { amountText } from "../../lib/facts/currency.js";
import { writtenAmount } from "./amounts.js";
import { day } from "./days.js";
import { findAll, type OfxElement, ofxTree, valueIn } from "./ofx-tree.js";
import { accountOf, type Balance, type Draft, entryOf, type StatementEntry } from "./statement.js";

const STATEMENTS = ["STMTRS", "CCSTMTRS", "INVSTMTRS"];
const ACCOUNTS = ["BANKACCTFROM", "CCACCTFROM", "INVACCTFROM"];
/** Trades of a depot, each with its date and the money that it moved. */
const TRADES =
  "BUYDEBT BUYMF BUYOPT BUYOTHER BUYSTOCK CLOSUREOPT INCOME INVEXPENSE JRNLFUND MARGININTEREST RETOFCAP SELLDEBT SELLMF SELLOPT SELLOTHER SELLSTOCK".split(
    " ",
  );

export function readOfx(text: string, count: () => void, note: (text: string) => void): Draft[] {
  const statements = findAll(ofxTree(text), STATEMENTS);
  if (statements.length === 0) throw invalid("", "is OFX, but has no statement of an account");
  return statements.map((statement) => readStatement(statement, count, note));
}

function readStatement(statement: OfxElement, count: () => void, note: (text: string) => void): Draft {
  const currency = currencyCode(valueIn(statement, "CURDEF"));
  const [account] = findAll(statement, ACCOUNTS);
  const list = findAll(statement, ["BANKTRANLIST", "INVTRANLIST"])[0];
  const rows = list ? findAll(list, ["STMTTRN", ...TRADES]) : [];
  const of = (name: string) => balanceOf(findAll(statement, [name])[0], currency);
  return {
    account: {
      ...accountOf(valueIn(account, "ACCTID")),
      bank: valueIn(account, "BANKID") ?? valueIn(account, "BROKERID"),
      currency,
    },
    from: dayOf(valueIn(list, "DTSTART")),
    to: dayOf(valueIn(list, "DTEND")),
    closingBalance: of("LEDGERBAL"),
    availableBalance: of("AVAILBAL"),
    entries: rows.flatMap((row) => {
      count();
      return row.name === "STMTTRN" ? [readTransaction(row, currency)] : readTrade(row, currency, note);
    }),
  };
}

const currencyCode = (text: string | null) => (text && /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : null);

/** The day as it is written, in the zone of the bank. */
function dayOf(text: string | null): string | null {
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)/.exec(text ?? "") ?? [];
  return year ? (day(Number(year), Number(month), Number(date), () => undefined) ?? null) : null;
}

function amountIn(element: OfxElement, name: string, currency: string | null): string {
  const written = valueIn(element, name) ?? "";
  const amount = writtenAmount(written, { grouped: false });
  if (!amount) throw invalid("", `<${element.name}> has the ${name} "${written.slice(0, 40)}", which is not an amount`);
  return amountText(amount, currency);
}

function balanceOf(element: OfxElement | undefined, currency: string | null): Balance | null {
  if (!element) return null;
  return { amount: amountIn(element, "BALAMT", currency), currency, date: dayOf(valueIn(element, "DTASOF")) };
}

function readTransaction(row: OfxElement, currency: string | null): StatementEntry {
  const [other] = findAll(row, ["BANKACCTTO", "CCACCTTO"]);
  return entryOf({
    amount: amountIn(row, "TRNAMT", currency),
    currency,
    bookingDate: dayOf(valueIn(row, "DTPOSTED")),
    valueDate: dayOf(valueIn(row, "DTAVAIL")),
    type: valueIn(row, "TRNTYPE"),
    bankReference: valueIn(row, "FITID"),
    customerReference: valueIn(row, "CHECKNUM") ?? valueIn(row, "REFNUM"),
    counterparty: {
      name: valueIn(row, "NAME") ?? valueIn(row, "EXTDNAME"),
      bic: null,
      ...accountOf(valueIn(other, "ACCTID")),
    },
    purpose: valueIn(row, "MEMO"),
  });
}

function readTrade(row: OfxElement, currency: string | null, note: (text: string) => void): StatementEntry[] {
  const bookingDate = dayOf(valueIn(row, "DTTRADE"));
  if (valueIn(row, "TOTAL") === null) {
    note(`a ${row.name} without a total is left out`);
    return [];
  }
  return [
    entryOf({
      amount: amountIn(row, "TOTAL", currency),
      currency,
      bookingDate,
      valueDate: dayOf(valueIn(row, "DTSETTLE")),
      type: row.name,
      bankReference: valueIn(row, "FITID"),
      purpose: valueIn(row, "MEMO"),
    }),
  ];
}
