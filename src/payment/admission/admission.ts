/** Asks who may buy, once per call: the lists first, then the host's policy. Fails closed, and tells the host why. */
import type { AnyCapability, Parsed } from "../../capability/types.js";
import { checksummed } from "../../engines/addresses/ethereum.js";
import { CapabilityError } from "../../errors.js";
import { atMost } from "../../lib/abort.js";
import type { Logger } from "../../lib/logger.js";
import { fromMicros, type Micros } from "../../lib/money.js";
import { hashOf } from "../record/input-digest.js";
import type { AdmissionOptions, PayersOptions, PolicyAnswer, PolicyRequest, Via } from "./options.js";
import { type Wallet, walletList } from "./payers.js";

const POLICY_MS = 3000;
/** The first reading of the sanctions list fetches some twenty files. */
const SANCTIONS_MS = 10_000;
const RETRY_SECONDS = 5;

/** The caller of an order, as far as it is proven. */
export interface Buyer {
  via: Via;
  payer?: string;
  network?: string;
  /** For a voucher: the wallet whose deposit pays, and the key that signs. */
  channel?: { payer: string; authorizer: string };
  account?: string;
}

/** A call as far as the host's policy hears of it: what runs, for how much, with which input, and where it came from. */
export interface CallToAdmit extends Pick<Parsed, "input"> {
  capability: AnyCapability;
  /** The quoted price, before credit. */
  amount: Micros;
  clientAddress?: string | undefined;
  country?: string | undefined;
  /** The key directory of the agent that signed the request. */
  agent?: string | undefined;
  /** True if a service placed it for its caller, such as a tool's call. */
  service?: boolean;
}

export interface Admission {
  /** Rejects with NOT_ALLOWED, or with POLICY_UNAVAILABLE if nobody can tell. */
  admit(run: CallToAdmit & Parsed, buyer: Buyer): Promise<void>;
  /** The same for a run that was ordered before, such as a watcher's poll. */
  admitRun(run: CallToAdmit, buyer: Buyer): Promise<void>;
  /** Refuses listed wallets only: for money that goes back to its payer. */
  assertNotSanctioned(wallets: readonly string[]): Promise<void>;
}

export interface AdmissionSources {
  logger: Logger;
  /** Whether a wallet is on the sanctions list. Rejects if the list cannot be read. */
  isSanctioned(address: string): Promise<boolean>;
  /** Lists that replaced those of the options while the host runs. */
  payersNow?: () => PayersOptions | undefined;
}

