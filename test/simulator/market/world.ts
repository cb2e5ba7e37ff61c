/** One seeded world beside the shop's own: a reseller between its origin and its buyers, or a client of shops that lie. */
import { Random } from "../random.js";
import { enter, Timeline } from "../timeline.js";
import { deceive } from "./liar.js";
import { resell } from "./resale.js";

export class Market {
  readonly random: Random;
  readonly timeline = new Timeline();
  #failure: string | undefined;

  constructor(seed: number) {
    this.random = new Random(seed);
    enter(this.timeline, this.random);
    Object.assign(this.timeline, { turns: 8, patience: 5000 });
    // Clients go by the system's clock.
    Date.now = () => this.timeline.now;
  }

  fail(rule: string, what: string): void {
    this.#failure ??= `${rule}: ${what}`;
  }

  #assertSound = (): void => {
    if (this.#failure) throw new Error(this.#failure);
  };

  /** Lives through the whole story. Rejects at the first thing that must not happen. */
  async live(): Promise<void> {
    const story = this.random.chance(0.5) ? deceive : resell;
    this.timeline.note(() => story.name);
    let isOver = false;
    void story(this)
      .catch((error: unknown) => this.fail("simulator", String(error instanceof Error ? error.stack : error)))
      .finally(() => {
        isOver = true;
      });
    await this.timeline.run(() => isOver, this.#assertSound);
    this.#assertSound();
  }
}
