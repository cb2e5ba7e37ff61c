/** Sales that the host gives back of its own accord: asked for again and again, by several processes, which may die. */
import { createHash } from "node:crypto";
import { toMicros } from "../../src/lib/money.js";
import type { Instance } from "./instance.js";
import type { World } from "./world.js";

export interface HostRefund {
  /** The payment that is given back, and the order that names the return. */
  payment: string;
  order: string;
  payer: string;
  amount: bigint;
  state: "owed" | "returned" | "credited" | "void";
  transaction?: string;
}

interface Asked {
  cost: bigint;
  /** How it ended, once somebody was told. */
  end?: string;
}

export const returnHash = (order: string): string => createHash("sha256").update(`return ${order}`).digest("hex");

export class HostRefunds {
  readonly #world: World;
  readonly #sold = new Map<string, bigint>();
  readonly #asked = new Map<string, Asked>();
  readonly #entries = new Map<string, HostRefund>();

  constructor(world: World) {
    this.#world = world;
  }

  /** As the store has them. */
  all(): HostRefund[] {
    return [...this.#entries.values()];
  }

  sold(requestId: string, costUsd: string): void {
    this.#sold.set(requestId, toMicros(costUsd));
  }

  wrote(key: string, value: string): void {
    if (!key.startsWith("host-refund:")) return;
    const { payment, payer, requestId, refund } = JSON.parse(value);
    const { state, transaction } = refund;
    const entry = { payment, order: `${payment} refund`, payer, amount: BigInt(refund.amount), state, transaction };
    const before = this.#entries.get(key);
    this.#entries.set(key, entry);
    if (before && before.amount !== entry.amount)
      this.#fail(`${payment} is given back for ${before.amount}, and then for ${entry.amount}`);
    if (before && before.state !== "owed" && before.state !== state)
      this.#fail(`what goes back of ${payment} was ${before.state} and is ${state} now`);
    const cost = this.#asked.get(requestId)?.cost;
    if (cost === undefined) this.#fail(`${payment} is given back, and nobody asked`);
    else if (entry.amount > cost) this.#fail(`${entry.amount} go back of ${payment}, which cost ${cost}`);
  }

  /** Now and then some sale is given back, at once by more than one process. */
  async nowAndThen(isOver: () => boolean): Promise<void> {
    const { random, timeline } = this.#world;
    while (!isOver()) {
      await timeline.sleep(random.int(2000, 40_000));
      const requestIds = [...this.#sold.keys()];
      if (requestIds.length === 0) continue;
      const requestId = random.pick(requestIds);
      const cost = this.#sold.get(requestId) ?? 0n;
      const asked = this.#asked.get(requestId) ?? { cost };
      this.#asked.set(requestId, asked);
      const part = cost > 1n && random.chance(0.3) ? { usd: "0.000001" } : {};
      const times = Array.from({ length: random.int(1, 3) }, () => random.pick(this.#world.instances));
      await Promise.all(times.map((instance) => this.#ask(instance, { requestId, asked, part })));
    }
  }

  async #ask(
    { handle, death, dead, name }: Instance,
    { requestId, asked, part }: { requestId: string; asked: Asked; part: { usd?: string } },
  ): Promise<void> {
    if (dead) return;
    const answered = handle.refund({ requestId }, part).catch((error: Error) => error);
    const answer = await Promise.race([answered, death.promise]);
    this.#world.timeline.note(() => `${name} gives ${requestId} back: ${JSON.stringify(answer) ?? "and dies"}`);
    if (!answer || answer instanceof Error || answer.state === "owed") return;
    const end = `${answer.state} ${answer.usd}`;
    if (asked.end !== undefined && asked.end !== end)
      this.#fail(`${requestId} was given back as ${asked.end}, and then as ${end}`);
    asked.end = end;
  }

  #fail(what: string): void {
    this.#world.checker.fail("host refund", what);
  }
}
