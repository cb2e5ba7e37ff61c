/**
 * Sign-in of wallets instead of a payment (the x402 extension `sign-in-with-x`), for a few operations on their own
 * data: a wallet without money can still list, export and delete it. Offers are not stored: a nonce proves by itself
 * that this host made it, and only used nonces are stored.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { AnyCapability } from "../capability/types.js";
import type { Host } from "../host/host.js";
import { CLOCKS_APART_MS } from "../lib/clocks.js";
import { once } from "../lib/lazy.js";
import { HOUR_MS, MINUTE_MS } from "../lib/time.js";
import { accountId } from "../payment/networks/accounts.js";
import { asksForSignIn } from "../payment/options/auth-hints.js";
import { ownPayment } from "../payment/options/edge.js";
import { REFUND_REQUEST } from "../payment/options/refund-policy.js";
import type { Grant, Order, Replay } from "../payment/order/order.js";
import type { SignInStatement } from "../payment/rails/rail.js";
import { identify } from "../payment/trial/caller.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import { createMemoryStore } from "../stores/memory/memory.js";
import { storeSecret } from "../stores/secret.js";
import type { Store } from "../stores/store.js";
import type { Call } from "./call.js";

const NAME = "sign-in-with-x";
const STATEMENT = "List, export and delete the data of this wallet.";
const STATEMENT_OF_BUYERS = "Use this service as the owner of this wallet. Nothing is paid.";
const STATEMENT_OF_CUSTOMERS =
  "Use this service as the owner of this wallet, and pay from the balance that it has here.";
const STATEMENT_OF_OWNERS =
  "Open the account that this wallet has here: see its balance and use, and manage its keys. Nothing is paid.";
const LIFE_MS = 5 * MINUTE_MS;
const MAX_PER_HOUR = 60;
/** Hourly limit per caller's address: for all sign-ins, and for those that need a request to a node. */
const SIGN_INS = ["sign-ins", 240] as const;
const ASKS = ["asks", 30] as const;
const MAX_HEADER_BYTES = 16 * 1024;

/** Whether an operation is free for a signed-in wallet. */
const isFree = ({ host }: Call, { id, wallet }: AnyCapability): boolean =>
  (host.signIn && wallet?.signIn === true) || host.signInFree.has(id);

/** Whether a wallet may sign in to an operation instead of paying, if only for what it paid before. */
const isOpen = (call: Call, capability: AnyCapability): boolean =>
  call.host.signInAgain || isFree(call, capability) || spendsBalance(call, capability);

/** Whether a wallet that signs in pays from the balance that it bought here. */
const spendsBalance = (call: Call, { id }: AnyCapability): boolean => {
  const { accounts } = call.host.payments;
  return accounts?.sellsAny === true && !accounts.sells(id) && isPossible(call);
};

/** Whether each 402 offers it: also beside a payment, where the host wants to know its callers. */
const isAsked = (call: Call, capability: AnyCapability): boolean =>
  isOpen(call, capability) || asksForSignIn(ownPayment(call.host.options.payment)?.authHints);

/** Whether accounts can sign in here at all, even only to prove who they are beside a payment. */
const isPossible = ({ host: { brand, payments } }: Call): boolean =>
  brand.baseUrl !== undefined && payments.signIns.size > 0;

/** The sign-in proof of a request, if the operation accepts one. */
export const signInOf = (call: Call, capability: AnyCapability): string | undefined =>
  isOpen(call, capability) ? (call.request.headers.get(NAME) ?? undefined) : undefined;

/** The sign-in offer beside a payment. */
export interface SignInOffer {
  /** `whole` includes the schema of the answer, for which a header has no room. */
  extension(whole: boolean): Record<string, unknown>;
}

/** Whether a 402 offers signing in: where it is free, or possible and `asked` for. */
export const offersSignIn = (call: Call, capability: AnyCapability, asked = false): boolean =>
  isAsked(call, capability) || (asked && isPossible(call));

/** Undefined if signing in is impossible or not `asked` for. Stores nothing. */
export async function signInOffer(
  call: Call,
  capability: AnyCapability,
  asked?: boolean,
): Promise<SignInOffer | undefined> {
  if (!offersSignIn(call, capability, asked)) return undefined;
  return freshOffer(call);
}

