import { walletOf } from "../capability/context.js";
import { assertAvailable } from "../capability/define.js";
import type { AnyCapability, CallOptions, Input, Output } from "../capability/types.js";
import { listed } from "../discovery/availability.js";
import { type Directory, type DirectoryFilter, directory } from "../discovery/directory.js";
import { type OpenApiDocument, openapi } from "../discovery/openapi.js";
import { CapabilityError } from "../errors.js";
import type { CallInfo } from "../host/call-info.js";
import type { Catalogue } from "../host/catalogue.js";
import type { Host } from "../host/host.js";
import type { HandlerOptions } from "../host/options.js";
import { isBelow } from "../host/routes.js";
import type { Logger } from "../lib/logger.js";
import { type LedgerQuery, type LedgerReport, reportLedger } from "../payment/ledger/report.js";
import type { Statement, StatementOf, StatementQuery } from "../payment/ledger/statement.js";
import { isPricedByPurchase } from "../payment/options/accounts.js";
import type { HostPayouts, PayOptions } from "../payment/payouts/payouts.js";
import type { Refunded } from "../payment/refund/host-refund.js";
import { contextFor } from "../request/call.js";
import { toHandle } from "../request/http/exchange.js";
import { createAccountAdmin, type HostAccounts } from "./administration/account-admin.js";
import type { HostRefund } from "./administration/books.js";
import type { EarningsOptions } from "./administration/earnings/earnings.js";
import { createWallets, type HostWallets } from "./administration/wallet-admin.js";
import { answerOnce } from "./answer.js";
import { createHost } from "./composition/create-host.js";

