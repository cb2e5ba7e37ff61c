/** What the simulated shop sells: work that takes time, fails, is left half done, and reports what it used. */
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { CapabilityError } from "../../src/errors.js";
import { least } from "../../src/lib/money.js";
import type { Instance } from "./instance.js";
import type { World } from "./world.js";

/** `test.bundle` is made of a call of `test.other`. */
export const PRICES = {
  "test.work": 10_000n,
  "test.other": 10_000n,
  "test.bundle": 10_000n,
  "test.model": 20_000n,
} as const;
export type Endpoint = keyof typeof PRICES;
/** As much text comes with the answers of some purchases. */
const WEIGHT = 9000;

/** What a run did: the oracle for what its call may cost. */
export interface Run {
  n: number;
  run: number;
  endpoint: Endpoint;
  /** Of up-to billing, in micro-dollars; undefined when nothing usable was reported. */
  usage?: bigint | undefined;
  /** Of the process that did it. */
  markup: number;
}

const input = () => z.strictObject({ n: z.int().min(0).describe("Names the purchase") });
const output = one(z.object({ n: z.number(), run: z.number(), text: z.string().optional() }));
const source = { provider: "test", url: "", license: "MIT" };
const USAGES = ["0", "0.000001", "0.004", "0.008", "0.0151", "0.019999", "0.02", "0.3", "NaN", ""];

export function capabilitiesOf(instance: Instance, world: World): AnyCapability[] {
  const { random, timeline, checker } = world;

  async function work(endpoint: Endpoint, n: number, ctx: { signal: AbortSignal; meter: { add(usd: string): void } }) {
    const report = endpoint === "test.model" ? random.pick(USAGES) : "";
    const usage = report === "" || report === "NaN" ? undefined : BigInt(Math.round(Number(report) * 1e6));
    const run = checker.ran({ n, endpoint, usage, markup: instance.terms.markup }, instance);
    try {
      const { failure, slow } = world.troubles;
      if (random.chance(0.7))
        await left(timeline.sleep(random.chance(slow) ? random.int(5000, 12_000) : random.int(1, 400)), ctx.signal);
      if (instance.dead) await new Promise<never>(() => {});
      if (world.doomed.has(n) || random.chance(failure))
        throw new CapabilityError(random.pick(["UPSTREAM_ERROR", "NOT_FOUND"]), "The work failed.");
      if (report !== "") ctx.meter.add(report);
      return { item: { n, run, ...(world.heavy.has(n) ? { text: "x".repeat(WEIGHT) } : {}) } };
    } finally {
      if (!instance.dead) checker.ended(n, instance);
    }
  }

  const sold = (id: Exclude<Endpoint, "test.bundle">) =>
    defineCapability({
      ...termsOf(id),
      billing: id === "test.model" ? "upto" : "exact",
      ...(id === "test.model" ? { estimate: () => "0.006" } : {}),
      run: ({ n }, ctx) => work(id, n, ctx),
    });
  const other = sold("test.other");
  const bundle = defineCapability({
    ...termsOf("test.bundle"),
    parts: () => [other],
    async run({ n }, ctx) {
      const { items } = await ctx.call(other, { n });
      const [item = { n: 0, run: 0 }] = items;
      return { item };
    },
  });
  return [sold("test.work"), other, bundle, sold("test.model")];
}

const termsOf = (id: Endpoint) => ({
  id,
  summary: `Sells ${id}.`,
  price: id === "test.model" ? "0.02" : "0.01",
  timeoutMs: 10_000,
  source,
  input,
  output,
  example: { n: 1 },
});

/** Work watches its signal, as capabilities must. */
function left(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    void waiting.then(resolve);
  });
}

const marked = (amount: bigint, markup: number) => (amount * BigInt(markup * 10) + 9n) / 10n;

/** What a finished run costs, by the rules as the documents state them. */
export function chargeFor(run: Run): bigint {
  return earnedBy(run, marked(PRICES[run.endpoint], run.markup));
}

/** The same of a call that was signed for at a price: a fixed one is that, and usage is at most that. */
export function earnedBy({ endpoint, usage, markup }: Run, signed: bigint): bigint {
  return endpoint === "test.model" ? least(marked(usage ?? 6000n, markup), signed) : signed;
}
