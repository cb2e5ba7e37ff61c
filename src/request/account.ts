/** The account of a caller: named by its key, or by the host's own login. */
import { CapabilityError } from "../errors.js";
import { atMost } from "../lib/abort.js";
import type { PaymentAccounts } from "../payment/accounts/accounts.js";
import { type AccountCaller, type Identified, isAccountId } from "../payment/options/accounts.js";
import type { Credentials } from "../payment/order/order.js";
import type { Call } from "./call.js";
import { speaksOpenAi } from "./openai/alias.js";
import { isMeant } from "./same-origin.js";

/** A host's login has so long to name its caller. */
const LOGIN_MS = 10_000;
const BEARER = /^Bearer(?![\w-])(.*)$/is;

/** The credentials, with the caller's account if there is one. Rejects with INVALID_KEY. */
export async function withAccount(
  call: Call,
  accounts: PaymentAccounts,
  credentials: Credentials | undefined,
): Promise<Credentials | undefined> {
  // HEAD describes the answer to GET, and never runs or charges.
  if (call.request.method === "HEAD") return credentials;
  // The key of a job's caller is not stored.
  const account = call.job?.account ?? (await accountOf(call, accounts, credentials));
  if (!account) return credentials;
  call.event.account = account.id;
  return { trial: false, ...credentials, account };
}

/** The account that a key or the host's login names. Rejects with INVALID_KEY. */
export async function accountOf(
  call: Call,
  accounts: PaymentAccounts,
  credentials: Credentials | undefined,
): Promise<AccountCaller | undefined> {
  const { caller, host } = call;
  const bearer = accounts.keys ? bearerOf(caller.headers.get("authorization") ?? "") : undefined;
  // guard: the alias looks at no key beside a payment | never | openai-alias
  const sent = isIgnored(call, credentials, bearer) ? undefined : bearer;
  // The host's own login may use the same header for tokens of its own.
  const isOthers = accounts.identify !== undefined && !sent?.startsWith(`${host.brand.slug}_`);
  if (sent !== undefined && !isOthers) return (await accounts.keyring()).find(sent);
  // guard: accounts: what another page can forge is not its user's | = !hasPaid(credentials) | surfaces
  const mayPay = !hasPaid(credentials) && isMeant(call, accounts.origins);
  const named = mayPay ? await loginOf(accounts, call) : undefined;
  if (named) return { id: checked(named.id, accounts) };
  if (sent !== undefined && mayPay) throw unknownKey();
  return undefined;
}

/**
 * Clients of OpenAI's API always send a key, so beside a payment none counts at the alias, and one that is not of this
 * service never does.
 */
const isIgnored = (call: Call, credentials: Credentials | undefined, bearer: string | undefined): boolean =>
  speaksOpenAi(call) && (hasPaid(credentials) || !bearer?.startsWith(`${call.host.brand.slug}_`));

/** A key may stand beside a payment, as in `Bearer …, Payment …`. Several keys are none that is known. */
export function bearerOf(authorization: string): string | undefined {
  const keys = authorization.split(",").flatMap((one) => BEARER.exec(one.trim())?.[1]?.trim() ?? []);
  // guard: accounts: several keys are no key | join(" ") -> at(-1) | keys
  return keys.length === 0 ? undefined : keys.join(" ");
}

/** The account that the host's login names. A login that hangs ends the call, as one that fails does. */
async function loginOf(
  { identify }: PaymentAccounts,
  { caller, event: { agent } }: Call,
): Promise<Identified | undefined> {
  // guard: accounts: a login that hangs ends | LOGIN_MS -> 1e9 | surfaces
  return atMost(LOGIN_MS, () =>
    identify?.(withoutBody(caller.toRequest()), agent === undefined ? {} : { agent }),
  ).catch((cause: unknown) => {
    throw new Error("accounts.identify failed", { cause });
  });
}

/** The body is read once, by the endpoint. */
const withoutBody = ({ url, method, headers }: Request): Request => new Request(url, { method, headers });

/** A payment comes before the account. */
const hasPaid = (credentials: Credentials | undefined): boolean =>
  Boolean(credentials?.payment ?? credentials?.refused ?? credentials?.signIn);

function checked(id: unknown, { sellsAny }: PaymentAccounts): string {
  // Users who choose their ids could name themselves after a wallet.
  // guard: top-up: the account of a wallet is its own | gone | accounts/top-up
  if (sellsAny && isAccountId(id) && /^(?:eip155|solana):/.test(id))
    throw new TypeError("accounts.identify may not name the account of a wallet.");
  if (isAccountId(id)) return id;
  throw new TypeError("accounts.identify must return an id of 1 to 100 letters, digits or . _ : -");
}

const unknownKey = () =>
  new CapabilityError("INVALID_KEY", "The key is not known here, has expired, or was revoked. Nothing was charged.");