async function freshOffer(call: Call): Promise<SignInOffer> {
  const random = randomBytes(8).toString("hex");
  const issuedAt = new Date(call.host.now()).toISOString();
  const nonce = random + (await sealOf(call, random, issuedAt));
  const offer = offerOf(call, statementOf(call, nonce, issuedAt));
  return { extension: (whole) => ({ [NAME]: whole ? { ...offer, schema } : offer }) };
}

/** Whether a wallet may sign in to see the account that it has here: only where wallets have some. */
export const offersOwnSignIn = (call: Call): boolean =>
  // guard: own account: where no wallet has an account, none of its name is a wallet's |
  //   call.host.payments.accounts?.sellsAny === true -> true | accounts/own-account
  (call.host.payments.accounts?.sellsAny === true || call.event.id === REFUND_REQUEST) && isPossible(call);

/** The offer to its owner, in the words of a 402. Undefined where no wallet can sign in. */
export const ownSignInOffer = async (call: Call): Promise<Record<string, unknown> | undefined> =>
  offersOwnSignIn(call) ? (await freshOffer(call)).extension(true) : undefined;

/** Its length in a header, in characters before encoding. */
export function signInLength(call: Call, capability: AnyCapability): number {
  if (!isAsked(call, capability)) return 0;
  const statement = statementOf(call, "0".repeat(32), new Date(call.host.now()).toISOString());
  return JSON.stringify({ [NAME]: offerOf(call, statement) }).length;
}

const offerOf = ({ host }: Call, info: SignInStatement) => ({
  info,
  supportedChains: [...host.payments.signIns].map(([chainId, { type }]) => ({ chainId, type })),
});

function statementOfUse({ host, event }: Pick<Call, "host" | "event">): string {
  const { payments, signInAgain, signInFree } = host;
  if (host.byId.get(event.id ?? "")?.ownersOnly) return STATEMENT_OF_OWNERS;
  if (payments.accounts?.sellsAny) return STATEMENT_OF_CUSTOMERS;
  return signInAgain || signInFree.size > 0 ? STATEMENT_OF_BUYERS : STATEMENT;
}

/** The address comes from the host's options, never from the request. */
function statementOf(call: Call, nonce: string, issuedAt: string): SignInStatement {
  const { host, url } = call;
  const { baseUrl = "" } = host.brand;
  return {
    domain: new URL(baseUrl).host,
    statement: statementOfUse(call),
    uri: baseUrl + url.pathname,
    version: "1",
    nonce,
    issuedAt,
    expirationTime: new Date(Date.parse(issuedAt) + LIFE_MS).toISOString(),
  };
}

/** Binds the random part to its time and to the address that it is for. */
async function sealOf({ host, url }: Call, random: string, issuedAt: string): Promise<string> {
  const text = `sign-in ${host.brand.baseUrl}${url.pathname} ${issuedAt} ${random}`;
  return createHmac("sha256", await storeSecret(host.store))
    .update(text)
    .digest("hex")
    .slice(0, 16);
}

const proof = once(() =>
  z.object({
    address: z.string().max(64),
    chainId: z.string().max(64),
    nonce: z.string().regex(/^[0-9a-f]{32}$/),
    issuedAt: z.iso.datetime({ precision: 3 }),
    signature: z.string(),
  }),
);
type Proof = z.infer<ReturnType<typeof proof>>;

/** Sign-ins of each address within the hour, in this process; a row in the store for each would cost too much. */
const counts = /* @__PURE__ */ new WeakMap<Host, Store>();

async function assertFewer({ host, info: { clientAddress } }: Call, [what, max]: readonly [string, number]) {
  const counted = counts.get(host) ?? createMemoryStore({ clock: () => new Date(host.now()) });
  counts.set(host, counted);
  const { key, network = key } = await identify(clientAddress, host.store);
  if ((await counted.increment(`${what} ${network}`, 1, { ttlMs: HOUR_MS, max })) === undefined)
    throw refused(`the caller's address tried ${max} times within an hour`);
}

/** Its proof is good once, and more than one step may ask for it. */
const asked = /* @__PURE__ */ new WeakMap<Call, Promise<string | undefined>>();

/** The account that signs in beside its payment, as CAIP-10. Rejects with PaymentRefused. */
export function accountBeside(call: Call): Promise<string | undefined> {
  const known = asked.get(call) ?? provenBeside(call);
  asked.set(call, known);
  return known;
}

async function provenBeside(call: Call): Promise<string | undefined> {
  const header = call.request.headers.get(NAME);
  if (header === null || !isPossible(call)) return undefined;
  const { wallet } = await proven(call, header);
  return wallet;
}

