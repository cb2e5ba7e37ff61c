/**
 * Resells what another origin does: capabilities, which are paid there with the reseller's wallet, or any HTTP API, whose
 * routes become capabilities.
 */
import { aCapability } from "../capability/option-checks.js";
import type { AnyCapability, Context, Facts } from "../capability/types.js";
import { CapabilityError, type ErrorCode } from "../errors.js";
import { fromMicros, type Micros, toMicros } from "../lib/money.js";
import { listOf, wrong } from "../lib/options/check.js";
import { has } from "../lib/options/kinds.js";
import { away, exposureOf, type Origin, type ResaleExposure } from "./exposure.js";
import { type ResellOptions, resellOptions } from "./options.js";

export { type Gateway, type GatewayOrigin, type ReadGatewayOptions, readGateway } from "../gateway/file.js";
export {
  type ProxyCredential,
  type ProxyOptions,
  type ProxyRoute,
  proxied,
  type SecretText,
} from "../gateway/proxied.js";
export type { ResellOptions } from "./options.js";

/**
 * The same capabilities, run by another origin over a client that pays there. Mount them like any other: the buyer pays
 * this host's price, the client the other's, and the difference is the margin. A call that would cost more there than
 * it is sold for here is refused; one that fails there fails here, and its buyer is not charged.
 *
 * `handle.call` knows their ids, inputs and results as it knows those of the host's own.
 *
 * Throws a TypeError for capabilities that keep state for the paying wallet, because it would be the reseller's state.
 * Composed capabilities, such as batches, stay as they are: they call the capabilities that are mounted beside them.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl: "https://api.example.com", pay: x402Client, maxTotalUsd: "20" });
 * const handle = createHandler({ capabilities: resold(capabilities, client), pricing: { markup: 1.3 }, payment });
 * ```
 */
export function resold<const C extends readonly AnyCapability[]>(
  capabilities: C,
  client: Origin,
  options: ResellOptions = {},
): C[number][] {
  listOf(aCapability)("resold: the first argument", capabilities);
  if (!has(client, ["$call"])) throw wrong("resold: the second argument", "a client, as createClient makes it", client);
  resellOptions("resold options", options);
  const limit = toMicros(options.maxUnansweredUsd ?? "1");
  const one = (capability: AnyCapability) => (capability.composite ? capability : forwarded(capability, client, limit));
  return capabilities.map(one) as C[number][];
}

type Call = (id: string, input: unknown, options: object) => Promise<{ data: unknown; meta: { costUsd: string } }>;

function forwarded(capability: AnyCapability, client: Origin, limit: Micros): AnyCapability {
  const { id, billing } = capability;
  if (capability.wallet)
    throw new TypeError(`${id} keeps state for the wallet that pays for it, so it cannot be resold.`);
  const ask = client.$call as unknown as Call;
  const exposure = exposureOf(client);

  // Forwards the caller's own input, which the other origin parses itself.
  const parse: Facts["parse"] = async (sent, ctx) => ({ ...(await capability.parse(sent, ctx)), query: sent });
  const execute: Facts["execute"] = async ({ input, query: sent }, ctx) => {
    const { signal, hops } = ctx;
    const most = await ctx.quote(capability, input);
    const leave = await exposure.enter(most, limit, ctx);
    try {
      // guard: resale: hops are counted on | - hops + | resell
      const { data, meta } = await ask(id, sent, { signal, maxUsd: fromMicros(most), hops: hops + 1 });
      if (billing === "upto") ctx.meter.add(meta.costUsd);
      return data;
    } catch (error) {
      throw asUpstream(id, error, { ctx, exposure });
    } finally {
      leave();
    }
  };
  const copy = Object.defineProperties((...call: Parameters<AnyCapability>) => capability(...call), {
    // Copies property descriptors, because reading a schema here would build it.
    ...Object.getOwnPropertyDescriptors(capability),
    // The other origin has the keys, the files and the browser.
    requires: { value: [], enumerable: true },
    requiresAt: { value: () => [], enumerable: true },
    unmet: { value: () => [], enumerable: true },
    warmUp: { value: async () => {} },
    pixels: { value: () => 0 },
    resold: { value: true, enumerable: true },
    walletUse: { value: () => undefined },
    parse: { value: parse },
    // Before the buyer's money moves, if that is settled first.
    prepare: { value: async (_: unknown, ctx: Context) => exposure.assertOpen(limit, ctx) },
    execute: { value: execute },
    invoke: { value: async (sent: unknown, ctx: Context) => execute(await parse(sent, ctx), ctx, undefined) },
  });
  return copy as unknown as AnyCapability;
}

/** Errors about our payment to the other origin, which the buyer can neither correct nor relate to its own payment. */
const OURS: ReadonlySet<ErrorCode> = new Set([
  "SPENDING_LIMIT",
  "PAYMENT_REQUIRED",
  "SETTLEMENT_PENDING",
  "FACILITATOR_UNAVAILABLE",
  "ANSWER_NOT_KEPT",
  "PROVIDER_NOT_CONFIGURED",
  "INTERNAL",
]);

function asUpstream(
  id: string,
  error: unknown,
  { ctx, exposure }: { ctx: Context; exposure: ResaleExposure },
): unknown {
  if (!CapabilityError.is(error)) return error;
  const { code, retryAfter } = error;
  const told = { endpoint: id, code, error };
  // guard: resale: failures that the origin counts of all buyers are no buyer's own | gone | resell
  if (code === "TOO_MANY_FAILURES") {
    // The limit holds for all our buyers together: the origin started nothing, and starts nothing for the others until
    // then.
    if (retryAfter !== undefined) exposure.pause(retryAfter, ctx);
    ctx.logger.warn(told, "resell: the other origin accepts no calls at the moment");
    return away(retryAfter, error);
  }
  if (!OURS.has(code)) return error;
  ctx.logger.warn(told, "resell: the other origin did not sell");
  return new CapabilityError("UPSTREAM_ERROR", "The source of this endpoint cannot be reached at the moment.", {
    cause: error,
  });
}
