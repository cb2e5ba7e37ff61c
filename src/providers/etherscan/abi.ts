/** The ABI of a verified contract. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { etherscan } from "./provider.js";

/** Undefined if the contract's source was not published. */
export async function readAbi(ctx: Context, { chainId, address }: { chainId: number; address: string }) {
  const { result } = await upstream(ctx, etherscan).get("/api", {
    query: { chainid: chainId, module: "contract", action: "getabi", address },
    schema: z.object({ result: z.string() }).transform(({ result }, issues) => {
      if (/not verified/i.test(result)) return { result: undefined };
      try {
        return { result: z.array(z.unknown()).parse(JSON.parse(result)) };
      } catch {
        issues.addIssue({ code: "custom", message: "is not an ABI" });
        return z.NEVER;
      }
    }),
    ttlMs: HOUR_MS,
  });
  return result;
}
