/** A mounted service with a counted capability, a fake facilitator and a clock: what the payment tests drive. */
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { CapabilityError } from "../../src/errors.js";
import { createHandler } from "../../src/handler/handler.js";
import type { HandlerOptions } from "../../src/host/options.js";
import type { CallEvent } from "../../src/payment/events/events.js";
import { fakeClock } from "./clock.js";
import { FACILITATOR_URL, fakeFacilitator } from "./facilitator.js";
import { quoteOf, type SignedPayment, type SignOptions, sign, TREASURY, toHeader } from "./wallets.js";

export const NETWORK = "eip155:8453";

export interface ShopOptions extends Partial<HandlerOptions> {
  /** Shared with another shop: one chain, one facilitator. */
  facilitator?: ReturnType<typeof fakeFacilitator>;
  clock?: ReturnType<typeof fakeClock>;
  /** Whether the host names a node of the chain. Default: no; the public one answers once the chain is shown. */
  node?: boolean;
}

export function openShop(given: ShopOptions = {}) {
  const { facilitator = fakeFacilitator(), clock = fakeClock(), node = false, ...options } = given;
  facilitator.setClock(clock.seconds);
  let runs = 0;
  const events: CallEvent[] = [];
  /** What the capability does on its next runs; default: it works. */
  const behaviours: ((signal: AbortSignal) => Promise<void>)[] = [];

  const work = (id: string, price: string) =>
    defineCapability({
      id,
      summary: `Counts its runs under ${id}.`,
      price,
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({ n: z.int().min(0).max(1000).describe("Any number") }),
      output: one(z.object({ n: z.number(), run: z.number() })),
      example: { n: 1 },
      async run({ n }, ctx) {
        runs++;
        facilitator.trace.push("run");
        await behaviours.shift()?.(ctx.signal);
        return { item: { n, run: runs } };
      },
    });

  const handle = createHandler({
    capabilities: [work("test.work", "0.001"), work("test.other", "0.001"), work("test.dear", "0.5")],
    payment: {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: FACILITATOR_URL },
      ...(node ? { rpc: { [NETWORK]: "https://mainnet.base.org" } } : {}),
    },
    fetch: facilitator.fetch,
    clock,
    onCall: (event) => events.push(event),
    ...options,
  });

  const url = (path: string) => `http://shop.test/api${path}`;
  const get = (path: string, headers: Record<string, string> = {}, clientAddress = "203.0.113.7") =>
    handle(new Request(url(path), { headers }), { clientAddress });

  return {
    handle,
    get,
    clock,
    facilitator,
    events,
    behaviours,
    runs: () => runs,
    /** Quotes a path and signs for it. */
    async payFor(path: string, options: Partial<SignOptions> = {}): Promise<SignedPayment> {
      const quote = quoteOf(await get(path));
      const [terms] = quote.accepts;
      if (!terms) throw new Error("nothing offered");
      return { ...(await sign(terms, { now: clock.seconds(), ...options })), resource: quote.resource };
    },
    pay: (path: string, payment: unknown, header = "payment-signature") =>
      get(path, { [header]: typeof payment === "string" ? payment : toHeader(payment) }),
  };
}
export type Shop = ReturnType<typeof openShop>;

/** Lets a capability fail once. */
export const failing = (
  code: "UPSTREAM_ERROR" | "UPSTREAM_SCHEMA" | "NOT_FOUND" | "INVALID_INPUT" = "UPSTREAM_ERROR",
) =>
  async function fail(): Promise<void> {
    throw new CapabilityError(code, "The work failed.");
  };

export const receiptOf = (response: Response): Record<string, unknown> =>
  JSON.parse(Buffer.from(response.headers.get("payment-response") ?? "bnVsbA==", "base64").toString("utf8"));
