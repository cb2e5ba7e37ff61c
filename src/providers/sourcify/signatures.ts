/** The signatures of a selector, from public databases. Several may share one, and some are jokes. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { flag, identifiedRows, label, named } from "../../upstream/fields.js";
import { fourByte } from "../four-byte/provider.js";
import { sourcifySignatures } from "./provider.js";

/** Known signatures never change; only unknown ones become known. */
const TTL = { ttlMs: HOUR_MS, staleMs: 30 * DAY_MS };

export interface KnownSignature {
  /** `transfer(address,uint256)`, as its author entered it. */
  signature: string;
  source: "sourcify" | "4byte.directory";
  /** Whether a contract with it has published its source. */
  verified: boolean;
}

/** The likeliest first; and whether a database failed that may know more. */
export async function readSignatures(
  ctx: Context,
  selector: string,
): Promise<{ signatures: KnownSignature[]; incomplete: boolean }> {
  let incomplete = false;
  // Calldata is useful without a name, so an unknown format counts as an outage here.
  const noted = (error: unknown): KnownSignature[] => {
    if (!CapabilityError.is(error)) throw error;
    incomplete = true;
    return [];
  };
  const first = await fromSourcify(ctx, selector).catch(noted);
  if (first.length > 0) return { signatures: first, incomplete };
  const second = await fromFourByte(ctx, selector).catch(noted);
  return { signatures: second, incomplete };
}

async function fromSourcify(ctx: Context, selector: string): Promise<KnownSignature[]> {
  const entry = z.object({ name: label(), filtered: flag(), hasVerifiedContract: flag() });
  const { result } = await upstream(ctx, sourcifySignatures).get("/lookup", {
    query: { function: selector, filter: true },
    schema: z.object({ result: z.object({ function: z.record(z.string(), named(entry, "name")) }) }),
    ...TTL,
  });
  const doubt = ({ filtered, hasVerifiedContract }: z.output<typeof entry>) =>
    (hasVerifiedContract ? 0 : 2) + (filtered ? 1 : 0);
  return (result.function[selector] ?? [])
    .toSorted((a, b) => doubt(a) - doubt(b))
    .map(({ name, hasVerifiedContract }) => ({
      signature: name,
      source: "sourcify",
      verified: hasVerifiedContract ?? false,
    }));
}

async function fromFourByte(ctx: Context, selector: string): Promise<KnownSignature[]> {
  const { results } = await upstream(ctx, fourByte).get("/signatures/", {
    query: { hex_signature: selector },
    schema: z.object({
      results: identifiedRows(z.object({ id: z.number(), text_signature: z.string() }), ["text_signature"]),
    }),
    ...TTL,
  });
  // Joke signatures are newer than the ones they collide with.
  return results
    .toSorted((a, b) => a.id - b.id)
    .map(({ text_signature }) => ({ signature: text_signature, source: "4byte.directory", verified: false }));
}
