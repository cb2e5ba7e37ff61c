/** Answers to the owner of an account who asks for its invoices. */
import type { BinaryResult } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import type { Invoice } from "../../engines/invoices/invoice.js";
import { invalid } from "../../errors.js";
import { keepNewest } from "../../lib/bounded.js";
import { lazy } from "../../lib/lazy.js";
import { orEmpty } from "../../payment/accounts/customer/scan.js";
import { shownInvoice } from "../../payment/accounts/invoices/shown.js";
import { assertManages } from "../../payment/accounts/keys.js";
import { assertNotFrozen } from "../../payment/accounts/record/frozen.js";
import type { StoredParty } from "../../payment/accounts/record/invoice-record.js";
import type { AccountRecord } from "../../payment/accounts/record/record.js";
import { documentOf } from "./invoice-document.js";
import { type OwnContext, opened, ownerIn } from "./owner-in.js";

const ubl = lazy(() => import("../../engines/invoices/writing/ubl.js"));
const cii = lazy(() => import("../../engines/invoices/writing/cii.js"));
const paper = lazy(() => import("../../engines/invoices/writing/paper.js"));

/** The books of an account, whose purchases all have their numbers, and the particulars of its buyer. */
async function booksOf(context: OwnContext, ctx: Context) {
  const by = ownerIn(ctx);
  const { book, billing, now } = await opened(context);
  const look = (record: AccountRecord) => {
    // guard: invoices: a key with limits does not see who the buyer is | gone | invoices/invoices
    assertManages(record, by, now());
    return record.buyer;
  };
  const buyer = await orEmpty(book.records.change(by.id, look, { writes: () => false }), undefined);
  // A purchase of an instance that died has its number now.
  await book.records.tend(by.id);
  return { account: by.id, billing, buyer };
}

export async function invoices(
  context: OwnContext,
  ctx: Context,
  { after = "0", limit }: { after?: string; limit: number },
) {
  const { account, billing, buyer } = await booksOf(context, ctx);
  const { invoices: found, next } = await billing.list(account, { after: Number(after), limit });
  const told = next === undefined ? {} : { next: String(next) };
  return { account, buyer: buyer ?? null, invoices: found.map(shownInvoice), ...told };
}

export async function setBuyer(context: OwnContext, ctx: Context, { buyer }: { buyer: StoredParty | null }) {
  const by = ownerIn(ctx);
  const { id: account } = by;
  const { book, now } = await opened(context);
  await book.records.change(account, (record) => {
    assertManages(record, by, now());
    assertNotFrozen(record);
    // guard: invoices: a closed account gets no particulars | gone | invoices/invoices
    if (record.closed) throw invalid("buyer", "must wait: the account is closed until something is bought for it");
    if (buyer) record.buyer = buyer;
    else delete record.buyer;
  });
  return { account, buyer };
}

const MOST_DRAWN = 16;
/** The last ones: drawing takes a while, and a caller may ask for the same one again and again. */
const papers = new Map<string, Promise<Uint8Array>>();

function drawn(document: Invoice): Promise<Uint8Array> {
  const key = JSON.stringify(document);
  const known = papers.get(key);
  if (known) return known;
  const made = paper().then(({ writePaper }) => writePaper(document));
  keepNewest(papers, key, made, MOST_DRAWN);
  made.catch(() => papers.delete(key));
  return made;
}

interface InvoiceQuery {
  number?: string;
  payment?: string;
  format: "json" | "pdf" | "ubl" | "cii";
}

export async function invoice(
  context: OwnContext,
  ctx: Context,
  { number, payment = "", format }: InvoiceQuery,
): Promise<BinaryResult> {
  const { account, billing, buyer } = await booksOf(context, ctx);
  const stored = await billing.open(account, number === undefined ? { payment } : { number }, buyer);
  if (format === "json") {
    const { seller, tax, note } = stored;
    const facts = {
      ...shownInvoice(stored),
      account,
      seller,
      buyer: stored.buyer ?? null,
      tax,
      ...(note ? { note } : {}),
    };
    return { contentType: "application/json", body: JSON.stringify(facts) };
  }
  const name = stored.number.replace(/[^A-Za-z0-9._-]/g, "-");
  const file = (type: string, body: string | Uint8Array, end: string): BinaryResult => ({
    ...{ contentType: type, body },
    headers: { "content-disposition": `attachment; filename="${name}.${end}"` },
  });
  const document = documentOf(stored);
  if (format === "pdf") return file("application/pdf", await drawn(document), "pdf");
  if (!stored.buyer)
    throw invalid("format", "must be json or pdf until your particulars are set: POST them to account/invoices");
  const xml = format === "ubl" ? (await ubl()).writeUbl(document) : (await cii()).writeCii(document);
  return file("application/xml", xml, "xml");
}
