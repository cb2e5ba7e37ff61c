import type { Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { type Signatures, signaturesOf } from "../../engines/calldata/signatures.js";
import { CapabilityError } from "../../errors.js";
import { readSmartContract } from "../../providers/blockscout/contracts.js";
import { blockscoutOf } from "../../providers/blockscout/provider.js";
import { readAbi } from "../../providers/etherscan/abi.js";
import { etherscan } from "../../providers/etherscan/provider.js";
import { readContract, type SourcifyContract } from "../../providers/sourcify/contracts.js";
import { sourcify } from "../../providers/sourcify/provider.js";
import { failover } from "../../upstream/failover.js";
import { optional } from "../../upstream/optional.js";

export interface Proxy {
  /** In Sourcify's terms, such as EIP1967Proxy or GnosisSafeProxy. */
  type: string | null;
  implementations: { address: string; name: string | null }[];
}

/** A contract with published source. */
export interface VerifiedContract extends Signatures {
  provider: Provider;
  source: "sourcify" | "etherscan" | "blockscout";
  match: "exact_match" | "match" | null;
  name: string | null;
  language: string | null;
  compilerVersion: string | null;
  verifiedAt: string | null;
  /** Null if the source does not say. */
  proxy: Proxy | null;
}

export interface ContractPlace {
  chainId: number;
  address: string;
}

/**
 * The contract at the first source that has it; undefined if its source was never published. That is certain only if
 * Sourcify answered, so its failure rejects. `onFailure` is called for other sources that failed.
 */
export async function findVerified(
  ctx: Context,
  place: ContractPlace,
  onFailure: () => void,
): Promise<VerifiedContract | undefined> {
  let failure: unknown;
  const first = await readContract(ctx, place).catch((error: unknown) => {
    failure = error;
  });
  if (first) return fromSourcify(first);
  const found = await optional(fromExplorers(ctx, place), undefined, onFailure);
  if (!found && failure !== undefined) throw failure;
  return found;
}

export async function fromSourcify(contract: SourcifyContract): Promise<VerifiedContract> {
  const { match, verifiedAt, compilation, abi, signatures, proxyResolution } = contract;
  const own = await signaturesOf(abi);
  const mutability = new Map(own.functions.map((one) => [one.signature, one.stateMutability]));
  const functions = signatures.function.flatMap(({ signature, signatureHash4: selector }) =>
    selector ? [{ signature, selector, stateMutability: mutability.get(signature) ?? null }] : [],
  );
  const listed = functions.length > 0;
  return {
    provider: sourcify,
    source: "sourcify",
    match,
    ...compilation,
    verifiedAt,
    functions: listed ? functions : own.functions,
    events: listed ? signatures.event.map(({ signature }) => signature) : own.events,
    errors: listed ? signatures.error.map(({ signature }) => signature) : own.errors,
    proxy: proxyResolution?.isProxy
      ? { type: proxyResolution.proxyType, implementations: proxyResolution.implementations }
      : null,
  };
}

/** Etherscan if the host has a key for it and it serves the chain; otherwise Blockscout. */
async function fromExplorers(ctx: Context, place: ContractPlace): Promise<VerifiedContract | undefined> {
  const explorer = blockscoutOf(ctx, place.chainId);
  const atBlockscout = async () => (explorer ? fromBlockscout(ctx, explorer, place.address) : undefined);
  return ctx.secret(etherscan.secret.name)
    ? failover(() => fromEtherscan(ctx, place), explorer && atBlockscout, { whenBusy: true, whenNotConfigured: true })
    : atBlockscout();
}

async function fromEtherscan(ctx: Context, place: ContractPlace): Promise<VerifiedContract | undefined> {
  const abi = await readAbi(ctx, place);
  if (!abi) return undefined;
  const nothingElse = { match: null, name: null, language: null, compilerVersion: null, verifiedAt: null, proxy: null };
  return { provider: etherscan, source: "etherscan", ...nothingElse, ...(await readable(abi)) };
}

async function fromBlockscout(
  ctx: Context,
  explorer: Provider,
  address: string,
): Promise<VerifiedContract | undefined> {
  const contract = await readSmartContract(ctx, explorer, address);
  if (!contract?.is_verified) return undefined;
  const implementations = contract.implementations.flatMap(({ address_hash, address, name }) => {
    const at = address_hash ?? address;
    return at ? [{ address: at, name }] : [];
  });
  return {
    provider: explorer,
    source: "blockscout",
    match: contract.is_fully_verified ? "exact_match" : "match",
    name: contract.name,
    language: contract.language,
    compilerVersion: contract.compiler_version,
    verifiedAt: contract.verified_at,
    proxy: implementations.length > 0 ? { type: contract.proxy_type, implementations } : null,
    ...(await readable(contract.abi)),
  };
}

/** Rejects with UPSTREAM_SCHEMA if an ABI with functions, events or errors has no readable entry. */
async function readable(abi: readonly unknown[]): Promise<Signatures> {
  const found = await signaturesOf(abi);
  const isSilent = (entry: unknown) =>
    /^(?:constructor|fallback|receive)$/.test(String((entry as { type?: unknown })?.type));
  if (found.functions.length + found.events.length + found.errors.length === 0 && !abi.every(isSilent))
    throw new CapabilityError("UPSTREAM_SCHEMA", "The contract's ABI is in an unknown format.");
  return found;
}
