/** viem over the upstream client: its requests have the same queue, breaker, limits and cache as all others. */
import type { Hex, PublicClient } from "viem";
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { upstream } from "../../upstream/client.js";
import { failover } from "../../upstream/failover.js";
import type { EvmChainName } from "./chains.js";
import { nodesOf, Revert, revertIn } from "./provider.js";

export const loadViem = lazy(() => import("viem").catch(without("viem")));
export type Viem = Awaited<ReturnType<typeof loadViem>>;
export type Address = `0x${string}`;

/** A chain read through one of its nodes. */
export interface ChainView {
  client: PublicClient;
  /** The same node; if a contract refers to a gateway, it is requested, too. */
  viaGateway: PublicClient;
  viem: Viem;
}

/** Requests data from the servers that a contract names (EIP-3668). */
export type Gateway = (request: { data: Hex; sender: Address; urls: readonly string[] }) => Promise<Hex>;

export interface ReadChainOptions {
  /** Milliseconds for which an answer of the node is fresh. */
  ttlMs: number;
  /** Without it only the node is asked, whatever a contract says. */
  gateway?: Gateway;
}

/**
 * The result of `read` for a chain, repeated with the second node while the first is down or busy. Rejects with the
 * first node's error; an answer that viem cannot read is UPSTREAM_SCHEMA.
 */
export async function readChain<T>(
  ctx: Context,
  chain: EvmChainName,
  read: (view: ChainView) => Promise<T>,
  options: ReadChainOptions,
): Promise<T> {
  const viem = await loadViem();
  const [first, second] = nodesOf(ctx, chain).map((node) => async () => {
    try {
      return await read(viewOf(ctx, node, { ...options, viem }));
    } catch (error) {
      throw toCapabilityError(error, node);
    }
  });
  if (!first) throw new CapabilityError("PROVIDER_NOT_CONFIGURED", `No node of ${chain} is configured.`);
  return failover(first, second, { whenBusy: true });
}

const answer = lazySchema(() =>
  z
    .looseObject({ result: z.unknown().optional(), error: z.unknown().optional() })
    .refine(({ result, error }) => (result !== undefined && result !== null) || error, "has neither result nor error")
    .refine(({ result }) => !hasBareNumber(result), "has a number that is not written in hex"),
);

/** Nodes write quantities in hex; viem takes any number for one. Only shares of blocks are numbers. */
const hasBareNumber = (value: unknown): boolean =>
  typeof value === "number" ||
  (typeof value === "object" &&
    value !== null &&
    Object.entries(value).some(([name, member]) => !name.endsWith("UsedRatio") && hasBareNumber(member)));

function viewOf(ctx: Context, node: Provider, { viem, ttlMs, gateway }: ReadChainOptions & { viem: Viem }): ChainView {
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    // One id for all, so that equal concurrent requests are merged.
    const body = { jsonrpc: "2.0", id: 1, method, params: params ?? [] };
    const sent = await upstream(ctx, node)
      .ask("", { body, schema: answer(), ttlMs })
      .catch((error: unknown) => {
        throw CapabilityError.is(error) && error.cause instanceof Revert ? error.cause : error;
      });
    const revert = revertIn(sent);
    if (revert) throw revert;
    return sent.result;
  };
  const transport = viem.custom({ request }, { retryCount: 0 });
  return {
    client: viem.createPublicClient({ transport, ccipRead: false }),
    viaGateway: viem.createPublicClient({ transport, ccipRead: gateway ? { request: gateway } : false }),
    viem,
  };
}

/** viem wraps the transport's error several times. */
function toCapabilityError(error: unknown, { name }: Provider): CapabilityError {
  const own = causesOf(error).find(CapabilityError.is);
  return own ?? new CapabilityError("UPSTREAM_SCHEMA", `${name} answered in an unknown format.`, { cause: error });
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) causes.push(cause);
  return causes;
}

export interface ContractCall {
  to: Address;
  data: Hex;
}

/** Return data of a contract, or the data of its revert in its own ABI. */
export interface CallOutcome {
  ok: boolean;
  data: Hex;
}

/** One call of a contract; a revert is an outcome, too. */
export async function callContract(client: PublicClient, { to, data }: ContractCall): Promise<CallOutcome> {
  try {
    return { ok: true, data: (await client.call({ to, data })).data ?? "0x" };
  } catch (error) {
    const revert = causesOf(error).find((cause) => cause instanceof Revert);
    if (!revert) throw error;
    return { ok: false, data: revert.data };
  }
}

/** Multicall3, at this address on every chain. */
export const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** Several calls at the same block in one request; one by one on a chain without Multicall3. */
export async function callContracts(view: ChainView, calls: readonly ContractCall[]): Promise<CallOutcome[]> {
  const { viem } = view;
  if (calls.length === 0) return [];
  const together = await callContract(view.client, {
    to: MULTICALL3,
    data: viem.encodeFunctionData({
      abi: viem.multicall3Abi,
      functionName: "aggregate3",
      args: [calls.map(({ to, data }) => ({ target: to, callData: data, allowFailure: true }))],
    }),
  });
  const results = together.ok
    ? decoded(() =>
        viem.decodeFunctionResult({ abi: viem.multicall3Abi, functionName: "aggregate3", data: together.data }),
      )
    : undefined;
  if (results?.length === calls.length)
    return results.map(({ success, returnData }) => ({ ok: success, data: returnData }));
  return Promise.all(calls.map((call) => callContract(view.client, call)));
}

/** The result of `decode`; undefined if the bytes do not match. */
export function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
