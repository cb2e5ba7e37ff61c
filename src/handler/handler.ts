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
import { contextFor } from "../request/call.js";
import { toHandle } from "../request/http/exchange.js";
import { type Administration, createAdministration, HOST } from "./administration/administration.js";
import { type Acting, type Desk, deskOf, nameIn, type Role } from "./administration/desk.js";
import { answerRequest, continueJob } from "./answer.js";
import { createHost } from "./composition/create-host.js";

/** A mounted service: a function from a standard Request to a standard Response, with the catalogue beside it. */
export interface Handler<C extends readonly AnyCapability[] = readonly AnyCapability[]>
  extends Administration<C[number]["id"]> {
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
   * The host's side of the service for one of its people: `by` is their name in the audit log, and `role` says which
   * methods there are. `read` looks, `refund` also gives money back, `administer` does all; default `administer`.
   *
   * @example
   * ```ts
   * const desk = handle.as({ by: "ada", role: "refund" });
   * await desk.refund({ requestId: meta.requestId });
   * ```
   */
  as<R extends Role = "administer">(who: Acting<R>): Desk<R>;
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
  const host = createHost(options, continueJob);
  const atRoot = host.routes.pages().flatMap(([path]) => (isBelow(host.basePath, path) ? [] : [path]));
  const { underWay } = host;
  const untilDone = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    const done = () => underWay.delete(work);
    work.then(done, done);
    return work;
  };
  const handle = toHandle((incoming, info) => untilDone(answerRequest(host, incoming, info)));

  return Object.assign(handle, createAdministration(host, untilDone, HOST), {
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
    as: <R extends Role>(who: Acting<R>) => deskOf(createAdministration(host, untilDone, nameIn(who)), who),
    openapi: ({ all }: { all?: boolean } = {}) => openapi(host, { all }),
    directory: (filter?: DirectoryFilter) => directory(host, filter),
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