/** A mounted service: a function from a standard Request to a standard Response, with the catalogue beside it. */
export interface Handler<C extends readonly AnyCapability[] = readonly AnyCapability[]> {
  (request: Request, info?: CallInfo): Promise<Response>;
  readonly basePath: string;
  /** The mounted capabilities with their paths and prices; every document derives from it. */
  readonly catalogue: Catalogue;
  /** Receives errors and warnings: the host's logger, or the console. */
  readonly logger: Logger;
  /**
   * Whether a path belongs to an endpoint, document or service of this handler, so that an adapter can leave other
   * paths to the host.
   */
  owns(pathname: string): boolean;
  /**
   * Paths of documents at the root of the origin, such as `/openapi.json`. An app has to route them here before the
   * handler serves them.
   */
  readonly rootPaths: readonly string[];
  /**
   * Calls a mounted capability in-process, without payment, with this host's options. Input and result have the types
   * of the capability with that id. Rejects with NOT_FOUND if no capability with that id is mounted. `wallet` names the
   * wallet whose state the call uses: a buyer's CAIP-10 account reaches that buyer's data.
   *
   * @example
   * ```ts
   * const { items } = await handle.call("convert.unit", { value: 1, from: "kg", to: "lb" });
   * ```
   */
  call<Id extends C[number]["id"]>(
    id: Id,
    input: Input<Named<C, Id>>,
    options?: Pick<CallOptions, "wallet" | "idempotencyKey">,
  ): Promise<Output<Named<C, Id>>>;
  /** The OpenAPI document of the endpoints that can be sold here; with `all`, of everything mounted. */
  openapi(options?: { all?: boolean }): OpenApiDocument;
  directory(filter?: DirectoryFilter): Directory;
  /**
   * Income and refunds by day, endpoint and payer. Rejects with a TypeError that names a wrong field.
   *
   * @example
   * ```ts
   * const { rows, total } = await handle.ledger({ from: "2026-05-01", to: "2026-05-31", by: ["endpoint"] });
   * ```
   */
  ledger(query?: LedgerQuery): Promise<LedgerReport>;
  /**
   * The ledger as a page for the host, with CSV and pending payments: mount it behind your own login. Reads `from`,
   * `to`, `format=csv` and `by` from the request's query.
   */
  earnings(request: Request, options?: EarningsOptions): Promise<Response>;
  /**
   * Gives back what a sale earned, or a part of it, once: on chain from `payment.refunds`, else as credit, whose token is
   * for the buyer; to an account's balance, if an account paid. Rejects with NOT_FOUND for an unknown sale, and with
   * INVALID_INPUT for an amount beyond it or another amount than the first.
   *
   * @example
   * ```ts
   * const { state, usd } = await handle.refund({ requestId: meta.requestId }, { usd: "0.005" });
   * ```
   */
  refund(of: Refunded, options?: { usd?: string }): Promise<HostRefund>;
  /**
   * The purchases of a wallet or an account: lines by endpoint and price, with references, as an object or as CSV. Rejects
   * with a TypeError that names a wrong field.
   *
   * @example
   * ```ts
   * const csv = await handle.statement({ account: "acme" }, { from: "2026-05-01", to: "2026-05-31", format: "csv" });
   * ```
   */
  statement(of: StatementOf, query: StatementQuery & { format: "csv" }): Promise<string>;
  statement(of: StatementOf, query: StatementQuery & { format?: "json" }): Promise<Statement>;
  /**
   * The shares of those who share a treasury (a list in `payment.treasury`), and their payment on chain, from the wallets
   * of `payment.payouts`. Both are empty if nobody shares.
   *
   * @example
   * ```ts
   * const owed = await handle.payouts.list();
   * const made = await handle.payouts.pay({ minUsd: "1" });
   * ```
   */
  readonly payouts: HostPayouts;
  /** Accounts of the host's own users: keys, balances, limits. Rejects with PROVIDER_NOT_CONFIGURED without the option `accounts`. */
  readonly accounts: HostAccounts;
  /** The host's access to the state of wallets: export and erasure without the wallet's payment or signature. */
  readonly wallets: HostWallets;
  /**
   * Stops an endpoint on all instances of the store: within seconds it answers 503 STOPPED, with the reason, before any
   * price. Rejects with NOT_FOUND for an unknown id.
   */
  stop(id: C[number]["id"], reason: string): Promise<void>;
  /** Ends a stop. */
  resume(id: C[number]["id"]): Promise<void>;
  /**
   * Sets the price of an endpoint on all instances of the store, now or from a time on. A payment that was signed for
   * the former quote is honoured while that quote is valid. Rejects with a TypeError for a price that is none.
   *
   * @example
   * ```ts
   * await handle.setPrice("convert.unit", "0.002", { from: "2026-07-01T00:00:00Z" });
   * ```
   */
  setPrice(id: C[number]["id"], usd: string, options?: { from?: Date | string }): Promise<void>;
  /** Loads the bulk files of the mounted capabilities ahead, such as airports and sanctions lists. */
  warmUp(): Promise<void>;
  /**
   * Runs one round of all background work, for platforms without timers: let a scheduler call it. Starts no new work
   * after `budgetMs` (default 10 seconds). Resolves to the number of items that it handled.
   */
  tick(options?: { budgetMs?: number }): Promise<number>;
  /**
   * Settles payments that a crash or an unresponsive facilitator left open; runs by itself if the platform has timers.
   * Resolves to a count.
   */
  reconcile(): Promise<number>;
  /** Waits for running calls, ends their resources, such as threads, and closes the store. */
  close(): Promise<void>;
}

/** The type of the capability with this id; if ids are known only as strings, the union of all. */
type Named<C extends readonly AnyCapability[], Id extends string> = Extract<C[number], { readonly id: Id }>;

/**
 * Mounts capabilities behind one handler that quotes, takes payment, runs and answers. Throws a TypeError that names
 * the option if one is missing or invalid.
 *
 * @example
 * ```ts
 * const handle = createHandler({
 *   capabilities,
 *   payment: {
 *     treasury: { "eip155:8453": "0x…" },
 *     facilitator: { url: "https://facilitator.example" },
 *   },
 * });
 * const response = await handle(new Request("https://api.example.com/api/convert/unit?value=1&from=kg&to=lb"));
 * ```
 */
