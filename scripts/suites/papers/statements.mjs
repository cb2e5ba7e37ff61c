/** wolph/mt940, genkgo/camt and csingley/ofxtools: files of statements with what they hold. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { askPeer } from "./peers.mjs";
import { differs, judge } from "./verdicts.mjs";

const { bankStatement } = await import(new URL("../../../dist/capabilities/bank/index.js", import.meta.url).href);
const base64 = (path) => readFileSync(path).toString("base64");
const ask = (path) => () => bankStatement({ file: base64(path) });
const bare = (text) => String(text ?? "").replace(/\s/g, "");
const filesOf = (folder, ...ends) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => ends.some((end) => name.endsWith(end)))
    .map((name) => join(folder, name))
    .sort();

/** Python's objects are lists or maps of plain values; a date is its four bytes. */
const day = (value) => {
  const [bytes] = value ?? [];
  if (!bytes) return undefined;
  const [high, low, month, date] = Buffer.from(bytes);
  return `${high * 256 + low}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
};
const number = (value) => Number(value?.amount?.[0] ?? value?.amount ?? value?.[0]);

/** YAML reads a text of digits as a number. */
const sameNumber = (value) => Number(bare(value)) || bare(value);

/** A reversed credit is income for that library. */
function mt940Amount({ data }) {
  const sign = data.status.startsWith("R") ? (data.status === "RC" ? -1 : 1) : undefined;
  const amount = number(data.amount);
  return sign === undefined ? amount : sign * Math.abs(amount);
}

function entryFaults(entry, { data }, at) {
  const wanted = mt940Amount({ data });
  const references = bare(data.customer_reference).replace(/^KREF\+/, "");
  return [
    ...differs(`${at} amount`, Number(entry.amount), wanted),
    ...differs(`${at} value date`, entry.valueDate, day(data.date)),
    ...(data.entry_date ? differs(`${at} booking date`, entry.bookingDate, day(data.guessed_entry_date)) : []),
    ...differs(`${at} type`, entry.type, data.id ?? null),
    ...(references ? differs(`${at} reference`, sameNumber(entry.customerReference), sameNumber(references)) : []),
    ...differs(`${at} bank reference`, sameNumber(entry.bankReference), sameNumber(data.bank_reference)),
    ...(data.end_to_end_reference
      ? differs(`${at} end to end`, bare(entry.endToEndId), bare(data.end_to_end_reference))
      : []),
    ...(data.applicant_name ? differs(`${at} name`, bare(entry.counterparty.name), bare(data.applicant_name)) : []),
    ...(data.applicant_iban ? accountFaults(entry.counterparty, data.applicant_iban, at) : []),
    ...(data.purpose && !data.additional_purpose
      ? differs(`${at} purpose`, sameNumber(entry.purpose), sameNumber(data.purpose))
      : []),
  ];
}

/** The field 38, in which the IBAN stands, is not read by that library. */
const accountFaults = ({ iban, number }, wanted, at) =>
  iban?.endsWith(bare(wanted).replace(/^0+/, ""))
    ? []
    : differs(`${at} account`, sameNumber(number), sameNumber(wanted));

/** All messages of a file are one list there, with the balances of the last. */
function mt940Faults(item, { data = {}, transactions }) {
  const entries = item.statements.flatMap((statement) => statement.entries);
  // One of that library's own is "000,00" of the currency "145", where a bank left the currency out.
  const balance = (name, wanted) =>
    wanted &&
    /^[A-Z]{3}$/.test(wanted.amount.currency) &&
    !item.statements.some((one) => Number(one[name]?.amount) === number(wanted.amount))
      ? [`no ${name} of ${number(wanted.amount)}`]
      : [];
  return [
    ...differs("entries", entries.length, transactions.length),
    ...entries.flatMap((entry, at) => (transactions[at] ? entryFaults(entry, transactions[at], `[${at}]`) : [])),
    ...balance("openingBalance", data.final_opening_balance),
    ...balance("closingBalance", data.final_closing_balance),
    ...balance("availableBalance", data.available_balance),
  ];
}

/** Each transaction names the list that it is in: the name is taken out. */
const pythonObject = (text) =>
  parse(text.replace(/^ {2}transactions: \*\w+$/gm, ""), { logLevel: "silent", maxAliasCount: -1 });

async function judgeMt940(root, { mt940 }) {
  const files = filesOf(join(root, "mt940_tests"), ".sta").map((file) => {
    const wanted = pythonObject(readFileSync(file.replace(/sta$/, "yml"), "utf8"));
    const isNothing = wanted.transactions.length === 0 && !wanted.data?.transaction_reference && !hasBalance(wanted);
    return {
      name: basename(file),
      ask: ask(file),
      faults: isNothing ? undefined : (item) => mt940Faults(item, wanted),
      peer: isNothing ? undefined : askPeer(mt940, file, wanted.transactions.map(mt940Amount)),
    };
  });
  await judge("mt940, with expected objects", files);
  const texts = filesOf(join(root, "mt940_tests"), "mt940.txt", "date.txt").map((file) => ({
    name: file,
    ask: ask(file),
    faults: sumFaults,
  }));
  await judge("mt940, sums of statements", texts);
}

const hasBalance = ({ data = {} }) =>
  Object.keys(data).some((name) => /balance|account_identification|statement_number/.test(name));

const sumFaults = ({ statements }) =>
  statements.flatMap(({ check }, at) => (/[1-9]/.test(check.difference ?? "") ? [`[${at}] ${check.difference}`] : []));

const MINOR = { JPY: 0 };
const minor = ({ amount, currency }) => Math.round(Number(amount) * 10 ** (MINOR[currency] ?? 2)).toString();
const isoDay = (date) => date?.["0"]?.slice(0, 10);

function camtEntryFaults(entry, wanted, at) {
  if (wanted === "__RECURSIVITY__") return [];
  const detail = wanted.getTransactionDetails?.length === 1 ? wanted.getTransactionDetail : undefined;
  const remittance = detail?.getRemittanceInformation;
  const parties = detail?.getRelatedParties ?? [];
  return [
    ...(wanted.getAmount?.getAmount === undefined
      ? []
      : differs(`${at} amount`, minor(entry), wanted.getAmount.getAmount)),
    ...differs(`${at} currency`, entry.currency, wanted.getAmount.getCurrency.getCode),
    // A time is turned into UTC there; the day of the bank is what counts.
    ...differs(`${at} booking`, entry.bookingDate, isoDay(wanted.getBookingDate)),
    ...differs(`${at} value`, entry.valueDate, isoDay(wanted.getValueDate)),
    ...differs(`${at} reversal`, entry.reversal, wanted.getReversalIndicator),
    ...differs(`${at} bank reference`, entry.bankReference, wanted.getAccountServicerReference ?? entry.bankReference),
    ...(detail?.getReference?.getEndToEndId
      ? differs(`${at} end`, entry.endToEndId, detail.getReference.getEndToEndId)
      : []),
    ...(remittance?.getUnstructuredBlock
      ? differs(`${at} purpose`, bare(entry.purpose).startsWith(bare(remittance.getUnstructuredBlock.getMessage)), true)
      : []),
    ...(parties.length > 0 && entry.parts.length === 0
      ? differs(
          `${at} party`,
          parties.map((one) => one.getRelatedPartyType.getName || null).includes(entry.counterparty.name),
          true,
        )
      : []),
  ];
}

function camtFaults(item, { getEntries }) {
  // Their list of several statements holds the entries of the last.
  const entries = item.statements.flatMap((statement) => statement.entries).slice(-getEntries.length);
  const records = getEntries.map(({ getRecord }) => getRecord).filter((record) => record?.getAccount);
  return [
    ...differs("entries", entries.length, getEntries.length),
    ...entries.flatMap((entry, at) => (getEntries[at] ? camtEntryFaults(entry, getEntries[at], `[${at}]`) : [])),
    ...records.flatMap((record) => recordFaults(item.statements, record)),
  ];
}

function recordFaults(statements, { getAccount, getBalances }) {
  const found = statements.find(({ account }) => (account.iban ?? account.number) === getAccount.getIdentification);
  if (!found) return [`no account ${getAccount.getIdentification}`];
  return ["opening", "closing"].flatMap((name) => {
    const wanted = (getBalances?.filter?.((one) => one.getType === name) ?? []).map((one) => one.getAmount.getAmount);
    const got = statements.map((one) => one[`${name}Balance`]).filter(Boolean);
    return wanted.length > 0 && got.length > 0 && !got.some((one) => wanted.includes(minor(one)))
      ? [`no ${name} balance of ${wanted}`]
      : [];
  });
}

/** Their amounts are in minor units and signed. */
const camtAmounts = ({ getEntries }) =>
  getEntries
    .filter((entry) => entry.getAmount?.getAmount !== undefined)
    .map(({ getAmount }) => Number(getAmount.getAmount) / 10 ** (MINOR[getAmount.getCurrency.getCode] ?? 2));

async function judgeCamt(root, { camt }) {
  const files = filesOf(join(root, "test", "data"), ".xml").map((file) => {
    const isBroken = file.includes("wrong");
    const wanted = isBroken ? undefined : JSON.parse(readFileSync(file.replace(/xml$/, "json"), "utf8"));
    const peer = wanted && askPeer(camt, file, camtAmounts(wanted));
    return { name: basename(file), ask: ask(file), faults: wanted && ((item) => camtFaults(item, wanted)), peer };
  });
  await judge("camt", files);
}

/** Expectations of that library's own tests; a profile holds no statement. */
const OFX = {
  "br_nubank_cc.ofx": {
    entries: 6,
    account: "11111111-UUID-UUID-UUID-111111111111",
    balance: "-1280.91",
    sum: -1280.91,
  },
  "invstmtrs.ofx": { entries: 2, account: "999988", sum: -4025 },
  "profrs.ofx": undefined,
  "stmtrs.ofx": { entries: 2, account: "999988", balance: "200.29", sum: -500 },
  "stmtrs_euro.ofx": { entries: 2, account: "999988", balance: "200.29", sum: -500 },
};

async function judgeOfx(root, { ofx }) {
  const files = Object.entries(OFX).map(([name, wanted]) => ({
    name,
    ask: ask(join(root, "tests", "data", name)),
    peer: wanted && askPeer(ofx, join(root, "tests", "data", name), wanted),
    faults:
      wanted &&
      (({ statements: [statement], entryCount }) => [
        ...differs("entries", entryCount, wanted.entries),
        ...differs("account", statement.account.number, wanted.account),
        ...differs("balance", statement.closingBalance?.amount, wanted.balance),
        ...differs(
          "sum",
          Math.round(statement.entries.reduce((all, { amount }) => all + Number(amount), 0) * 100) / 100,
          wanted.sum,
        ),
      ]),
  }));
  await judge("ofx", files);
}

export const judgeStatements = { mt940: judgeMt940, camt: judgeCamt, ofxtools: judgeOfx };
