import type { Terms } from "../capability/terms.js";
import type { AnyCapability, Context, Facts } from "../capability/types.js";
import type { Brand } from "./options.js";
import type { Routes } from "./routes.js";

/** What a host has mounted: what the documents derive from. */
export interface Catalogue {
  readonly brand: Brand;
  /** Without a trailing slash. */
  readonly basePath: string;
  /** In catalogue order. */
  readonly capabilities: readonly AnyCapability[];
  readonly byId: ReadonlyMap<string, AnyCapability>;
  readonly routes: Routes;
  /** False where every call is free. */
  readonly paid: boolean;
  /** Whether wallets may sign in, for what they may do for nothing. */
  readonly signIn: boolean;
  /** Whether there is a documentation page. */
  readonly docs: boolean;
  /** How many free trials a caller has per endpoint and hour; 0: none. */
  readonly trialsPerHour: number;
  /** Where a capability hangs here: basePath + "/group/name". */
  pathOf(capability: Pick<Facts, "id">): string;
  /** A path here as callers write it: with what a proxy cuts off in front. */
  publicPath(path: string): string;
  /** The host's listed price: markup and overrides applied. */
  priceOf(capability: AnyCapability): Facts["price"];
  /** What a capability's own code sees here, outside any call. */
  contextFor(capability: AnyCapability): Context;
  /** What a capability needs and this host has not: secrets, packages, files; empty when it is available. */
  missing(capability: AnyCapability): string[];
  /** What the sources that this host chose say to who sells their answers on. */
  termsOf(capability: AnyCapability): Terms | undefined;
}

/** The catalogue as one sees it who knows the service by this address: behind a proxy's prefix, or a stage of an API. */
export function seenAt<C extends Catalogue>(catalogue: C, address: string): C {
  const prefix = new URL(address).pathname.replace(/\/$/, "");
  return { ...catalogue, publicPath: (path) => prefix + path };
}