/** The grant of a signed-in wallet, or what it bought before. Rejects with PaymentRefused. */
export async function signedIn(call: Call, order: Order, header: string): Promise<Grant | Replay> {
  const { wallet, address, chainId, nonce } = await proven(call, header);
  order.onPayer({ payer: address, network: chainId });
  if (!isFree(call, order.capability)) return boughtBy(call, order, wallet);
  // guard: policy: asked about a wallet that signed in | gone | state/sign-in
  await call.host.payments.admission?.admit(order, { via: "sign-in", payer: address, network: chainId });
  return {
    caller: "free",
    wallet: { id: wallet, callId: `sign-in:${nonce}`, free: true },
    settle: async () => undefined,
    release: async () => undefined,
  };
}

/** The answer that the wallet bought before, or a call that its balance pays. */
async function boughtBy(call: Call, order: Order, wallet: string): Promise<Grant | Replay> {
  const { payments, signInAgain } = call.host;
  const bought = signInAgain ? await payments.boughtBefore(order, wallet) : undefined;
  if (!bought && spendsBalance(call, order.capability)) {
    call.event.account = wallet;
    return payments.authorize(order, { trial: false, account: { id: wallet } }, { payable: order.amount });
  }
  if (!bought) throw refused("this wallet bought no answer to this request that is kept");
  return bought;
}

/** The wallet that made a proof. Each proof works once. Rejects with PaymentRefused. */
export async function proven(call: Call, header: string): Promise<Proof & { wallet: string }> {
  const { host } = call;
  const sent = read(header);
  await assertOurs(call, sent);
  const { nonce, issuedAt, chainId, address, signature } = sent;
  const accounts = host.payments.signIns.get(chainId);
  const statement = { ...statementOf(call, nonce, issuedAt), network: chainId, address, signature };
  const useUp = once(async () => {
    // Kept for longer than the nonce is valid.
    const isFirst = await host.store.put(`sign-in:${nonce}`, "used", { ifVersion: 0, ttlMs: 2 * LIFE_MS });
    if (isFirst === undefined) throw refused("it was used before");
  });
  // guard: wallets: a nonce is used up before a node is asked | = async () => { } | state/sign-in
  const beforeNode = async () => {
    await assertFewer(call, ASKS);
    await useUp();
  };
  if (!(await accounts?.isSigned(statement, beforeNode)))
    throw refused("its signature is not the account's for this request");
  await assertFewer(call, SIGN_INS);
  await useUp();
  const wallet = accountId(chainId, address);
  const counted = await host.store.increment(`sign-ins:${wallet}`, 1, { ttlMs: HOUR_MS, max: MAX_PER_HOUR });
  if (counted === undefined) throw refused(`the wallet signed in ${MAX_PER_HOUR} times within an hour`);
  return { ...sent, wallet };
}

function read(header: string): Proof {
  try {
    if (header.length > MAX_HEADER_BYTES) throw new Error("too long");
    return proof().parse(JSON.parse(Buffer.from(header, "base64").toString()));
  } catch {
    throw refused("it cannot be read");
  }
}

/** Refuses a nonce that this operation did not issue, or that is too old. */
async function assertOurs(call: Call, { nonce, issuedAt }: Proof): Promise<void> {
  const seal = await sealOf(call, nonce.slice(0, 16), issuedAt);
  if (!timingSafeEqual(Buffer.from(seal), Buffer.from(nonce.slice(16))))
    throw refused("its nonce was not issued for this address");
  const age = call.host.now() - Date.parse(issuedAt);
  if (age > LIFE_MS) throw refused("it is older than five minutes");
  if (age < -CLOCKS_APART_MS) throw refused("its time is in the future");
}

const refused = (why: string) => new PaymentRefused("SIGN_IN_REFUSED", `Sign-in rejected: ${why}.`, { signIn: true });

const text = { type: "string" } as const;

/** Schema of the client's proof, as the extension defines it. */
const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    domain: text,
    address: text,
    statement: text,
    uri: { ...text, format: "uri" },
    version: text,
    chainId: text,
    type: text,
    nonce: text,
    issuedAt: { ...text, format: "date-time" },
    expirationTime: { ...text, format: "date-time" },
    signature: text,
  },
  required: ["domain", "address", "uri", "version", "chainId", "type", "nonce", "issuedAt", "signature"],
} as const;
