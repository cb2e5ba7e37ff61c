/** One process of a shop with accounts: the production handler on a store that is slow, fails, or ends the process. */
import { z } from "zod";
import { defineCapability } from "../../../src/capability/define.js";
import { one } from "../../../src/capability/output.js";
import { CapabilityError } from "../../../src/errors.js";
import { createHandler, type Handler } from "../../../src/handler/handler.js";
import { never, Process } from "../process.js";
import { NETWORK, TREASURIES } from "../wallets.js";
import { SET_PRICES } from "./oracle.js";
import type { Prepaid } from "./world.js";

const USAGES = ["0.000001", "0.004", "0.0151", "0.02"] as const;
const PRICE = 10_000n;
const HOOKS = "https://host.test/hooks";
const SECRET = `whsec_${"A".repeat(44)}`;

export class AccountShop extends Process {
  readonly handle: Handler;
  readonly #world: Prepaid;

  constructor(world: Prepaid, name: string) {
    super(world, name);
    this.#world = world;
    const { random, timeline } = world;
    const skewMs = random.int(-world.settings.skewMs, world.settings.skewMs);
    const facilitator = {
      supported: async () => ({ kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }] }),
      verify: async () => ({ isValid: false }),
      settle: async () => ({ success: false }),
    };
    this.handle = createHandler({
      capabilities: [this.#sold("test.work", "exact"), this.#sold("test.model", "upto")],
      payment: {
        treasury: { [NETWORK]: TREASURIES[0] },
        facilitator: facilitator as never,
        rpc: false,
        maxFailures: { runs: 10_000, usd: "1000" },
      },
      trial: false,
      accounts: {
        identify(request) {
          const id = request.headers.get("x-user");
          return id ? { id } : undefined;
        },
      },
      ...(world.settings.listens ? { webhooks: [{ url: HOOKS, secret: SECRET }] } : {}),
      fetch: (input, init) => this.#fetch(String(input), String(init?.body), new Headers(init?.headers)),
      clock: () => new Date(timeline.now + skewMs),
      store: this.reach(world.store, () => {}),
      logger: { debug() {}, info() {}, warn: this.log, error: this.log },
    });
  }

  /** The host hears, may be down, and its answer may be lost. */
  async #fetch(url: string, body: string, headers: Headers): Promise<Response> {
    if (url !== HOOKS) throw new TypeError(`fetch failed: ${url}`);
    const { random, troubles, oracle } = this.#world;
    await this.gap("a webhook");
    if (random.chance(troubles.receiver)) return { status: 500, headers: new Headers(), body: null } as Response;
    oracle.heard(headers.get("webhook-id") ?? "", JSON.parse(body));
    await this.gap("the answer to a webhook");
    if (random.chance(troubles.receiver)) throw new TypeError("fetch failed");
    return { status: 204, headers: new Headers(), body: null } as Response;
  }

  #sold(id: "test.work" | "test.model", billing: "exact" | "upto") {
    const { random, timeline, oracle } = this.#world;
    return defineCapability({
      id,
      billing,
      summary: "Works for an account.",
      price: billing === "exact" ? "0.01" : "0.02",
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({ n: z.int().min(0).describe("Names the purchase") }),
      output: one(z.object({ n: z.number(), run: z.number() })),
      example: { n: 1 },
      run: async ({ n }, { meter }) => {
        await timeline.sleep(random.chance(0.05) ? random.int(5000, 20_000) : random.int(1, 400));
        if (this.dead) await never();
        if (random.chance(this.#world.troubles.failure))
          throw new CapabilityError("UPSTREAM_ERROR", "The work failed.");
        if (billing === "upto" && random.chance(this.#world.settings.reprices))
          await this.handle.setPrice("test.model", random.pick(SET_PRICES)).catch(() => {});
        const usage = random.pick(USAGES);
        if (billing === "upto") meter.add(usage);
        const cost = billing === "exact" ? PRICE : BigInt(Math.round(Number(usage) * 1e6));
        return { item: { n, run: oracle.ran(n, cost) } };
      },
    });
  }
}
