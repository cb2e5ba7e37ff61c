/**
 * The lines to two facilitators of one chain. In some worlds connections to one are refused for a while, so that the
 * other is asked; a payment that one may have sent must never come to the other.
 */
import type { Authorization } from "../support/wallets.js";
import { authorizationKey } from "./chain.js";
import { FACILITATOR_URL } from "./facilitator.js";
import type { Random } from "./random.js";
import type { Timeline } from "./timeline.js";
import { isOurs } from "./wallets.js";

export const SECOND_URL = "https://second.test";
const URLS = [FACILITATOR_URL, SECOND_URL] as const;

/** A path of a facilitator, or of something else. */
export interface Called {
  url: string;
  path: string;
}

/** What is asked for under an address; undefined where no facilitator is. */
export function calledAt(address: string): Called | undefined {
  const url = URLS.find((one) => address.startsWith(`${one}/`));
  return url && { url, path: address.slice(url.length + 1) };
}

export class Lines {
  /** How often a line begins to fail, from 0 to 1; 0 where there is one facilitator. */
  troubleRate: number;
  readonly #timeline: Timeline;
  readonly #random: Random;
  readonly #fail: (rule: string, what: string) => void;
  readonly #downUntil = new Map<string, number>();
  /** The facilitator that may have sent a payment. */
  readonly #sentBy = new Map<string, string>();

  constructor(
    { timeline, random }: { timeline: Timeline; random: Random },
    troubleRate: number,
    fail: (rule: string, what: string) => void,
  ) {
    this.#timeline = timeline;
    this.#random = random;
    this.troubleRate = troubleRate;
    this.#fail = fail;
  }

  /** Connects, or throws as a platform does where nobody listens. */
  connect({ url, path }: Called): void {
    if (this.troubleRate === 0) return;
    const isDown = (this.#downUntil.get(url) ?? 0) > this.#timeline.now;
    if (!isDown && this.#random.chance(this.troubleRate))
      this.#downUntil.set(url, this.#timeline.now + this.#random.int(10, 60_000));
    else if (!isDown) return;
    this.#timeline.note(() => `${url} refuses a connection for ${path}`);
    throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
  }

  /** A request to settle is on its way: whatever becomes of it, this facilitator may send the payment. */
  settles(url: string, authorization: Authorization): void {
    if (!isOurs(authorization.to)) return;
    const key = authorizationKey(authorization);
    const before = this.#sentBy.get(key) ?? url;
    this.#sentBy.set(key, before);
    if (before !== url) this.#fail("PAY-24", `${url} is asked to settle ${key}, which ${before} may have sent`);
  }
}
