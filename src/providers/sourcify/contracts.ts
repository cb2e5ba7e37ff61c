/** Contracts whose source was published on Sourcify. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { HOUR_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { flag, instant, label, list, maybe, named, whole, wholeOrNone } from "../../upstream/fields.js";
import { sourcify } from "./provider.js";

const FIELDS = "abi,compilation,proxyResolution,signatures";

const signatures = () => named(whole({ signature: label(), signatureHash4: label() }), "signature");
const contract = lazySchema(() =>
  whole({
    // A match of bytecode and metadata, or of the bytecode alone.
    match: z.enum(["exact_match", "match"]),
    verifiedAt: instant(),
    compilation: wholeOrNone({ name: label(), language: label(), compilerVersion: label() }),
    abi: list(z.unknown()),
    signatures: wholeOrNone({ function: signatures(), event: signatures(), error: signatures() }),
    // Contains an error if it could not be determined.
    proxyResolution: maybe(
      whole(
        {},
        {
          isProxy: flag(),
          proxyType: label(),
          implementations: named(whole({ address: label() }, { name: label() }), "address"),
        },
        ["isProxy", "proxyType", "implementations"],
      ),
    ),
  }),
);
export type SourcifyContract = z.output<ReturnType<typeof contract>>;

/** Undefined for a contract without published source, and for other addresses. */
export async function readContract(
  ctx: Context,
  { chainId, address }: { chainId: number; address: string },
): Promise<SourcifyContract | undefined> {
  const read = (fields: string) =>
    upstream(ctx, sourcify).get(segments("v2", "contract", chainId, address), {
      query: { fields },
      schema: contract(),
      absent: [404],
      ttlMs: HOUR_MS,
      staleMs: 24 * HOUR_MS,
    });
  try {
    return await read(FIELDS);
  } catch (error) {
    // Sourcify sometimes refuses the list of fields.
    if (CapabilityError.is(error) && error.code === "INVALID_INPUT") return read("all");
    throw error;
  }
}
