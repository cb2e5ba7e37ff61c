/** The field :86: of MT940: subfields with a sign and two digits, words between slashes, or plain text. */
import type { Counterparty } from "./statement.js";
import { accountOf, isBic, isIban, joined, NOBODY } from "./statement.js";

export interface Details {
  counterparty: Counterparty;
  purpose: string | null;
  endToEndId: string | null;
  mandateId: string | null;
  customerReference: string | null;
}

const NONE: Details = {
  ...{ counterparty: NOBODY, purpose: null, endToEndId: null, mandateId: null, customerReference: null },
};

/** A line of this length was cut, and the next one goes on in the middle of a word. */
const FULL_LINE = 65;

export function readDetails(value: string): Details {
  const lines = value.split("\n").map((line) => line.replace(/\r$/, ""));
  const whole = lines.join("");
  const sign = /^\s*(?:\d{3})?([?<>~^|!&@%#])\d\d/.exec(whole)?.[1];
  if (sign) return fromSubfields(whole, sign);
  const unwrapped = unwrap(lines);
  if (/^\/[A-Z]{2,6}\//.test(unwrapped)) return fromWords(unwrapped);
  return { ...NONE, ...fromSepa(unwrapped) };
}

function unwrap(lines: string[]): string {
  let text = "";
  let wasFull = true;
  for (const line of lines) {
    text += wasFull || text === "" ? line : ` ${line}`;
    wasFull = line.length >= FULL_LINE;
  }
  return text.trim();
}

/** `166?00GUTSCHRIFT?20EREF+…?30BIC?31IBAN?32NAME`: what stands behind 20 to 29 and 60 to 63 is one text. */
function fromSubfields(text: string, sign: string): Details {
  const fields = new Map<string, string>();
  for (const part of text.split(sign === "^" ? /\^(?=\d\d)/ : new RegExp(`[${sign}](?=\\d\\d)`)).slice(1))
    fields.set(part.slice(0, 2), (fields.get(part.slice(0, 2)) ?? "") + part.slice(2));
  const several = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, place) => fields.get(String(from + place)) ?? "").join("");
  const sepa = fromSepa(several(20, 29));
  const more = fromSepa(several(60, 63));
  const bank = fields.get("30")?.trim() ?? "";
  const accounts = [fields.get("38"), fields.get("31")].map(accountOf);
  const iban = accounts.find((account) => account.iban !== null)?.iban ?? null;
  return {
    ...sepa,
    purpose: joined([sepa.purpose, more.purpose], "") ?? joined([fields.get("00")]),
    endToEndId: sepa.endToEndId ?? more.endToEndId,
    mandateId: sepa.mandateId ?? more.mandateId,
    counterparty: {
      name: joined([several(32, 33)]),
      iban: iban ?? sepa.counterparty.iban,
      bic: isBic(bank) ? bank : sepa.counterparty.bic,
      number: iban ? null : (accounts[1]?.number ?? null),
    },
  };
}

const SEPA_KEYS = "EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP|MDAT|SQTP|ORCR|ORMR|DDAT|RREF|RTRN";

/** `EREF+…MREF+…SVWZ+…`: without any of these words all of it is the purpose. */
function fromSepa(text: string): Details {
  const parts = text.split(new RegExp(`(${SEPA_KEYS})\\+`));
  const fields = new Map<string, string>();
  for (let at = 1; at < parts.length; at += 2)
    if (!fields.has(parts[at] ?? "")) fields.set(parts[at] ?? "", (parts[at + 1] ?? "").trim());
  const has = (name: string) => fields.get(name) || null;
  const iban = fields.get("IBAN")?.replace(/\s/g, "") ?? "";
  return {
    purpose: has("SVWZ") ?? joined([parts[0]]),
    endToEndId: has("EREF"),
    mandateId: has("MREF"),
    customerReference: has("KREF"),
    counterparty: { ...NOBODY, iban: isIban(iban) ? iban : null, bic: has("BIC") },
  };
}

const WORDS =
  "TRTP|EREF|PREF|MARF|CSID|IBAN|BIC|NAME|REMI|BENM|ORDP|ISDT|CNTP|RTRN|TRCD|PURP|SVCL|ULTD|ULTC|ULTB|UDTR|UCRD|PYTP|ADDR|ID|RECI|KREF";

/** `/TRTP/SEPA/IBAN/…/BIC/…/NAME/…/REMI/…/EREF/…`, as banks of the Netherlands write it. */
function fromWords(text: string): Details {
  const parts = text.split(new RegExp(`/(${WORDS})/`));
  const fields = new Map<string, string>();
  for (let at = 1; at < parts.length; at += 2)
    fields.set(parts[at] ?? "", fields.get(parts[at] ?? "") ?? (parts[at + 1] ?? "").trim());
  const has = (name: string) => fields.get(name)?.replace(/^\/+|\/+$/g, "") || null;
  const [account, bic, name] = (fields.get("CNTP") ?? "").split("/");
  const foreign = bic?.trim() || has("BIC");
  return {
    counterparty: { ...accountOf(account || has("IBAN")), bic: foreign || null, name: name?.trim() || has("NAME") },
    purpose: has("REMI")?.replace(/^(?:USTD\/\/|STRD\/)/, "") ?? null,
    endToEndId: has("EREF"),
    mandateId: has("MARF"),
    customerReference: has("PREF") ?? has("KREF"),
  };
}

/** The field :NS: that some banks write instead, each line with a number of two digits. */
export function readNonSwift(value: string): Details {
  const lines = value.split("\n").map((line) => [line.slice(0, 2), line.slice(2)] as const);
  const within = (from: number, to: number) =>
    lines.filter(([key]) => Number(key) >= from && Number(key) <= to).map(([, text]) => text);
  return {
    ...NONE,
    purpose: joined(within(1, 14)),
    counterparty: { ...NOBODY, name: joined(within(15, 16)), ...accountOf(within(34, 34)[0]) },
  };
}