/** Undefined if the host asks for none of it. */
export function createAdmission(
  { policy, sanctions, payers }: AdmissionOptions,
  { logger, isSanctioned, payersNow = () => undefined }: AdmissionSources,
): Admission | undefined {
  if (!policy && !sanctions && !payers) return undefined;
  const listsOf = newestOnly(({ allow, deny }: PayersOptions) => ({
    allowed: allow && walletList(allow),
    denied: deny && walletList(deny),
  }));

  function assertListed(buyer: Buyer, wallets: readonly Wallet[]): void {
    // guard: rules: lists of wallets that were set at run time hold | - payersNow() ?? | handler/rules
    const { allowed, denied } = listsOf(payersNow() ?? payers ?? NOBODY);
    if (denied && wallets.some(denied)) throw notAllowed("PAYER_DENIED", "This service does not sell to this wallet.");
    const { payer: address, network } = buyer;
    if (allowed && address !== undefined && !allowed({ address, network }))
      throw notAllowed("PAYER_NOT_LISTED", "This service sells only to wallets that its operator has listed.");
  }

  async function assertNotSanctioned(wallets: readonly string[]): Promise<void> {
    if (!sanctions || wallets.length === 0) return;
    const listed = await atMost(SANCTIONS_MS, () => Promise.all(wallets.map(isSanctioned))).catch((error: unknown) => {
      throw unavailable("The sanctions list cannot be read", error);
    });
    if (listed.includes(true))
      throw notAllowed("SANCTIONED", "The wallet is on the OFAC list of sanctioned digital currency addresses.");
  }

  async function ask(request: PolicyRequest): Promise<void> {
    if (!policy) return;
    const answer: unknown = await atMost(POLICY_MS, () => policy(request)).catch((error: unknown) => {
      throw unavailable("The host's policy failed", error);
    });
    // guard: policy: an unusable answer refuses | gone | handler/policy
    if (!isAnswer(answer))
      throw unavailable(
        "The host's policy gave no answer",
        new TypeError("policy must return { allow: true } or { allow: false, code, reason }."),
      );
    if (!answer.allow) throw notAllowed(answer.code, answer.reason);
  }

  function unavailable(what: string, cause: unknown): CapabilityError {
    logger.error({ error: cause }, `policy: ${what}, so the call was refused`);
    const message = "It cannot be decided at the moment whether this call is allowed; nothing was charged.";
    return new CapabilityError("POLICY_UNAVAILABLE", message, { retryAfter: RETRY_SECONDS, cause });
  }

  async function assertWallets(buyer: Buyer): Promise<void> {
    const wallets = walletsOf(buyer);
    assertListed(buyer, wallets);
    await assertNotSanctioned(wallets.map(({ address }) => address));
  }

  return {
    assertNotSanctioned,
    async admitRun(run, buyer) {
      await assertWallets(buyer);
      if (policy) await ask(requestOf(run, buyer));
    },
    async admit(run, buyer) {
      await assertWallets(buyer);
      if (!policy) return;
      const request = requestOf(run, buyer);
      await ask(request);
      const inner = new Set(run.capability.parts?.(run).map(({ id }) => id));
      const via = run.capability.composite ? "batch" : "watch";
      await Promise.all([...inner].map((endpoint) => ask({ ...request, endpoint, via })));
    },
  };
}

const NOBODY: PayersOptions = {};

/** Makes something of a value once, until another value comes. */
function newestOnly<T extends object, R>(make: (value: T) => R): (value: T) => R {
  let last: { value: T; made: R } | undefined;
  return (value) => {
    if (last?.value !== value) last = { value, made: make(value) };
    return last.made;
  };
}

/** Every wallet whose money or signature it is. */
function walletsOf({ payer, network, channel }: Buyer): Wallet[] {
  // guard: policy: the wallet behind a voucher is looked up, too |
  //   - , channel?.payer, channel?.authorizer | channels/policy
  const addresses = [payer, channel?.payer, channel?.authorizer].filter((address) => address !== undefined);
  return [...new Set(addresses)].map((address) => ({ address, network }));
}

function requestOf(run: CallToAdmit, { via, payer, network, channel, account }: Buyer): PolicyRequest {
  const { capability, amount, agent, clientAddress, country, input, service } = run;
  return {
    endpoint: capability.id,
    priceUsd: fromMicros(amount),
    ...(payer === undefined ? {} : { payer: spelled(payer) }),
    ...(network === undefined ? {} : { network }),
    ...(channel === undefined ? {} : { channelPayer: spelled(channel.payer) }),
    ...(account === undefined ? {} : { account }),
    ...(agent === undefined ? {} : { agent }),
    ...(clientAddress === undefined ? {} : { clientAddress }),
    ...(country === undefined ? {} : { country }),
    inputDigest: hashOf(input),
    via: service ? "mcp" : via,
  };
}

/** One spelling for each wallet, since a buyer could otherwise choose one that a policy does not compare. */
const spelled = (address: string): string => (/^0x[0-9a-f]{40}$/i.test(address) ? checksummed(address) : address);

function isAnswer(answer: unknown): answer is PolicyAnswer {
  if (typeof answer !== "object" || answer === null || !("allow" in answer)) return false;
  if (answer.allow === true) return true;
  const { code, reason } = answer as { code?: unknown; reason?: unknown };
  return answer.allow === false && typeof code === "string" && typeof reason === "string";
}

const notAllowed = (reasonCode: string, reason: string) => new CapabilityError("NOT_ALLOWED", reason, { reasonCode });
