/** One process of a shop that sells balances and products to wallets. */
import { z } from "zod";
import { defineCapability } from "../../../../src/capability/define.js";
import { one } from "../../../../src/capability/output.js";
import { CapabilityError } from "../../../../src/errors.js";
import { createHandler, type Handler } from "../../../../src/handler/handler.js";
import type { Product } from "../../../../src/payment/options/accounts.js";
import { FACILITATOR_URL, type Reply } from "../../facilitator.js";
import { nodeOf, rpcReply, sendFrom } from "../../network.js";
import { never, Process } from "../../process.js";
import { NETWORK, refundWallet, TREASURIES } from "../../wallets.js";
import type { Customers } from "./world.js";

const RPC_URL = "https://mainnet.base.org";
export const ORIGIN = "http://shop.test";
export const ENDPOINTS = ["work", "other", "model"] as const;
export type Endpoint = (typeof ENDPOINTS)[number];
const PRICES = { work: "0.01", other: "0.01", model: "0.02" } as const;
const USAGES = ["0.000001", "0.004", "0.0151", "0.02"] as const;

export const TOP_UPS = ["0.02", "0.05", "0.2"] as const;
export const PRODUCTS: Product[] = [
  { id: "three", title: "Three calls", priceUsd: "0.02", grant: { calls: 3, endpoints: ["test.work"] } },
  { id: "day", title: "A day", priceUsd: "0.07", grant: { days: 1, endpoints: ["test.work", "test.other"] } },
  { id: "bonus", title: "A bonus", priceUsd: "0.05", grant: { usd: "0.06" } },
  { id: "models", title: "Models", priceUsd: "0.03", grant: { usd: "0.05", days: 1, endpoints: ["test.model"] } },
];

export class CustomerShop extends Process {
  readonly handle: Handler;
  readonly #world: Customers;

  constructor(world: Customers, name: string) {
    super(world, name);
    this.#world = world;
    const { random, timeline, settings } = world;
    const skewMs = random.int(-settings.skewMs, settings.skewMs);
    this.handle = createHandler({
      capabilities: ENDPOINTS.map((endpoint) => this.#sold(endpoint)),
      payment: {
        treasury: { [NETWORK]: TREASURIES[0] },
        facilitator: { url: FACILITATOR_URL },
        rpc: { [NETWORK]: RPC_URL },
        refunds: { [NETWORK]: refundWallet((...made) => world.returning(...made)) },
        maxFailures: { runs: 10_000, usd: "1000" },
        maxUnsettledUsd: "1000",
      },
      trial: false,
      brand: { baseUrl: ORIGIN },
      accounts: { keys: true, topUp: { amountsUsd: TOP_UPS } },
      products: PRODUCTS,
      fetch: (input, init) => this.#fetch(String(input), init ?? {}),
      clock: () => new Date(timeline.now + skewMs),
      store: this.reach(world.store, () => {}),
      logger: { debug() {}, info() {}, warn: this.log, error: this.log },
    });
  }

  async #fetch(url: string, { body, signal }: RequestInit): Promise<Response> {
    if (this.dead) return never();
    const path = url.startsWith(FACILITATOR_URL) ? url.slice(FACILITATOR_URL.length + 1) : "rpc";
    await this.gap(`request ${path}`);
    const sent: unknown = body && JSON.parse(String(body));
    return sendFrom(this, path, { signal, ask: () => this.#reply(url, path, sent) });
  }

  async #reply(url: string, path: string, sent: unknown): Promise<Reply> {
    const { facilitator, chain } = this.#world;
    if (path === "verify" || path === "settle") return facilitator.post(path, sent as never, never);
    if (path === "supported") return facilitator.supported();
    if (url !== RPC_URL) throw new TypeError(`fetch failed: ${url}`);
    const { method, params } = sent as { method: string; params: unknown[] };
    return rpcReply(chain.rpc(method, params, await nodeOf(this.#world)));
  }

  #sold(endpoint: Endpoint) {
    const { random, timeline, oracle, troubles } = this.#world;
    const billing = endpoint === "model" ? ("upto" as const) : ("exact" as const);
    return defineCapability({
      id: `test.${endpoint}`,
      billing,
      summary: "Works for a customer.",
      price: PRICES[endpoint],
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({ n: z.int().min(0).describe("Names the purchase") }),
      output: one(z.object({ n: z.number(), run: z.number() })),
      example: { n: 1 },
      run: async ({ n }, { meter }) => {
        await timeline.sleep(random.chance(0.05) ? random.int(5000, 20_000) : random.int(1, 400));
        if (this.dead) await never();
        if (random.chance(troubles.failure)) throw new CapabilityError("UPSTREAM_ERROR", "The work failed.");
        const usage = random.pick(USAGES);
        if (billing === "upto") meter.add(usage);
        const cost = Math.round(Number(billing === "exact" ? PRICES[endpoint] : usage) * 1e6);
        return { item: { n, run: oracle.sales.ran(n, BigInt(cost)) } };
      },
    });
  }
}
