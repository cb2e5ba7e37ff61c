/** Another host on the same store, paid to an account of its own, with a facilitator of its own: it has no buyers. */
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { toMicros } from "../../src/lib/money.js";
import type { Sale } from "./checker.js";
import { capabilitiesOf } from "./goods.js";
import { Process } from "./process.js";
import { NETWORK, refundWallet } from "./wallets.js";
import type { Terms, World } from "./world.js";

const TREASURY = "0x4E1640d1A3Ff1b0b1F0c0a9B9E4C4C2f0c0DE013".toLowerCase();

export class Neighbour extends Process {
  readonly terms: Terms = { markup: 1, treasury: TREASURY };
  readonly skewMs = 0;
  readonly handle: Handler;
  readonly #world: World;

  constructor(world: World) {
    super(world, "the neighbour");
    this.#world = world;
    this.handle = createHandler({
      capabilities: capabilitiesOf(this as never, world),
      payment: {
        treasury: { [NETWORK]: TREASURY },
        facilitator: { url: "https://neighbour.test" },
        rpc: false,
        refunds: { [NETWORK]: refundWallet(() => this.#mustNot("returns money")) },
      },
      trial: false,
      store: world.store,
      fetch: (input) => this.#ask(String(input)),
      clock: () => new Date(world.timeline.now),
      onCall: ({ outcome }) => {
        if (outcome === "paid") this.#mustNot("sells for what is");
      },
      logger: { debug() {}, info() {}, warn: this.log, error: this.log },
    });
  }

  #mustNot(what: string): void {
    this.#world.checker.fail("ATK-13", `another host ${what} of this one's`);
  }

  async #ask(url: string): Promise<Response> {
    if (!url.endsWith("/supported")) this.#mustNot(`has its facilitator ${url.split("/").at(-1)} payments`);
    const text = JSON.stringify({ kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }], extensions: [] });
    const body = [new TextEncoder().encode(text)];
    return { status: 200, ok: true, headers: new Headers(), body } as unknown as Response;
  }

  /** Its background comes by; and somebody sends it what was signed, or kept as credit, at the other one. */
  async visit(sale?: Sale): Promise<void> {
    await this.handle.reconcile();
    if (sale) {
      const { "x-svc-credit": token } = sale.headers;
      const headers = token ? { "x-svc-credit": token } : sale.headers;
      const answer = await this.handle(new Request(`http://shop.test/api${sale.path}`, { headers }));
      // What was answered before is its payer's, here as there.
      if (answer.status === 200 && !answer.headers.has("x-svc-replay")) this.#mustNot("sells for what is");
    }
    const { total } = await this.handle.ledger();
    if (total.calls > 0 || toMicros(total.settledUsd) > 0n) this.#mustNot("tells in its ledger");
  }
}
