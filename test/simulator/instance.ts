/**
 * One process of the service: the production handler, with everything that leaves the process passing through here,
 * where it is slow, fails, or is the moment at which the process dies.
 */

import { createHandler, type Handler } from "../../src/handler/handler.js";
import type { CallEvent } from "../../src/payment/events/events.js";
import { FACILITATOR_URL, type Reply } from "./facilitator.js";
import { capabilitiesOf } from "./goods.js";
import { type Called, calledAt, SECOND_URL } from "./lines.js";
import { nodeOf, rpcReply, sendFrom } from "./network.js";
import { sharesOf } from "./payouts.js";
import { never, Process } from "./process.js";
import { FEE_PAYER, SOLANA, SOLANA_REFUND_WALLET, SOLANA_TREASURY, solanaRpc } from "./solana.js";
import { authorizationOf, NETWORK, PAYOUT_ADDRESS, refundWallet, TREASURIES } from "./wallets.js";
import type { Terms, World } from "./world.js";

const ASSET = { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", name: "USD Coin", version: "2" };
const RPC_URL = "https://mainnet.base.org";
const SOLANA_RPC_URL = "https://node.solana.test";
export class Instance extends Process {
  readonly handle: Handler;
  /** What this process sells at; another one may be configured otherwise. */
  readonly terms: Terms;
  /** By how much its clock is off, in milliseconds. */
  readonly skewMs: number;
  readonly #world: World;

  constructor(world: World, name: string) {
    super(world, name);
    this.#world = world;
    const { settings } = world;
    this.terms = world.terms;
    this.skewMs = world.random.int(-settings.skewMs, settings.skewMs);
    this.handle = createHandler({
      capabilities: capabilitiesOf(this, world),
      payment: {
        treasury: {
          [NETWORK]: settings.shares ? sharesOf(this.terms.treasury) : this.terms.treasury,
          ...(settings.solana ? { [SOLANA]: SOLANA_TREASURY } : {}),
        },
        // Whatever it is paid to now, it finishes what was begun before.
        formerTreasuries: { [NETWORK]: TREASURIES },
        ...(settings.solana ? { feePayers: { [SOLANA]: FEE_PAYER } } : {}),
        facilitator: this.#facilitators(),
        rpc: settings.rpc ? { [NETWORK]: RPC_URL, [SOLANA]: SOLANA_RPC_URL } : (false as const),
        ...(settings.returns
          ? {
              refunds: {
                [NETWORK]: refundWallet((...made) => world.facilitator.register(...made)),
                // Without a node it could not be known there what has gone back.
                ...(settings.solana && settings.rpc ? { [SOLANA]: SOLANA_REFUND_WALLET } : {}),
              },
            }
          : {}),
        ...(settings.shares
          ? { payouts: { [NETWORK]: refundWallet((...made) => world.facilitator.register(...made), PAYOUT_ADDRESS) } }
          : {}),
        ...(settings.permit2 ? { assets: { [NETWORK]: { ...ASSET, transferMethod: "permit2" as const } } } : {}),
        maxUnsettledUsd: settings.maxUnsettledUsd,
        maxCreditUsd: settings.maxCreditUsd,
        ...(settings.upto ? { schemes: ["exact", "upto"] as const } : {}),
        ...(settings.settleFirst ? { settleFirst: ["test.other"] } : {}),
      },
      pricing: { markup: this.terms.markup },
      fetch: (input, init) => this.#fetch(String(input), init ?? {}),
      clock: () => new Date(world.timeline.now + this.skewMs),
      store: this.reach(world.store, (...written) => world.checker.wrote(...written)),
      onCall: (event) => this.#onCall(event),
      logger: { debug() {}, info() {}, warn: this.log, error: this.log },
    });
  }

  /** One, or two, which a process that is configured anew may prefer the other way round. */
  #facilitators() {
    const { random, settings } = this.#world;
    const both = [{ url: FACILITATOR_URL }, { url: SECOND_URL }];
    if (!settings.failover) return { url: FACILITATOR_URL };
    return random.chance(0.8) ? both : both.reverse();
  }

  #connect(called: Called, body: unknown): void {
    const { lines } = this.#world;
    lines.connect(called);
    if (called.path === "settle")
      lines.settles(called.url, authorizationOf(JSON.parse(String(body)).paymentPayload.payload));
  }

  #onCall(event: CallEvent): void {
    if (!this.dead) this.#world.checker.told(event);
  }

  async #fetch(url: string, { body, signal }: RequestInit): Promise<Response> {
    const called = calledAt(url);
    const path = called?.path ?? "rpc";
    if (this.dead) return never();
    await this.gap(`request ${path}`);
    if (called) this.#connect(called, body);
    const sent: unknown = body && JSON.parse(String(body));
    return sendFrom(this, path, { signal, ask: () => this.#reply(url, path, sent) });
  }

  async #reply(url: string, path: string, sent: unknown): Promise<Reply> {
    const { facilitator, chain, timeline } = this.#world;
    if (path === "verify" || path === "settle") return facilitator.post(path, sent as never, never);
    if (path === "supported") return facilitator.supported();
    if (url !== RPC_URL && url !== SOLANA_RPC_URL) throw new TypeError(`fetch failed: ${url}`);
    const { lagMs, forgets } = await nodeOf(this.#world);
    const { method, params } = sent as { method: string; params: unknown[] };
    const nodeTime = timeline.now - lagMs;
    const result =
      url === RPC_URL
        ? chain.rpc(method, params, { lagMs, forgets })
        : solanaRpc(method, params, { transfers: chain.transfers, dust: this.#world.dust, nodeTime, forgets });
    return rpcReply(result);
  }
}
