import type { Terms } from "../capability/terms.js";
import type { AnyCapability, Context, Facts } from "../capability/types.js";
import { isInstalled } from "../lib/packages/installed.js";
import type { RecentBlocks } from "../payment/payments.js";
import type { PaymentRequirements } from "../payment/x402/wire.js";
import type { Brand } from "./options.js";
import type { Routes } from "./routes.js";

/** Free trials of one endpoint per caller and hour. */
export const trialsOf = (
  { trialsPerHour }: Pick<Catalogue, "trialsPerHour">,
  { trial }: Pick<Facts, "trial">,
): number => (trial === false ? 0 : trialsPerHour);

/** The capabilities that a host has mounted; the documents derive from it. */
export interface Catalogue {
  readonly brand: Brand;
  /** Without a trailing slash. */
  readonly basePath: string;
  /** In catalogue order. */
  readonly capabilities: readonly AnyCapability[];
  readonly byId: ReadonlyMap<string, AnyCapability>;
  readonly routes: Routes;
  /** Path of the alias of `ai.chat` for clients of OpenAI's API; undefined where it is not mounted. */
  readonly openAiPath?: string | undefined;
  /** False if every call is free. */
  readonly paid: boolean;
  /** When buyers may ask for their money back; undefined if never. */
  readonly refunds?: { withinDays: number; conditions: string } | undefined;
  /** CAIP-2 ids of the networks that payments are taken on. */
  readonly networks: readonly string[];
  /** Recent blocks, for networks on which payers need one to sign. */
  readonly recentBlocks: RecentBlocks;
  /** Whether callers may send a key of an account instead of a payment. */
  readonly accountKeys: boolean;
  /** Whether wallets may sign in for free operations. */
  readonly signIn: boolean;
  /** Ids of endpoints that are free for wallets that sign in. */
  readonly signInFree: ReadonlySet<string>;
  /** Whether a wallet that signs in gets again what it bought. */
  readonly signInAgain: boolean;
  /** Whether wallets may sign in to see the account that they have here. */
  readonly ownSignIn: boolean;
  /** Set where paid calls are answered later, if their caller wants that. */
  readonly jobs?: object | undefined;
  /** Whether there is a documentation page. */
  readonly docs: boolean;
  /** Free trials per caller, endpoint and hour; 0 for none. */
  readonly trialsPerHour: number;
  /** Path of a capability here: basePath + "/group/name". */
  pathOf(capability: Pick<Facts, "id" | "mountedAt">): string;
  /** A path as callers write it, with the prefix that a proxy cuts off. */
  publicPath(path: string): string;
  /** The host's listed price, with markup and overrides. */
  priceOf(capability: AnyCapability): Facts["price"];
  /** A text that changes with the prices in force; absent if none ever does. */
  priceKey?(): string;
  /** Context of a capability here, outside any call. */
  contextFor(capability: AnyCapability): Context;
  /** Names what a capability needs and this host lacks: secrets, packages, files. Empty if it is available. */
  missing(capability: AnyCapability): string[];
  /** Why an endpoint is not sold although nothing is missing: its upstream changed. Undefined if it is. */
  unsound?(capability: AnyCapability): string | undefined;
  /** Offers at the lowest price that buyers of the Machine Payments Protocol can pay, too. */
  chargesOf(capability: AnyCapability): readonly Pick<PaymentRequirements, "amount" | "asset" | "network">[];
  /** Resale terms of the sources that this host chose. */
  termsOf(capability: AnyCapability): Terms | undefined;
}

const MCP_PACKAGE = "@modelcontextprotocol/sdk";

/** The package without which models cannot ask here; undefined if it is there, or if they are not meant to ask. */
export const modelsNeed = ({ routes, basePath }: Pick<Catalogue, "basePath" | "routes">): string | undefined =>
  routes.has(`${basePath}/mcp`) && !isInstalled(MCP_PACKAGE) ? MCP_PACKAGE : undefined;

/** The catalogue for callers who know the service by this address: behind a proxy's prefix, or a stage of an API. */
export function seenAt<C extends Catalogue>(catalogue: C, address: string): C {
  const prefix = new URL(address).pathname.replace(/\/$/, "");
  return { ...catalogue, publicPath: (path) => prefix + path };
}
