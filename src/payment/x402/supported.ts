/**
 * The facilitator's supported kinds, read in the background: no quote waits for them, and the last valid answer is kept
 * while the facilitator cannot be reached.
 */

import { z } from "zod";
import { CapabilityError } from "../../errors.js";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import { DAY_MS } from "../../lib/time.js";
import type { FacilitatorClient } from "./facilitator.js";

const REFRESH_MS = 5 * 60_000;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
/** Longest pause that a facilitator's Retry-After can set. */
const MAX_PATIENCE_MS = 10 * 60_000;
/** As long as replies are stored, because a repeated payment must still be recognised. */
const KEEP_FORMER_MS = DAY_MS;

const supportedAnswer = once(() =>
  z.object({
    kinds: z.array(
      z.object({
        x402Version: z.number(),
        scheme: z.string(),
        network: z.string(),
        extra: z.record(z.string(), z.unknown()).nullish().catch(null),
      }),
    ),
    extensions: z.array(z.string()).nullish().catch(null),
    signers: z.record(z.string(), z.array(z.string())).nullish().catch(null),
  }),
);

export interface Supported {
  /** Grows with each answer: content rendered from an earlier one may be outdated. */
  readonly revision: number;
  /**
   * The facilitator's own account for a scheme on a network, if offers name one: the fee payer on Solana, the settler
   * of `upto` on EVM networks. It stays the same as long as the facilitator lists it.
   */
  account(scheme: string, network: string): string | undefined;
  /**
   * Whether payments that name this account of the facilitator are accepted: it is listed, or was offered in the last
   * day.
   */
  accepts(scheme: string, network: string, address: string): boolean;
  /** Whether the facilitator knows an extension of the protocol; false while unknown. */
  extendsBy(extension: string): boolean;
  /** Whether the facilitator settles this scheme on this network; false while unknown. */
  lists(scheme: string, network: string): boolean;
  /** Refreshes an old answer and waits for it: for platforms without background work. */
  refreshed(): Promise<void>;
  /** Asks now, and then every few minutes; a repetition does nothing. */
  start(): void;
  stop(): void;
}

export interface SupportedOptions {
  facilitator: Pick<FacilitatorClient, "supported">;
  /** The network's family, which tells how to read its accounts; undefined for networks that are not used here. */
  familyOf(network: string): NetworkFamily | undefined;
  now: () => number;
  logger: Logger;
  /** Default true: asks by itself. False without background work, where `refreshed` asks. */
  background?: boolean;
  /** Default false: asks at once. True: asks first when `start` is called. */
  waits?: boolean;
  /** Called after each usable answer. */
  onAnswer?: () => void;
}

export interface NetworkFamily {
  isAddress(text: string): boolean;
  /** By scheme: the field of `extra` that names the facilitator's account. */
  readonly facilitatorAccounts: Readonly<Record<string, string>>;
}

/** The facilitator's accounts for one scheme and network. */
interface Accounts {
  current?: string;
  listed: readonly string[];
  /** Accounts of earlier offers, and the time until which they are accepted (epoch milliseconds). */
  former: Map<string, number>;
}

/**
 * Asks at once and then every few minutes, on a timer that keeps no process alive.
 *
 * @example
 * ```ts
 * const supported = watchSupported({ facilitator, familyOf, now: Date.now, logger });
 * supported.lists("exact", "eip155:8453"); // false until the facilitator has answered
 * supported.stop();
 * ```
 */
export function watchSupported(options: SupportedOptions): Supported {
  const { facilitator, familyOf, now, logger, background = true, waits = false, onAnswer } = options;
  let kinds = new Set<string>();
  let extensions = new Set<string>();
  /** By scheme and network. */
  const accounts = new Map<string, Accounts>();
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let revision = 0;
  let [started, stopped] = [false, false];
  let readAt = Number.NEGATIVE_INFINITY;

  function learn(answer: z.infer<ReturnType<typeof supportedAnswer>>): void {
    // We use version 2 with the facilitator, whatever version the caller uses.
    const usable = answer.kinds.filter(({ x402Version }) => x402Version === 2);
    kinds = new Set(usable.map(({ scheme, network }) => keyOf(scheme, network)));
    extensions = new Set(answer.extensions);
    const proposed = new Map(
      usable.flatMap(({ scheme, network, extra }) => {
        const member = familyOf(network)?.facilitatorAccounts[scheme];
        const address = member === undefined ? undefined : extra?.[member];
        return typeof address === "string" ? [[keyOf(scheme, network), address] as const] : [];
      }),
    );
    for (const kind of new Set([...proposed.keys(), ...accounts.keys()])) {
      const network = kind.slice(kind.indexOf(" ") + 1);
      const signers = answer.signers?.[network] ?? answer.signers?.[`${network.split(":", 1)[0]}:*`] ?? [];
      const address = proposed.get(kind);
      const isAddress = familyOf(network)?.isAddress;
      choose(kind, address === undefined || !isAddress ? [] : [address, ...signers].filter(isAddress));
    }
  }

  /** Facilitators with several keys list one at random in each answer, but offers need a stable one. */
  function choose(kind: string, listed: string[]): void {
    const { current, former } = accounts.get(kind) ?? { former: new Map<string, number>() };
    const next = current !== undefined && listed.includes(current) ? current : listed[0];
    for (const [address, until] of former) if (until < now()) former.delete(address);
    if (current !== undefined && current !== next) former.set(current, now() + KEEP_FORMER_MS);
    accounts.set(kind, { ...(next === undefined ? {} : { current: next }), listed, former });
  }

  async function refresh(): Promise<void> {
    let waitMs = REFRESH_MS;
    try {
      learn(supportedAnswer().parse(await facilitator.supported()));
      failures = 0;
      readAt = now();
      revision++;
      onAnswer?.();
    } catch (error) {
      const patienceMs = CapabilityError.is(error) ? (error.retryAfter ?? 0) * 1000 : 0;
      const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures++, 10), MAX_RETRY_MS);
      waitMs = Math.max(backoffMs, Math.min(patienceMs, MAX_PATIENCE_MS));
      logger.warn({ error, retryInMs: waitMs }, "facilitator: its supported kinds could not be read");
    }
    if (stopped || !background) return;
    timer = setTimeout(refresh, waitMs);
    timer.unref();
  }

  function accepts(kind: string, address: string): boolean {
    const known = accounts.get(kind);
    return known !== undefined && (known.listed.includes(address) || (known.former.get(address) ?? 0) > now());
  }

  function start(): void {
    if (background && !started) void refresh();
    started = true;
  }

  if (!waits) start();
  return {
    start,
    get revision() {
      return revision;
    },
    account: (scheme, network) => accounts.get(keyOf(scheme, network))?.current,
    accepts: (scheme, network, address) => accepts(keyOf(scheme, network), address),
    extendsBy: (extension) => extensions.has(extension),
    lists: (scheme, network) => kinds.has(keyOf(scheme, network)),
    async refreshed() {
      if (now() - readAt > REFRESH_MS) await refresh();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const keyOf = (scheme: string, network: string) => `${scheme} ${network}`;