export function createHandler<const C extends readonly AnyCapability[]>(options: HandlerOptions<C>): Handler<C> {
  const host = createHost(options);
  const atRoot = host.routes.pages().flatMap(([path]) => (isBelow(host.basePath, path) ? [] : [path]));
  const { underWay } = host;
  const untilDone = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    const done = () => underWay.delete(work);
    work.then(done, done);
    return work;
  };
  const handle = toHandle((incoming, info) => untilDone(answerOnce(host, incoming, info)));

  return Object.assign(handle, {
    basePath: host.basePath,
    catalogue: host as Catalogue,
    logger: host.options.logger,
    owns: (pathname: string) => host.routes.has(pathname) && !atRoot.includes(pathname),
    // An app has its own front page; ours also exists below the base path.
    rootPaths: atRoot.filter((path) => path !== "/"),
    async call(id: string, input: unknown, options: Pick<CallOptions, "wallet" | "idempotencyKey"> = {}) {
      const capability = host.byId.get(mounted(host, id)) as AnyCapability;
      assertAvailable(capability, host.missing(capability));
      return untilDone(capability.invoke(input, contextFor(host, capability, { wallet: walletOf(options) })));
    },
    async stop(id: string, reason: string) {
      await host.switches.stop(mounted(host, id), reason);
    },
    async resume(id: string) {
      await host.switches.resume(mounted(host, id));
    },
    async setPrice(id: string, usd: string, options?: { from?: Date | string }) {
      if (!host.payments.charges) throw new TypeError("setPrice: every call is free here (payment: false).");
      // guard: top-up: a product is not sold at another price | gone | accounts/products
      if (isPricedByPurchase(id)) throw new TypeError(`setPrice: the price of ${id} is the amount that is bought.`);
      await host.switches.setPrice(mounted(host, id), usd, options);
    },
    openapi: ({ all }: { all?: boolean } = {}) => openapi(host, { all }),
    directory: (filter?: DirectoryFilter) => directory(host, filter),
    async ledger(query?: LedgerQuery) {
      const channels = await host.payments.channelSums();
      const report = await reportLedger(host.ledger, host.now(), query, await host.payments.unearned());
      const overdue = await host.payments.overdueRefunds();
      if (overdue.length > 0) report.overdue = overdue;
      return channels ? { ...report, channels } : report;
    },
    async earnings(request: Request, options?: EarningsOptions) {
      const { earnings } = await import("./administration/earnings/earnings.js");
      return untilDone(earnings(host, request, options));
    },
    payouts: {
      list: () => untilDone(host.payments.payouts.list()),
      pay: (options?: PayOptions) => untilDone(host.payments.payouts.pay(options)),
    },
    accounts: createAccountAdmin(host),
    async refund(of: Refunded, options?: { usd?: string }) {
      const { refundOf } = await import("./administration/books.js");
      return untilDone(refundOf(host, of, options));
    },
    async statement(of: StatementOf, query: StatementQuery) {
      const { statementFor } = await import("./administration/books.js");
      return untilDone(statementFor(host, of, query)) as Promise<never>;
    },
    wallets: createWallets(host),
    async warmUp() {
      const files = listed(host).map((capability) => capability.warmUp(contextFor(host, capability)));
      await Promise.all([host.warmSanctions(), ...files]);
    },
    async tick({ budgetMs = 10_000 } = {}) {
      const endsAt = performance.now() + budgetMs;
      const looked = await host.payments.reconcile(endsAt);
      const tell = () => host.webhooks && untilDone(host.webhooks.run(endsAt));
      const [cleaned, called = 0, told = 0, checked = 0] = await Promise.all([
        untilDone(host.cleanUp(endsAt)),
        host.callbacks && untilDone(host.callbacks.run(endsAt)),
        tell(),
        host.live && untilDone(host.live.run(endsAt)),
        host.counts?.flush(),
      ]);
      // A platform with a clock may be quiet until the next round, so news of the others leave in this one.
      const news = checked > 0 ? ((await tell()) ?? 0) : 0;
      return looked + cleaned + called + told + checked + news;
    },
    reconcile: () => host.payments.reconcile(),
    async close() {
      host.beQuiet?.();
      host.payments.close();
      await host.callbacks?.close();
      await host.live?.close();
      await Promise.allSettled(underWay);
      await Promise.all([host.webhooks?.close(), host.counts?.flush()]);
      await host.resources.close();
      await host.store.close();
    },
  });
}

function mounted(host: Host, id: string): string {
  if (host.byId.has(id)) return id;
  throw new CapabilityError("NOT_FOUND", `No capability "${id}" is mounted here.`);
}
