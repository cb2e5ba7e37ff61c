/** The payments of a camt entry: references, the other party, the purpose. */

import { Decimal } from "../../lib/decimal.js";
import { amountText } from "../../lib/facts/currency.js";
import type { XmlElement } from "../../lib/xml/parse.js";
import { allAt, at, attribute, elementText, textAt } from "../../lib/xml/paths.js";
import {
  type Account,
  accountOf,
  type Counterparty,
  type EntryPart,
  joined,
  NOBODY,
  type StatementEntry,
} from "./statement.js";

type Details = Pick<
  StatementEntry,
  "bankReference" | "customerReference" | "endToEndId" | "mandateId" | "counterparty" | "purpose" | "parts"
>;

/** An entry of several payments has them as parts, and itself only what all of them share. */
export function detailsOf(entry: XmlElement, account: Account, isIncoming: boolean): Details {
  const payments = allAt(entry, "NtryDtls/TxDtls").concat(allAt(entry, "TxDtls"));
  const parts = payments.map((payment) => partOf(payment, account, isIncoming));
  const shared = <T>(of: (part: EntryPart) => T, none: T): T => {
    const [first, ...more] = parts.map(of);
    return first !== undefined && more.every((one) => JSON.stringify(one) === JSON.stringify(first)) ? first : none;
  };
  const [only] = payments;
  const own = (path: string) => (only && payments.length === 1 ? textAt(only, path) : null);
  return {
    bankReference: textAt(entry, "AcctSvcrRef") ?? own("Refs/AcctSvcrRef"),
    customerReference:
      own("Refs/InstrId") ??
      own("Refs/PmtInfId") ??
      textAt(entry, "NtryDtls/Btch/PmtInfId") ??
      textAt(entry, "NtryRef"),
    endToEndId: shared((part) => part.endToEndId, null),
    mandateId: shared((part) => part.mandateId, null),
    counterparty: shared((part) => part.counterparty, NOBODY),
    purpose: shared((part) => part.purpose, null) ?? textAt(entry, "AddtlNtryInf"),
    parts: parts.length > 1 ? parts : [],
  };
}

function partOf(payment: XmlElement, account: Account, isIncoming: boolean): EntryPart {
  const amount = at(payment, "Amt") ?? at(payment, "AmtDtls/TxAmt/Amt");
  const currency = attribute(amount, "Ccy");
  const value = amount && /^[\d.]{1,30}$/.test(elementText(amount)) ? Decimal.parse(elementText(amount)) : undefined;
  const isDebit = (textAt(payment, "CdtDbtInd") ?? (isIncoming ? "CRDT" : "DBIT")) === "DBIT";
  return {
    amount: value ? amountText(isDebit ? value.negated() : value, currency) : null,
    currency,
    endToEndId: textAt(payment, "Refs/EndToEndId"),
    mandateId: textAt(payment, "Refs/MndtId"),
    counterparty: counterpartyOf(payment, account, isIncoming),
    purpose: purposeOf(payment),
  };
}

/** Who paid, or was paid. Some banks name only the other role: the account says who it is not. */
function counterpartyOf(payment: XmlElement, account: Account, isIncoming: boolean): Counterparty {
  const [role, other] = isIncoming ? (["Dbtr", "Cdtr"] as const) : (["Cdtr", "Dbtr"] as const);
  const parties = [partyOf(payment, role), partyOf(payment, other)].filter((party) => party !== undefined);
  const isOther = ({ iban }: Counterparty) => iban === null || iban !== account.iban;
  return parties.find(isOther) ?? parties[0] ?? NOBODY;
}

function partyOf(payment: XmlElement, role: "Dbtr" | "Cdtr"): Counterparty | undefined {
  const text = (...paths: string[]) => paths.map((path) => textAt(payment, path)).find((one) => one !== null) ?? null;
  const parties = "RltdPties";
  const iban = text(`${parties}/${role}Acct/Id/IBAN`)?.replace(/\s/g, "") ?? null;
  const id = `${parties}/${role}Acct/Id`;
  const other = text(`${id}/Othr/Id`, `${id}/PrtryAcct/Id`, `${id}/BBAN`);
  const names = [
    `${role}/Nm`,
    `${role}/Pty/Nm`,
    `Ultmt${role}/Nm`,
    `Ultmt${role}/Pty/Nm`,
    `${role}Acct/Nm`,
    `${role}/Agt/FinInstnId/Nm`,
  ];
  const agent = `RltdAgts/${role}Agt/FinInstnId`;
  const party = {
    name: text(...names.map((name) => `${parties}/${name}`)),
    ...(iban ? { iban, number: null } : accountOf(other)),
    bic: text(`${parties}/${role}/Agt/FinInstnId/BICFI`, `${agent}/BICFI`, `${agent}/BIC`, `${agent}/CmbndId/BIC`),
  };
  return Object.values(party).some((value) => value !== null) ? party : undefined;
}

function purposeOf(payment: XmlElement): string | null {
  const texts = allAt(payment, "RmtInf/Ustrd").map(elementText);
  const references = allAt(payment, "RmtInf/Strd").flatMap((one) => [
    textAt(one, "CdtrRefInf/Ref") ?? textAt(one, "CdtrRefInf/CdtrRef"),
    ...allAt(one, "AddtlRmtInf").map(elementText),
  ]);
  return joined(texts) ?? joined(references) ?? textAt(payment, "AddtlTxInf");
}
