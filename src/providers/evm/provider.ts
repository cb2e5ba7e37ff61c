import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider, type Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { isUrl } from "../../lib/http/url.js";
import { lazy } from "../../lib/lazy.js";
import { SECOND_MS } from "../../lib/time.js";
import { chainOf, EVM_CHAIN_NAMES, EVM_CHAINS, type EvmChainName, settingOf } from "./chains.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const LICENSE = "Public blockchain data";

/**
 * Nodes of the EVM chains, by JSON-RPC. Public ones limit each address and guarantee nothing, so hosts may name their
 * own.
 */
export const evmNodes = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "EVM JSON-RPC nodes",
  url: "https://ethereum.org/developers/docs/apis/json-rpc",
  license: LICENSE,
  terms: {
    resale: "allowed",
    attribution: null,
    note: "What a public chain holds belongs to nobody; public nodes limit how often they are asked, and a host may name its own.",
    url: "https://ethereum.org/developers/docs/apis/json-rpc",
    checkedAt: null,
  },
  baseUrl: EVM_CHAINS.ethereum.nodes[0],
  settings: EVM_CHAIN_NAMES.map((name) => ({
    name: settingOf(name),
    what: `the JSON-RPC address of a node of ${chainOf(name).name}, a second one after a comma; public nodes without it`,
  })),
});

/** One object per chain and address, because queue and breaker belong to it. */
const nodes = new Map<string, Provider>();

/** The nodes of a chain, at least one: the host's own, or two public ones. */
export function nodesOf(ctx: Context, name: EvmChainName): Provider[] {
  const chosen = ctx.setting(settingOf(name));
  if (chosen === undefined) return chainOf(name).nodes.map((url) => nodeAt(name, url));
  const urls = chosen.split(",").map((url) => url.trim());
  // The address may contain a key, so the error does not quote it.
  if (!urls.every((url) => isUrl(url) && /^https?:/i.test(url)))
    throw new CapabilityError("PROVIDER_NOT_CONFIGURED", `${settingOf(name)} must be an http or https URL.`);
  return urls.map((url) => nodeAt(name, url));
}

function nodeAt(name: EvmChainName, url: string): Provider {
  const key = `${name} ${url}`;
  const chain = chainOf(name);
  const node = nodes.get(key) ?? {
    name: `${chain.name} JSON-RPC`,
    url: chain.explorer,
    license: LICENSE,
    terms: evmNodes.terms,
    baseUrl: url,
    // Short, so that the second node has time before the caller's limit.
    timeoutMs: 4 * SECOND_MS,
    errorIn: (body: unknown, status: number) => errorIn(`${chain.name} JSON-RPC`, body, status),
  };
  nodes.set(key, node);
  return node;
}

const failure = lazySchema(() =>
  z.object({ error: z.object({ code: z.number(), message: z.string().nullish(), data: z.unknown().optional() }) }),
);

/** A call that the contract itself reverted: a valid answer of the chain. */
export class Revert extends Error {
  /** The code in JSON-RPC, whichever the node used. */
  readonly code = 3;
  constructor(
    /** The contract's data in its own ABI; `0x` if empty. */
    readonly data: `0x${string}`,
  ) {
    super("execution reverted");
  }
}

/** Messages of common nodes. */
const EXECUTION_FAILED =
  /revert|VM (?:execution )?error|out ?of ?gas|gas required exceeds|opcode|stack (?:over|under)flow/i;

/**
 * The revert in an answer. Nodes use the codes 3, -32000 or -32015, and put the data into `data`, or into a text there.
 */
export function revertIn(body: unknown): Revert | undefined {
  const error = failure().safeParse(body).data?.error;
  if (!error) return undefined;
  const text = error.message ?? "";
  if (error.code !== 3 && !EXECUTION_FAILED.test(text)) return undefined;
  const inner = typeof error.data === "object" && error.data !== null && "data" in error.data ? error.data.data : null;
  const said = typeof error.data === "string" ? error.data : typeof inner === "string" ? inner : "";
  const hex = /0x(?:[0-9a-f]{2})*/i.exec(said)?.[0];
  return new Revert(hex ? (hex.toLowerCase() as `0x${string}`) : "0x");
}

function errorIn(name: string, body: unknown, status: number): CapabilityError | undefined {
  const error = failure().safeParse(body).data?.error;
  if (!error) return undefined;
  const revert = revertIn(body);
  // A valid answer, even if the node also sends an HTTP error.
  if (revert)
    return status < 400
      ? undefined
      : new CapabilityError("NOT_FOUND", "The contract refused the call.", { cause: revert });
  const busy =
    status === 429 ||
    [429, -32005, -32007, -32016, -32097].includes(error.code) ||
    /rate limit|too many requests/i.test(error.message ?? "");
  return busy
    ? new CapabilityError("UPSTREAM_RATE_LIMIT", `${name} is rate limiting requests; retry later.`, { retryAfter: 10 })
    : new CapabilityError("UPSTREAM_ERROR", `${name} could not answer (code ${error.code}).`);
}
