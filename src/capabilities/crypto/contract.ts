import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import type { FunctionSignature } from "../../engines/calldata/signatures.js";
import { blockscout } from "../../providers/blockscout/provider.js";
import { etherscan } from "../../providers/etherscan/provider.js";
import { chainOf, EVM_CHAIN_NAMES } from "../../providers/evm/chains.js";
import { type Code, readCode } from "../../providers/evm/code.js";
import { fourByte } from "../../providers/four-byte/provider.js";
import { readContract } from "../../providers/sourcify/contracts.js";
import { sourcify } from "../../providers/sourcify/provider.js";
import { readSignatures } from "../../providers/sourcify/signatures.js";
import { optional } from "../../upstream/optional.js";
import { evmAddress, withChecksum } from "./_evm.js";
import { findVerified, fromSourcify, type VerifiedContract } from "./_verified.js";

const label = () => z.string().nullable();

export const cryptoContract = /* @__PURE__ */ defineCapability({
  id: "crypto.contract",
  summary:
    "A smart contract: whether its source is verified, what kind of proxy it is and for what, its functions and events.",
  keywords: [
    "abi",
    "verified source",
    "proxy",
    "implementation",
    "eip-1967",
    "sourcify",
    "selector",
    "function signatures",
  ],
  price: "0.0018",
  provider: sourcify,
  origins: [sourcify, etherscan, blockscout, fourByte],
  input: () =>
    z.strictObject({
      chain: z.enum(EVM_CHAIN_NAMES).describe("The chain"),
      address: evmAddress().describe("The contract"),
      selector: z
        .string()
        .regex(/^0x[0-9a-fA-F]{8}$/, { error: "must be 0x and 8 hexadecimal digits" })
        .toLowerCase()
        .optional()
        .describe("The selector of a function to name, 0x and 4 bytes"),
    }),
  output: one(() =>
    z.object({
      address: z.string(),
      chain: z.enum(EVM_CHAIN_NAMES),
      chainId: z.int(),
      isContract: z.boolean().nullable().describe("Null where no node could be asked; false for an account with a key"),
      verified: z.boolean().describe("Whether a source that compiles to it was published"),
      match: z.enum(["exact_match", "match"]).nullable().describe("exact_match: comments and file names, too"),
      source: z.enum(["sourcify", "etherscan", "blockscout"]).nullable().describe("Where the source was shown"),
      name: label(),
      language: label(),
      compilerVersion: label(),
      verifiedAt: label(),
      proxy: z.object({
        isProxy: z.boolean().nullable().describe("Null if this could not be determined"),
        type: label().describe(
          "Such as EIP1967Proxy, EIP1967BeaconProxy, EIP1167Proxy, GnosisSafeProxy, or EIP7702Delegation for an account",
        ),
        implementations: z.array(z.object({ address: z.string(), name: label() })),
      }),
      functions: z.array(z.object({ signature: z.string(), selector: z.string(), stateMutability: label() })),
      events: z.array(z.string()),
      errors: z.array(z.string()),
      selector: z
        .object({
          selector: z.string(),
          signatures: z.array(z.string()).describe("The likeliest first; none for an unknown selector"),
          from: z.enum(["abi", "implementation", "database"]).nullable(),
        })
        .optional()
        .describe("Only when asked for"),
    }),
  ),
  packages: ["viem"],
  example: { chain: "ethereum", address: "0x6B175474E89094C44Da98b954EedeAC495271d0F", selector: "0xa9059cbb" },
  read: async ({ address, ...input }) => ({ ...input, address: await withChecksum(address) }),
  async run({ chain, address, selector }, ctx) {
    const { id: chainId } = chainOf(chain);
    let partial = false;
    const onFailure = () => {
      partial = true;
    };
    const contract = await findVerified(ctx, { chainId, address }, onFailure);
    // Published source includes the kind of a proxy.
    const code = contract?.proxy ? undefined : await optional(readCode(ctx, chain, address), undefined, onFailure);
    const proxy = await toProxy(contract, code);
    const implementation = proxy.implementations[0]?.address;
    const named = selector
      ? await nameOf(ctx, selector, {
          own: contract?.functions ?? [],
          implementation: implementation ? { chainId, address: implementation } : undefined,
          onFailure,
        })
      : undefined;
    const { match, source, name, language, compilerVersion, verifiedAt, functions, events, errors } =
      contract ?? unpublished();
    return {
      item: {
        address,
        chain,
        chainId,
        isContract: contract ? true : (code?.isContract ?? null),
        verified: contract !== undefined,
        match,
        source,
        name,
        language,
        compilerVersion,
        verifiedAt,
        proxy,
        functions,
        events,
        errors,
        ...(named ? { selector: named } : {}),
      },
      ...(contract ? { source: sourceOf(contract.provider) } : {}),
      ...(partial ? { meta: { partial } } : {}),
    };
  },
});

/** A contract whose source nobody published. */
const unpublished = (): Omit<VerifiedContract, "provider" | "source" | "proxy"> & { source: null } => ({
  match: null,
  source: null,
  name: null,
  language: null,
  compilerVersion: null,
  verifiedAt: null,
  functions: [],
  events: [],
  errors: [],
});

async function toProxy(contract: VerifiedContract | undefined, code: Code | undefined) {
  const shown = contract?.proxy;
  if (shown) {
    const implementations = shown.implementations.map(async ({ address, name }) => ({
      address: await withChecksum(address),
      name,
    }));
    return { isProxy: true, type: shown.type, implementations: await Promise.all(implementations) };
  }
  if (!code?.proxy) return { isProxy: code ? false : null, type: null, implementations: [] };
  const { type, implementation } = code.proxy;
  return { isProxy: true, type, implementations: [{ address: implementation, name: null }] };
}

interface NameOptions {
  own: FunctionSignature[];
  implementation: { chainId: number; address: string } | undefined;
  onFailure(): void;
}

/** Searched in the contract, in its implementation, and in the public databases. */
async function nameOf(ctx: Context, selector: string, { own, implementation, onFailure }: NameOptions) {
  const among = (functions: FunctionSignature[]) =>
    functions.filter((one) => one.selector.toLowerCase() === selector).map(({ signature }) => signature);
  const inAbi = among(own);
  if (inAbi.length > 0) return { selector, signatures: inAbi, from: "abi" as const };
  const behind = implementation && (await optional(readContract(ctx, implementation), undefined, onFailure));
  const inBehind = behind ? among((await fromSourcify(behind)).functions) : [];
  if (inBehind.length > 0) return { selector, signatures: inBehind, from: "implementation" as const };
  const { signatures, incomplete } = await readSignatures(ctx, selector);
  if (incomplete && signatures.length === 0) onFailure();
  return {
    selector,
    signatures: signatures.map(({ signature }) => signature),
    from: signatures.length > 0 ? ("database" as const) : null,
  };
}
