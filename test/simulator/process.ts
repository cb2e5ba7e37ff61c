/** A process that everything may happen to: what it asks of others is slow, fails, or is the moment at which it dies. */
import type { Store } from "../../src/stores/store.js";
import { withResolvers } from "./chain.js";
import type { Random } from "./random.js";
import type { Timeline } from "./timeline.js";

export const never = () => new Promise<never>(() => {});

/** The world as a process meets it. */
export interface Surroundings {
  readonly random: Random;
  readonly timeline: Timeline;
  /** How often something goes wrong, from 0 to 1. */
  readonly troubles: { crash: number; delay: number; store: number };
  crashed(process: Process): void;
}

export class Process {
  readonly name: string;
  /** Settles when the process dies. */
  readonly death = withResolvers<void>();
  dead = false;
  /** How often the store failed for it. */
  failures = 0;
  readonly #around: Surroundings;

  constructor(around: Surroundings, name: string) {
    this.#around = around;
    this.name = name;
  }

  /** Nothing in this process goes on from here. */
  die(why: string): void {
    if (this.dead) return;
    this.#around.timeline.note(() => `${this.name} dies ${why}`);
    this.dead = true;
    this.death.resolve();
    this.#around.crashed(this);
  }

  readonly log = (facts: object, message: string): void => {
    this.#around.timeline.note(() => `${this.name} logs: ${message} ${JSON.stringify(facts, plain).slice(0, 300)}`);
  };

  /** Some time passes, in which the process may die. */
  async gap(what: string): Promise<void> {
    const { random, timeline, troubles } = this.#around;
    if (troubles.crash > 0 && random.chance(troubles.crash)) this.die(`at ${what}`);
    if (random.chance(troubles.delay))
      await timeline.sleep(random.chance(0.02) ? random.int(1000, 20_000) : random.int(1, 60));
    if (this.dead) await never();
  }

  async #ask<T>(what: string, effect: () => Promise<T>): Promise<T> {
    const { random, timeline, troubles } = this.#around;
    if (this.dead) return never();
    await this.gap(what);
    const fails = random.chance(troubles.store);
    const tookEffect = fails && random.chance(0.5);
    if (fails) this.failures++;
    if (fails) timeline.note(() => `${this.name} store fails ${tookEffect ? "after" : "before"} ${what}`);
    if (fails && !tookEffect) throw new Error("connection reset");
    const result = await effect();
    await this.gap(`answer to ${what}`);
    if (tookEffect) throw new Error("connection reset");
    return result;
  }

  /** A store as this process reaches it; `wrote` is told of what took effect. */
  reach(store: Store, wrote: (key: string, value: string) => void): Store {
    return {
      shared: true,
      get: (key) => this.#ask(`get ${key}`, () => store.get(key)),
      put: (key, value, options) =>
        this.#ask(`put ${key}`, async () => {
          const version = await store.put(key, value, options);
          if (version !== undefined) wrote(key, value);
          return version;
        }),
      remove: (key, ifVersion) => this.#ask(`remove ${key}`, () => store.remove(key, ifVersion)),
      increment: (key, by, options) => this.#ask(`increment ${key}`, () => store.increment(key, by, options)),
      due: (now, limit) => this.#ask("due", () => store.due(now, limit)),
      list: (prefix, options) => this.#ask("list", () => store.list(prefix, options)),
      close: async () => {},
    };
  }
}

const plain = (_: string, value: unknown) =>
  value instanceof Error ? `${value.name}: ${value.message}` : typeof value === "bigint" ? String(value) : value;
