/** A whole shop for a host's own tests: a local chain, a facilitator on it, the host's capabilities, and a buyer. */
import type { Address } from "viem";
import { serve } from "../adapters/node/index.js";
import type { AnyCapability } from "../capability/types.js";
import { missingPackage, without } from "../errors.js";
import { createHandler, type Handler } from "../handler/handler.js";
import type { HandlerOptions } from "../host/options.js";
import { fromMicros, toMicros } from "../lib/money.js";
import type { PaymentOptions } from "../payment/options/options.js";
import { INSTALL } from "./anvil.js";
import { type Buy, createBuyer } from "./buyer.js";
import { NETWORK, startLocalChain } from "./chain.js";
import { FAULTS, type Fault, localFacilitator } from "./facilitator.js";

export type { Bought, Buy } from "./buyer.js";
export type { Fault } from "./facilitator.js";

/** Options of a host, all but `capabilities` with a default; those of `payment` are added to the local ones. */
export type TestShopOptions<C extends readonly AnyCapability[] = readonly AnyCapability[]> = Partial<
  Omit<HandlerOptions<C>, "capabilities" | "payment">
> & {
  capabilities: C;
  payment?: Partial<PaymentOptions>;
  /** Default: a free one. */
  port?: number;
};

export interface TestShop<C extends readonly AnyCapability[] = readonly AnyCapability[]> {
  /** Where it is served on this machine. */
  url: string;
  handle: Handler<C>;
  /** Address of the buyer, with 100 dollars of test USDC. */
  buyer: Address;
  /** Its private key, for a client of your own. */
  buyerKey: `0x${string}`;
  treasury: Address;
  network: string;
  /** The local chain's node. */
  rpcUrl: string;
  /** Calls an endpoint over HTTP, and pays what it asks. Resolves to the answer, whatever its status. */
  buy: Buy;
  /** Decimal USD that an account has. */
  balanceOf(account: Address): Promise<string>;
  /** Switches a fault on; the returned function switches it off. Throws a TypeError for an unknown one. */
  fault(name: Fault): () => void;
  /** Stops the server and the chain. */
  close(): Promise<void>;
}

const PURSE_USD = "100";

/**
 * Starts a shop with play money. It needs optional packages; without them it rejects with an error that names the command
 * which installs them.
 *
 * @example
 * ```ts
 * const shop = await testShop({ capabilities: [convertUnit] });
 * const { status, data, meta } = await shop.buy("convert.unit", { value: 1, from: "kg", to: "lb" });
 * await shop.close();
 * ```
 */
export async function testShop<const C extends readonly AnyCapability[]>({
  port = 0,
  payment = {},
  ...options
}: TestShopOptions<C>): Promise<TestShop<C>> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const stop of closing.splice(0).reverse()) await stop();
  };
  try {
    const chain = await startLocalChain();
    closing.push(chain.stop);
    const { generatePrivateKey, privateKeyToAccount } = await import("viem/accounts").catch(without("viem"));
    const faults = new Set<Fault>();
    const [treasury, refunds] = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key));
    const buyerKey = generatePrivateKey();
    const buyer = privateKeyToAccount(buyerKey);
    if (!treasury || !refunds) throw new Error("no keys");
    const purse = toMicros(PURSE_USD);
    await chain.mint(buyer.address, purse);
    await chain.mint(refunds.address, purse);
    const local: PaymentOptions = {
      treasury: { [NETWORK]: treasury.address },
      facilitator: await localFacilitator(chain, (fault) => faults.has(fault)),
      rpc: { [NETWORK]: chain.rpcUrl },
      refunds: { [NETWORK]: refunds },
    };
    const fetch = failing(options.fetch, chain.rpcUrl, () => faults.has("upstream down"));
    const handle = createHandler({ ...options, fetch, payment: { ...local, ...payment } } as HandlerOptions<C>);
    closing.push(() => handle.close());
    const server = await serve(handle, { port });
    closing.push(() => server.close());
    return {
      url: server.url,
      handle,
      buyer: buyer.address,
      buyerKey,
      treasury: treasury.address,
      network: NETWORK,
      rpcUrl: chain.rpcUrl,
      buy: await createBuyer(buyer, handle.catalogue, server.url),
      balanceOf: async (account) => fromMicros(await chain.balanceOf(account)),
      fault(name) {
        const fault = FAULTS.find((one) => one === String(name).replaceAll("-", " "));
        if (!fault) throw new TypeError(`fault: unknown "${name}". Known: ${FAULTS.join(", ")}.`);
        faults.add(fault);
        return () => void faults.delete(fault);
      },
      close,
    };
  } catch (error) {
    await close();
    throw told(error);
  }
}

function told(error: unknown): unknown {
  return missingPackage(error)
    ? new Error(`coinslot/testing needs packages that are not installed: ${INSTALL}`, { cause: error })
    : error;
}

/** The chain stays within reach while upstreams are down. */
function failing(given: typeof fetch | undefined, rpcUrl: string, isDown: () => boolean): typeof fetch {
  return (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (isDown() && !url.startsWith(rpcUrl)) return Promise.reject(new TypeError("fetch failed"));
    return (given ?? globalThis.fetch)(input, init);
  };
}
