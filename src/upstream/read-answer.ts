/** Interprets an answer: a value of the expected format, or an error of our own table. */
import type { z } from "zod";
import type { Provider } from "../capability/provider.js";
import type { Context } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import { decode, type Format } from "./decode.js";
import { retryAfterMs, type UpstreamResponse } from "./exchange.js";

interface Expected<T> {
  schema: z.ZodType<T>;
  format?: Format;
}

/** Rejects with the provider's own error, the error of the status, or UPSTREAM_SCHEMA. */
export async function readAnswer<T>(
  answer: UpstreamResponse,
  { provider, ctx }: { provider: Provider; ctx: Context },
  options: Expected<T>,
): Promise<T> {
  const { status } = answer;
  const ok = status >= 200 && status < 300;
  const body = await decode(answer, options.format ?? "json", provider).catch((error: unknown) => {
    if (ok) throw error;
    // Some providers explain a refusal in plain text, whatever the format of their other answers.
    return decode(answer, "text", provider);
  });
  const own = provider.errorIn?.(body, status);
  if (own) throw own;
  if (!ok) throw statusError(answer, provider, ctx);
  const parsed = options.schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CapabilityError("UPSTREAM_SCHEMA", `${provider.name} answered in an unknown format.`, {
    cause: new Error(`${issue?.path.join(".")}: ${issue?.message}`),
  });
}

function statusError(answer: UpstreamResponse, { name, secret, refusals }: Provider, ctx: Context): CapabilityError {
  const { status } = answer;
  const refusal = refusals?.[status];
  if (refusal !== undefined) return new CapabilityError("INVALID_INPUT", refusal);
  if (status === 429) {
    const waitMs = retryAfterMs(answer);
    return new CapabilityError("UPSTREAM_RATE_LIMIT", `${name} takes no more requests for now.`, {
      ...(waitMs === undefined ? {} : { retryAfter: Math.ceil(waitMs / 1000) }),
    });
  }
  // A refusal of a request with our key may concern the key.
  if (secret && ctx.secret(secret.name) && (status === 401 || status === 403))
    return new CapabilityError("PROVIDER_NOT_CONFIGURED", `${name} refused the key in ${secret.name}.`);
  return new CapabilityError("UPSTREAM_ERROR", `${name} answered with status ${status}.`);
}
