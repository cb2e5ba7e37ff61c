/** The work of the owner's endpoints, loaded by the first call of one. */
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { hasGroupOf } from "../../host/groups.js";
import type { Host } from "../../host/host.js";
import { fromMicros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { PaymentAccounts } from "../../payment/accounts/accounts.js";
import { orEmpty } from "../../payment/accounts/customer/scan.js";
import { bookPartOf, entriesCsv } from "../../payment/accounts/customer/statement.js";
import { usageOf } from "../../payment/accounts/customer/usage.js";
import { createGrantAdmin } from "../../payment/accounts/grant-admin.js";
import { assertManages, type Manager, unknownKey } from "../../payment/accounts/keys.js";
import { storedLimits } from "../../payment/accounts/limits.js";
import { signedUsd } from "../../payment/accounts/record/record.js";
import type { AccountLimits } from "../../payment/options/accounts.js";
import { sessionOf } from "../../request/owner.js";
import * as invoiceRuns from "./invoice-runs.js";
import { type OwnContext, opened, ownerIn } from "./owner-in.js";

interface Days {
  from?: string;
  to?: string;
  after?: string;
}

const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

function timeOf({ from, to, after }: Days) {
  if (from !== undefined && to !== undefined && from > to) throw invalid("to", `must not be before from, ${from}`);
  return {
    ...(from === undefined ? {} : { from: startOf(from) }),
    ...(to === undefined ? {} : { to: startOf(to) + DAY_MS - 1 }),
    ...(after === undefined ? {} : { after: Number(after) }),
  };
}

async function balance(context: OwnContext, ctx: Context) {
  const { id } = ownerIn(ctx);
  const { book } = await opened(context);
  const none = { available: 0n, held: 0n, restricted: 0n };
  await book.records.tend(id);
  const { available, held, restricted } = await orEmpty(book.balance(id), none);
  return {
    ...{ account: id, availableUsd: signedUsd(available), heldUsd: fromMicros(held) },
    ...(restricted > 0n ? { restrictedUsd: fromMicros(restricted) } : {}),
  };
}

async function grants(context: OwnContext, ctx: Context) {
  const { id } = ownerIn(ctx);
  const admin = createGrantAdmin(await opened(context));
  return { account: id, grants: await orEmpty(admin.grants(id), []) };
}

const USUAL_DAYS = 30;

async function usage(context: OwnContext, ctx: Context, query: Days) {
  const { id } = ownerIn(ctx);
  const { book, now } = await opened(context);
  const to = query.to ?? dayOf(now());
  const from = query.from ?? dayOf(startOf(to) - (USUAL_DAYS - 1) * DAY_MS);
  return { account: id, from, to, ...(await usageOf(book.records, id, timeOf({ ...query, from, to }))) };
}

async function statement(
  context: OwnContext,
  ctx: Context,
  { limit, format, ...days }: Days & { limit: number; format: "json" | "csv" },
) {
  const { id } = ownerIn(ctx);
  const { book } = await opened(context);
  const time = timeOf(days);
  // A grant that ended by now has its entry, also if nobody has asked for the account since.
  await book.records.tend(id);
  const { entries, next } = await bookPartOf(book.records, id, { ...time, limit });
  if (format === "json") {
    const told = { account: id, entries, ...(next === undefined ? {} : { next }) };
    return { contentType: "application/json", body: JSON.stringify(told) };
  }
  return {
    contentType: "text/csv; charset=utf-8",
    body: entriesCsv(entries),
    headers: {
      "content-disposition": 'attachment; filename="statement.csv"',
      ...(next === undefined ? {} : { Next: next }),
    },
  };
}

async function keys(context: OwnContext, ctx: Context) {
  const { id, key } = ownerIn(ctx);
  const { keyring } = await opened(context);
  const all = await orEmpty(keyring.list(id), []);
  const own = all.find((one) => one.id === key);
  const isNarrow = own !== undefined && (own.expiresAt !== undefined || Object.keys(own.limits ?? {}).length > 0);
  // guard: own account: a key with limits sees itself alone | isNarrow -> !own | accounts/own-keys
  return { account: id, keys: isNarrow ? [own] : all };
}

interface NewKeyQuery {
  label?: string;
  limits?: AccountLimits;
  expiresAt?: string;
  rotate?: string;
  overlapSeconds?: number;
}

/**
 * An owner who may change a key, or make one. Judged before it is noted in the host's log, which strangers do not fill,
 * and again in the step that changes something.
 */
async function manager(context: OwnContext, ctx: Context, changed?: string) {
  const by: Manager = ownerIn(ctx);
  const { book, keyring, now } = await opened(context);
  const record = await book.records.read(by.id);
  if (!record && changed === undefined)
    throw new CapabilityError("NOT_FOUND", "The wallet has no account here: its first purchase opens one.");
  if (record) assertManages(record, by, now(), changed);
  if (changed !== undefined && !(record && Object.hasOwn(record.keys, changed))) throw unknownKey(changed);
  const { notedBy } = await import("../administration/noted.js");
  return { by, keyring, now, noted: notedBy(context.host(), by.key ?? by.id) };
}

const made = ({ id, prefix }: { id: string; prefix: string }) => ({ after: { id, prefix } });

async function createKey(context: OwnContext, ctx: Context, query: NewKeyQuery) {
  const { label, limits, expiresAt, rotate, overlapSeconds } = query;
  if (rotate !== undefined) {
    const other = (["label", "limits", "expiresAt"] as const).find((name) => query[name] !== undefined);
    if (other) throw invalid(other, "must be left out: a key that is rotated keeps it");
    const { by, keyring, noted } = await manager(context, ctx, rotate);
    const rotated = () => keyring.rotate(rotate, (overlapSeconds ?? 0) * 1000, by);
    return { account: by.id, ...(await noted({ what: "accounts.rotateKey", of: rotate }, rotated, made)) };
  }
  if (overlapSeconds !== undefined) throw invalid("overlapSeconds", "must be left out without rotate");
  assertMounted(context.host(), limits);
  const { by, keyring, now, noted } = await manager(context, ctx);
  const expires = expiresAt === undefined ? undefined : Date.parse(expiresAt);
  if (expires !== undefined && expires <= now()) throw invalid("expiresAt", "must be in the future");
  const facts = { label, limits: limits && storedLimits(limits), expiresAt: expires };
  const act = { what: "accounts.createKey", of: by.id, asked: query };
  return { account: by.id, ...(await noted(act, () => keyring.create(by.id, facts, by), made)) };
}

function assertMounted(host: Host, { endpoints = [], groups = [] }: AccountLimits = {}): void {
  const endpoint = endpoints.findIndex((id) => !host.byId.has(id));
  if (endpoint >= 0) throw invalid(`limits.endpoints.${endpoint}`, "must be an endpoint of this service");
  const group = groups.findIndex((name) => !hasGroupOf(host)(name));
  if (group >= 0) throw invalid(`limits.groups.${group}`, "must be a group of this service");
}

async function revokeKey(context: OwnContext, ctx: Context, { id }: { id: string }) {
  const { by, keyring, noted } = await manager(context, ctx, id);
  await noted({ what: "accounts.revokeKey", of: id }, () => keyring.revoke(id, by));
  return { account: by.id, id, revoked: true as const };
}

async function close(context: OwnContext, ctx: Context) {
  const { by, noted } = await manager(context, ctx);
  const closed = () => (context.host().payments.accounts as PaymentAccounts).close(by.id, { by });
  const facts = await noted({ what: "accounts.close", of: by.id }, closed, (after) => ({ after }));
  return { account: by.id, ...facts };
}

async function session(context: OwnContext, ctx: Context) {
  const { id, key } = ownerIn(ctx);
  // guard: own account: a session is for a wallet that signed in | gone | accounts/own-account
  if (key !== undefined || ctx.wallet?.callId?.startsWith("sign-in:") !== true)
    throw new CapabilityError("SIGN_IN_REQUIRED", "A session is opened by a wallet's sign-in.");
  return { account: id, ...(await sessionOf(context.host(), id)) };
}

export const ownRuns = {
  balance,
  grants,
  usage,
  statement,
  keys,
  createKey,
  revokeKey,
  close,
  session,
  ...invoiceRuns,
};
