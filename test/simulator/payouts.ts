/** Somebody who shares what is sold, and is paid now and then, by several processes at once, which may die. */
import { toMicros } from "../../src/lib/money.js";
import { returnHash } from "./host-refunds.js";
import type { Instance } from "./instance.js";
import { NETWORK, PARTNER, PAYOUT_ADDRESS } from "./wallets.js";
import type { World } from "./world.js";

/** Of ten thousand parts: sums of sales seldom divide by it. */
const SHARE = 3337n;
const WHOLE = 10_000n;

export const sharesOf = (treasury: string) => [
  { payTo: treasury, share: Number(WHOLE - SHARE) },
  { payTo: PARTNER, share: Number(SHARE) },
];

interface Entry {
  account: string;
  split?: unknown;
  uncounted?: true;
  earned: string;
  lost?: string;
  void?: string;
}

export class Payouts {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** All is paid out now and then, mostly by more than one process. */
  async nowAndThen(isOver: () => boolean): Promise<void> {
    const { random, timeline } = this.#world;
    while (!isOver()) {
      await timeline.sleep(random.int(1000, 20_000));
      const times = Array.from({ length: random.int(1, 3) }, () => random.pick(this.#world.instances));
      await Promise.all(times.map((instance) => this.#ask(instance)));
    }
  }

  async #ask({ handle, death, dead, name }: Instance): Promise<void> {
    if (dead) return;
    const asked = handle.payouts.pay().catch((error: Error) => error);
    const answer = await Promise.race([asked, death.promise]);
    this.#world.timeline.note(() => `${name} pays those who share: ${JSON.stringify(answer) ?? "and dies"}`);
  }

  /** At rest each entry of the ledger is counted once, and each payout is on chain once, at its amount. */
  async assertPaid(): Promise<void> {
    const { chain, instances, settings } = this.#world;
    const sent = chain.transfers.filter(({ authorization }) => authorization.from === PAYOUT_ADDRESS);
    if (!settings.shares) {
      if (sent.length > 0) this.#fail(`${sent.length} payouts where nobody shares`);
      return;
    }
    const earned = await this.#earned();
    const rows = (await instances[0]?.handle.payouts.list()) ?? [];
    const shared = [...earned.values()].reduce((sum, one) => sum + one, 0n);
    const told = rows.reduce((sum, { earnedUsd }) => sum + signed(earnedUsd), 0n);
    if (told !== shared) this.#fail(`the shares add up to ${told}, the ledger to ${shared}`);
    const partner = rows.filter(({ payTo }) => payTo === PARTNER);
    for (const { treasury, earnedUsd } of partner) {
      const own = roundedDown((earned.get(`${NETWORK}:${treasury.toLowerCase()}`) ?? 0n) * SHARE);
      if (signed(earnedUsd) !== own) this.#fail(`a share of ${treasury} is ${earnedUsd}, not ${own}`);
    }
    const paid = partner.reduce((sum, { paidUsd }) => sum + toMicros(paidUsd), 0n);
    const arrived = sent.reduce((sum, { authorization }) => sum + BigInt(authorization.value), 0n);
    if (paid !== arrived) this.#fail(`${paid} are told as paid out, ${arrived} arrived`);
    if (partner.some(({ pendingUsd }) => pendingUsd !== "0")) this.#fail("a payout is pending when all is at rest");
    await this.#checkSent(sent.map(({ authorization }) => authorization));
  }

  /** What the ledger says is shared, by account. */
  async #earned(): Promise<Map<string, bigint>> {
    const earned = new Map<string, bigint>();
    for (const { key, value } of await this.#world.store.list("ledger:", { limit: 100_000 })) {
      const entry = JSON.parse(value) as Entry;
      if (!entry.account.startsWith(NETWORK)) continue;
      const amount = BigInt(entry.earned) - BigInt(entry.lost ?? 0) + BigInt(entry.void ?? 0);
      if (entry.uncounted) this.#fail(`${key} is not counted when all is at rest`);
      if (amount !== 0n && !entry.split) this.#fail(`${key} is shared with nobody`);
      earned.set(entry.account, (earned.get(entry.account) ?? 0n) + amount);
    }
    return earned;
  }

  async #checkSent(sent: readonly { nonce: string; value: string; to: string }[]): Promise<void> {
    const amounts = new Map<string, string>();
    for (const { key, value } of await this.#world.store.list("payout:", { limit: 100_000 })) {
      const { sent: payout } = JSON.parse(value) as { sent: { amount: string } };
      amounts.set(`0x${returnHash(`payout ${key.slice(key.lastIndexOf(":") + 1)}`)}`, payout.amount);
    }
    for (const { nonce, value, to } of sent)
      if (amounts.get(inHex(nonce)) !== value || to !== PARTNER)
        this.#fail(`${value} went to ${to}, and nobody is owed it`);
    if (new Set(sent.map(({ nonce }) => nonce)).size !== sent.length) this.#fail("a payout is on chain twice");
    if (amounts.size !== sent.length) this.#fail(`${amounts.size} payouts, of which ${sent.length} are on chain`);
  }

  #fail(what: string): void {
    this.#world.checker.fail("payouts", what);
  }
}

/** Permit2 counts nonces, where authorizations have them in hex. */
const inHex = (nonce: string) => `0x${BigInt(nonce).toString(16).padStart(64, "0")}`;

/** Also of what was lost: the division of bigints rounds that up. */
const roundedDown = (amount: bigint) => (amount - (((amount % WHOLE) + WHOLE) % WHOLE)) / WHOLE;
const signed = (usd: string) => (usd.startsWith("-") ? -toMicros(usd.slice(1)) : toMicros(usd));
