/** The functions, events and errors of an ABI, as signatures. */
import type { AbiFunction } from "viem";
import { z } from "zod";
import { without } from "../../errors.js";
import { lazy, once } from "../../lib/lazy.js";

const viem = lazy(() => import("viem").catch(without("viem")));

export interface FunctionSignature {
  signature: string;
  selector: string;
  /** pure, view, nonpayable or payable; null if unknown. */
  stateMutability: string | null;
}

export interface Signatures {
  functions: FunctionSignature[];
  events: string[];
  errors: string[];
}

const entry = once(() =>
  z.looseObject({
    type: z.enum(["function", "event", "error"]),
    name: z.string(),
    stateMutability: z.string().nullish(),
    inputs: z.array(z.unknown()).default([]),
  }),
);

/** Invalid entries are omitted. */
export async function signaturesOf(abi: readonly unknown[]): Promise<Signatures> {
  const { toFunctionSignature, toFunctionSelector } = await viem();
  const found: Signatures = { functions: [], events: [], errors: [] };
  for (const given of abi) {
    const { data } = entry().safeParse(given);
    if (!data) continue;
    try {
      // Events and errors have the form of functions. viem validates the entry's other fields.
      const signature = toFunctionSignature({ ...data, type: "function" } as unknown as AbiFunction);
      if (data.type === "event") found.events.push(signature);
      else if (data.type === "error") found.errors.push(signature);
      else {
        const selector = toFunctionSelector(signature);
        found.functions.push({ signature, selector, stateMutability: data.stateMutability ?? null });
      }
    } catch {}
  }
  return found;
}
