/** Who asks for an account: its key, the host's own login, a wallet's sign-in, or the session that began with one. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { WalletCall } from "../capability/wallets.js";
import { CapabilityError } from "../errors.js";
import type { Host } from "../host/host.js";
import { HOUR_MS, MINUTE_MS } from "../lib/time.js";
import { isAccountId, walletOfAccount } from "../payment/options/accounts.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import { createMemoryStore } from "../stores/memory/memory.js";
import { storeSecret } from "../stores/secret.js";
import type { Store } from "../stores/store.js";
import { accountOf, bearerOf } from "./account.js";
import { type Call, realmOf } from "./call.js";
import type { PlainResponse } from "./http/exchange.js";
import { problem } from "./problem.js";
import { offersOwnSignIn, ownSignInOffer, proven } from "./sign-in.js";

const SESSION_MS = HOUR_MS / 2;
/** Of one key or owner, in each process: what is free must not keep the store busy. */
const MOST_PER_MINUTE = 120;

/** The owner, as the work gets it, and as the host's policy does. */
export interface Owner {
  wallet: WalletCall;
  account: string;
  /** The wallet that signed in. */
  signer?: { payer: string; network: string };
}

type Sealing = Pick<Host, "brand" | "store">;

const sealOf = async ({ brand, store }: Sealing, text: string): Promise<Buffer> =>
  createHmac("sha256", await storeSecret(store))
    .update(`account session ${brand.slug} ${brand.baseUrl} ${text}`)
    .digest();

/** The host's mark that its sessions begin with, which no key has. */
const markOf = ({ brand: { slug } }: Sealing): string => `${slug}_session.`;

export async function sessionOf(host: Sealing & Pick<Host, "now">, account: string) {
  const expires = host.now() + SESSION_MS;
  const text = Buffer.from(JSON.stringify([account, expires])).toString("base64url");
  const seal = await sealOf(host, text);
  return {
    session: `${markOf(host)}${text}.${seal.toString("base64url")}`,
    expiresAt: new Date(expires).toISOString(),
  };
}

async function accountOfSession(host: Host, token: string): Promise<string> {
  const [text = "", sent = ""] = token.slice(markOf(host).length).split(".");
  const [seal, given] = [await sealOf(host, text), Buffer.from(sent, "base64url")];
  // guard: own account: a session is what this host has sealed | gone | accounts/own-account
  if (given.length !== seal.length || !timingSafeEqual(given, seal)) throw signInRequired("The session is not known.");
  const [account, expires] = JSON.parse(Buffer.from(text, "base64url").toString()) as [unknown, number];
  // guard: own account: a session ends | gone | accounts/own-account
  if (!isAccountId(account) || !(expires > host.now())) throw signInRequired("The session is over: sign in again.");
  return account;
}

const signInRequired = (why: string) => new CapabilityError("SIGN_IN_REQUIRED", `${why} Nothing was done.`);

const HOW =
  "Send a key of the account as Authorization: Bearer, or sign in with its wallet (extensions.sign-in-with-x).";
const HOW_BY_KEY = "Send a key of the account as Authorization: Bearer.";

/** Rejects with SIGN_IN_REQUIRED, INVALID_KEY or RATE_LIMITED. */
export async function ownerOf(call: Call): Promise<Owner> {
  const owner = await namedOwner(call);
  await assertPaced(call.host, owner);
  call.event.account = owner.account;
  return owner;
}

async function namedOwner(call: Call): Promise<Owner> {
  const { host, caller, request } = call;
  const { accounts } = host.payments;
  const how = offersOwnSignIn(call) ? HOW : HOW_BY_KEY;
  const bearer = bearerOf(caller.headers.get("authorization") ?? "");
  if (accounts && bearer?.startsWith(markOf(host))) {
    const account = await accountOfSession(host, bearer);
    return { account, wallet: { id: walletOfAccount(account), callId: `session:${call.requestId}` } };
  }
  const header = request.headers.get("sign-in-with-x");
  // A sign-in beside a key would leave it open who asks.
  if (header !== null && bearer === undefined && offersOwnSignIn(call)) return signedOwner(call, header);
  const named = accounts && (await accountOf(call, accounts, undefined));
  if (!named) throw signInRequired(how);
  const key = named.key === undefined ? {} : { key: named.key };
  return { account: named.id, wallet: { id: walletOfAccount(named.id), callId: `own:${call.requestId}`, ...key } };
}

async function signedOwner(call: Call, header: string): Promise<Owner> {
  const { wallet, address, chainId, nonce } = await proven(call, header).catch((error: unknown) => {
    throw error instanceof PaymentRefused ? signInRequired(error.message) : error;
  });
  return {
    account: wallet,
    wallet: { id: walletOfAccount(wallet), callId: `sign-in:${nonce}` },
    signer: { payer: address, network: chainId },
  };
}

const paces = /* @__PURE__ */ new WeakMap<Host, Store>();

/** Each key by itself, so that nobody who was given one keeps the owner out. */
async function assertPaced(host: Host, { account, wallet: { key = "" } }: Owner): Promise<void> {
  const counted = paces.get(host) ?? createMemoryStore({ clock: () => new Date(host.now()) });
  paces.set(host, counted);
  // guard: own account: what is free has a pace | never | accounts/own-account
  if ((await counted.increment(`own ${account} ${key}`, 1, { ttlMs: MINUTE_MS, max: MOST_PER_MINUTE })) !== undefined)
    return;
  throw new CapabilityError("RATE_LIMITED", `An account is looked at ${MOST_PER_MINUTE} times a minute at most.`, {
    retryAfter: 60,
  });
}

/** The answer to a caller who did not say who it is, with the ways to say so. */
export async function unnamed(call: Call, error: CapabilityError): Promise<PlainResponse> {
  const answer = problem(call, error);
  const offer = await ownSignInOffer(call);
  const headers = { ...answer.headers, "www-authenticate": `Bearer realm="${realmOf(call)}"` };
  if (!offer || typeof answer.body !== "string") return { ...answer, headers };
  const body = { ...(JSON.parse(answer.body) as object), extensions: offer };
  return { ...answer, headers, body: JSON.stringify(body) };
}
