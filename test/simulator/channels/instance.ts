/** One process of a service that takes channels: the production handler, and all that leaves it passes through here. */
import { z } from "zod";
import { defineCapability } from "../../../src/capability/define.js";
import { one } from "../../../src/capability/output.js";
import { CapabilityError } from "../../../src/errors.js";
import { createHandler, type Handler } from "../../../src/handler/handler.js";
import { fromMicros } from "../../../src/lib/money.js";
import { TREASURY } from "../../support/wallets.js";
import { Process } from "../process.js";
import { NETWORK, nodeAnswer } from "./surroundings.js";
import { authorizer } from "./wallets.js";
import type { ChannelWorld } from "./world.js";

const PERMITTED = {
  address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  name: "USD Coin",
  version: "2",
  transferMethod: "permit2",
} as const;

export class Instance extends Process {
  readonly handle: Handler;
  /** By how much its clock is off, in milliseconds. */
  readonly skewMs: number;
  readonly #world: ChannelWorld;

  constructor(world: ChannelWorld, name: string) {
    super(world, name);
    this.#world = world;
    const { settings, timeline, facilitator, random, checker } = world;
    this.skewMs = random.int(-settings.skewMs, settings.skewMs);
    this.handle = createHandler({
      capabilities: [this.#capability("test.work", "0.001"), this.#capability("test.metered", "0.01")],
      payment: {
        treasury: { [NETWORK]: TREASURY },
        facilitator: {
          supported: facilitator.supported,
          verify: async () => ({ isValid: true }),
          settle: async (payment: object) => {
            await this.gap("request settle");
            const answer = await facilitator.settle(payment);
            await this.gap("answer to settle");
            return answer;
          },
        },
        rpc: { [NETWORK]: "http://node.test" },
        ...(settings.permits ? { assets: { [NETWORK]: PERMITTED } } : {}),
        schemes: ["exact", "batch-settlement"],
        channels: {
          signer: authorizer,
          minDepositUsd: "0.03",
          claimAboveUsd: "0.02",
          withdrawDelaySeconds: settings.delaySeconds,
          refundable: settings.givesBack,
        },
      },
      trial: false,
      fetch: (_, init) => this.#ask(String(init?.body)),
      store: this.reach(world.store, (key, value) => checker.wrote(key, value)),
      clock: () => new Date(timeline.now + this.skewMs),
      onCall: (event) => {
        if (!this.dead) checker.told(event);
      },
      logger: { debug() {}, info() {}, warn: this.log, error: this.log },
    });
  }

  async #ask(body: string): Promise<Response> {
    const { random, timeline, troubles, contract } = this.#world;
    await this.gap("request rpc");
    if (random.chance(troubles.rpc)) throw new TypeError("fetch failed");
    const result = nodeAnswer(contract, timeline, body, random.chance(troubles.rpcLag) ? 2500 : 0);
    await this.gap("answer to rpc");
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result });
    const bytes = [new TextEncoder().encode(text)];
    return { status: 200, ok: true, headers: new Headers(), body: bytes } as unknown as Response;
  }

  #capability(id: string, price: string) {
    const { random, timeline, checker, troubles } = this.#world;
    return defineCapability({
      id,
      summary: `Sells ${id}.`,
      price,
      ...(id === "test.metered" ? { billing: "upto" as const, estimate: () => "0.005" } : {}),
      timeoutMs: 10_000,
      source: { provider: "test", url: "", license: "MIT" },
      input: () =>
        z.strictObject({
          n: z.int().describe("Names the purchase"),
          used: z.int().default(0).describe("What it uses"),
        }),
      output: one(z.object({ n: z.number(), run: z.number() })),
      example: { n: 1, used: 0 },
      run: async ({ n, used }, ctx) => {
        const run = checker.ran(n);
        checker.ranFor(ctx.wallet?.id);
        timeline.note(() => `${this.name} runs n=${n}, run ${run}`);
        if (random.chance(0.6)) await timeline.sleep(random.chance(troubles.slow) ? 9000 : random.int(1, 400));
        if (this.dead) await new Promise<never>(() => {});
        if (random.chance(troubles.failure)) throw new CapabilityError("UPSTREAM_ERROR", "The work failed.");
        if (id === "test.metered") ctx.meter.add(fromMicros(BigInt(used)));
        return { item: { n, run } };
      },
    });
  }
}
