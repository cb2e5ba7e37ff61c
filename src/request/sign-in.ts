/**
 * Wallets that sign in instead of paying (the extension `sign-in-with-x` of x402): for a few operations on what they have,
 * so that one that has run out of money can still see it, take it out and end it. What is offered is kept nowhere: a nonce
 * proves by itself that it is ours, and only one that was used is written down.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { AnyCapability } from "../capability/types.js";
import type { Host } from "../host/host.js";
import { once } from "../lib/lazy.js";
import { HOUR_MS, MINUTE_MS } from "../lib/time.js";
import type { Grant, Order } from "../payment/checkout/order.js";
import { accountId } from "../payment/rails/accounts.js";
import type { SignInStatement } from "../payment/rails/rail.js";
import { identify } from "../payment/trial/caller.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import { createMemoryStore } from "../stores/memory.js";
import { storeSecret } from "../stores/secret.js";
import type { Store } from "../stores/store.js";
import type { Call } from "./call.js";

const NAME = "sign-in-with-x";
const STATEMENT = "See, take out and end what this wallet keeps here.";
const LIFE_MS = 5 * MINUTE_MS;
/** How far the clocks of two instances may be apart. */
const SKEW_MS = 30_000;
const MAX_PER_HOUR = 60;
/** Of one caller's address, an hour: whatever the wallet, and of those that a node had to be asked for. */
const SIGN_INS = ["sign-ins", 240] as const;
const ASKS = ["asks", 30] as const;
const MAX_HEADER_BYTES = 16 * 1024;

/** Whether an operation is free for a wallet that signs in. */
const isOpen = ({ host }: Call, { wallet }: AnyCapability): boolean => host.signIn && wallet?.signIn === true;

/** Whether accounts can sign in here at all, be it only to prove who they are beside what they pay with. */
const isPossible = ({ host: { brand, payments } }: Call): boolean =>
  brand.baseUrl !== undefined && payments.signIns.size > 0;

/** The proof that a request brings, where one is taken. */
export const signInOf = (call: Call, capability: AnyCapability): string | undefined =>
  isOpen(call, capability) ? (call.request.headers.get(NAME) ?? undefined) : undefined;

/** What is offered beside a payment. */
export interface SignInOffer {
  /** `whole`: with the schema of the answer, which no header has room for. */
  extension(whole: boolean): Record<string, unknown>;
}

/** Undefined where nobody may sign in, or `asked` to. Writes nothing. */
export async function signInOffer(
  call: Call,
  capability: AnyCapability,
  asked = false,
): Promise<SignInOffer | undefined> {
  if (!isOpen(call, capability) && !(asked && isPossible(call))) return undefined;
  const random = randomBytes(8).toString("hex");
  const issuedAt = new Date(call.host.now()).toISOString();
  const nonce = random + (await sealOf(call, random, issuedAt));
  const offer = offerOf(call, statementOf(call, nonce, issuedAt));
  return { extension: (whole) => ({ [NAME]: whole ? { ...offer, schema } : offer }) };
}

/** How many characters it takes up in a header, before that is encoded. */
export function signInLength(call: Call, capability: AnyCapability): number {
  if (!isOpen(call, capability)) return 0;
  const statement = statementOf(call, "0".repeat(32), new Date(call.host.now()).toISOString());
  return JSON.stringify({ [NAME]: offerOf(call, statement) }).length;
}

const offerOf = ({ host }: Call, info: SignInStatement) => ({
  info,
  supportedChains: [...host.payments.signIns].map(([chainId, { type }]) => ({ chainId, type })),
});

/** The address is the host's own word, never that of the request. */
function statementOf({ host, url }: Call, nonce: string, issuedAt: string): SignInStatement {
  const { baseUrl = "" } = host.brand;
  return {
    domain: new URL(baseUrl).host,
    statement: STATEMENT,
    uri: baseUrl + url.pathname,
    version: "1",
    nonce,
    issuedAt,
    expirationTime: new Date(Date.parse(issuedAt) + LIFE_MS).toISOString(),
  };
}

/** Binds what is random to its time and to the address that it is for. */
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

/** What one caller's address had within the hour, in this process: a count for each in the store would be a row for each. */
const counts = /* @__PURE__ */ new WeakMap<Host, Store>();

async function assertFewer({ host, info: { clientAddress } }: Call, [what, max]: readonly [string, number]) {
  const counted = counts.get(host) ?? createMemoryStore({ clock: () => new Date(host.now()) });
  counts.set(host, counted);
  const { key, network = key } = await identify(clientAddress, host.store);
  if ((await counted.increment(`${what} ${network}`, 1, { ttlMs: HOUR_MS, max })) === undefined)
    throw refused(`the caller's address tried ${max} times within an hour`);
}

/** The account that a request signs in beside what it pays with, as CAIP-10. Rejects with PaymentRefused. */
export async function accountBeside(call: Call): Promise<string | undefined> {
  const header = call.request.headers.get(NAME);
  if (header === null || !isPossible(call)) return undefined;
  const { wallet } = await proven(call, header);
  return wallet;
}

/** The right of a wallet that signed in. Rejects with PaymentRefused. */
export async function signedIn(call: Call, order: Order, header: string): Promise<Grant> {
  const { wallet, address, chainId, nonce } = await proven(call, header);
  order.onPayer({ payer: address, network: chainId });
  return {
    caller: "free",
    wallet: { id: wallet, callId: `sign-in:${nonce}`, free: true },
    settle: async () => undefined,
    release: async () => undefined,
  };
}

/** Whose a proof is, which is good once. Rejects with PaymentRefused. */
async function proven(call: Call, header: string): Promise<Proof & { wallet: string }> {
  const { host } = call;
  const sent = read(header);
  await assertOurs(call, sent);
  const { nonce, issuedAt, chainId, address, signature } = sent;
  const accounts = host.payments.signIns.get(chainId);
  const statement = { ...statementOf(call, nonce, issuedAt), network: chainId, address, signature };
  const useUp = once(async () => {
    // Kept for longer than it would be good for.
    const isFirst = await host.store.put(`sign-in:${nonce}`, "used", { ifVersion: 0, ttlMs: 2 * LIFE_MS });
    if (isFirst === undefined) throw refused("it was used before");
  });
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

/** Whether the nonce is one that this operation gave out, and not too long ago. */
async function assertOurs(call: Call, { nonce, issuedAt }: Proof): Promise<void> {
  const seal = await sealOf(call, nonce.slice(0, 16), issuedAt);
  if (!timingSafeEqual(Buffer.from(seal), Buffer.from(nonce.slice(16))))
    throw refused("its nonce was not issued for this address");
  const age = call.host.now() - Date.parse(issuedAt);
  if (age > LIFE_MS) throw refused("it is older than five minutes");
  if (age < -SKEW_MS) throw refused("its time is in the future");
}

const refused = (why: string) => new PaymentRefused("SIGN_IN_REFUSED", `Sign-in rejected: ${why}.`, { signIn: true });

const text = { type: "string" } as const;

/** Of what a client sends back, as the extension has it. */
const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    ...{ domain: text, address: text, statement: text, uri: { ...text, format: "uri" }, version: text, chainId: text },
    ...{ type: text, nonce: text, issuedAt: { ...text, format: "date-time" } },
    ...{ expirationTime: { ...text, format: "date-time" }, signature: text },
  },
  required: ["domain", "address", "uri", "version", "chainId", "type", "nonce", "issuedAt", "signature"],
} as const;
