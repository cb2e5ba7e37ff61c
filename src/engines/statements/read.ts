/** Reads a statement of any format, by its beginning. */
import { invalid } from "../../errors.js";
import { documentText } from "../../lib/text/document-text.js";
import { readCamt } from "./camt.js";
import { isInterim, messagesOf, readMessage } from "./mt940.js";
import { readOfx } from "./ofx.js";
import { readQif } from "./qif.js";
import type { DateOrder } from "./qif-dates.js";
import { type Draft, entryCounter, type Statement, tooMany } from "./statement.js";
import { checkOf, doubtsOf } from "./sums.js";

export const STATEMENT_FORMATS = ["mt940", "mt942", "camt.052", "camt.053", "camt.054", "ofx", "qif"] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

export interface StatementFile {
  format: StatementFormat;
  entryCount: number;
  statements: Statement[];
  notes: string[];
}

export interface StatementInput {
  bytes: Uint8Array;
  /** The characters, if they came as text. */
  text?: string | undefined;
  dateOrder?: DateOrder | undefined;
}

const MAX_NOTES = 100;
/** Empty ones cost nothing to write and make an answer of many times their length. */
const MAX_STATEMENTS = 2_000;

export function readStatements({ bytes, text: given, dateOrder }: StatementInput): StatementFile {
  const noted = new Set<string>();
  const note = (text: string) => void (noted.size < MAX_NOTES && noted.add(text));
  const { text, charset } = given === undefined ? documentText(bytes, declaredCharset) : { text: given, charset: "" };
  if (charset === "windows-1252" && !declaredCharset(text))
    note("the bytes are not UTF-8 and are read as Windows-1252");
  const { format, drafts } = readFormat(text.replace(/^\uFEFF/, ""), dateOrder, note);
  // guard: offline: a file of a bank has a largest number of statements | gone | statement
  if (drafts.length > MAX_STATEMENTS) throw tooMany(MAX_STATEMENTS, "statements: send it in parts");
  const statements = drafts.map(finished);
  statements.forEach((statement, place) => {
    for (const doubt of doubtsOf(statement, drafts[place]?.totals)) note(`statement ${place + 1} ${doubt}`);
  });
  const entryCount = statements.reduce((all, { entries }) => all + entries.length, 0);
  return { format, entryCount, statements, notes: [...noted] };
}

/** OFX 1 tells its code page in its header. */
function declaredCharset(head: string): string | undefined {
  const page = /^\s*OFXHEADER:[\s\S]{0,300}?CHARSET:\s*([\w-]{1,20})/.exec(head)?.[1];
  if (page === "1252" || page?.toUpperCase() === "ISO-8859-1") return "windows-1252";
  return undefined;
}

function readFormat(
  text: string,
  dateOrder: DateOrder | undefined,
  note: (text: string) => void,
): { format: StatementFormat; drafts: Draft[] } {
  const count = entryCounter();
  const head = text.slice(0, 4_000);
  if (/^\s*OFXHEADER/i.test(head) || /<OFX[>\s]/i.test(head))
    return { format: "ofx", drafts: readOfx(text, count, note) };
  if (/^\s*</.test(head)) return readCamt(text, count);
  if (/^\s*!(?:type|account|option|clear)\b/i.test(head))
    return { format: "qif", drafts: readQif(text, dateOrder, count, note) };
  const messages = messagesOf(text);
  const [first] = messages;
  if (!first) throw invalid("", "is not a statement: send MT940, MT942, camt.052, camt.053, camt.054, OFX or QIF");
  const isMt942 = /\{2:[IO]942/.test(head) || isInterim(first);
  return {
    format: isMt942 ? "mt942" : "mt940",
    drafts: messages.map((fields) => readMessage(fields, count, note)),
  };
}

function finished(draft: Draft): Statement {
  const { totals, account, ...rest } = draft;
  const statement = {
    account: { iban: null, number: null, bank: null, currency: null, owner: null, ...account },
    ...{ number: null, from: null, to: null, openingBalance: null, closingBalance: null, availableBalance: null },
    entries: [],
    ...rest,
  };
  return { ...statement, check: checkOf(statement, totals) };
}
