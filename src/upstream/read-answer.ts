/** Interprets an answer: a value of the expected format, or an error of our own table. */
import type { z } from "zod";
import type { Provider } from "../capability/provider.js";
import type { Context } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import { decode, type UpstreamFormat } from "./decode.js";
import { type Outgoing, retryAfterMs, type UpstreamResponse } from "./exchange.js";
import { countingLeftOut } from "./fields/left-out.js";
import { FormatError } from "./format-error.js";
import { isAbsence, withNulls } from "./inventory/absent.js";
import { type CallInventory, inventoryOf } from "./inventory/inventory.js";
import { findRenamed } from "./inventory/renamed.js";
import { seenIn } from "./inventory/seen.js";

interface Expected<T> {
  schema: z.ZodType<T>;
  format?: UpstreamFormat;
}

interface Asked {
  provider: Provider;
  ctx: Context;
  outgoing: Outgoing;
}

export interface UpstreamAnswer<T> {
  value: T;
  /** Records that its lists do without, because each lacks what tells it from others. */
  leftOut: number;
}

/** Rejects with the provider's own error, the error of the status, or UPSTREAM_SCHEMA. */
export async function readAnswer<T>(
  answer: UpstreamResponse,
  { provider, ctx, outgoing }: Asked,
  options: Expected<T>,
): Promise<UpstreamAnswer<T>> {
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
  const known = await inventoryOf(provider, outgoing);
  const renamed = known && findRenamed(body, known);
  if (renamed)
    throw unknownFormat(
      provider,
      [renamed.path, renamed.missing].filter(Boolean).join("."),
      `is not there; unknown beside it: ${renamed.unknown.slice(0, MAX_TOLD).map(placeOf).join(", ")}`,
    );
  // Before missing fields are filled in.
  const seen = known && ctx.onKeys && seenIn(body, known, provider.name);
  const { value: parsed, leftOut } = parse(body, options.schema, known);
  if (parsed.success) {
    if (seen) ctx.onKeys?.(seen);
    return { value: parsed.data, leftOut };
  }
  const [issue] = parsed.error.issues;
  const beside = keysBeside(body, issue?.path ?? []);
  const because = `${issue?.message ?? ""}${beside.length > 0 ? `; beside it: ${beside.join(", ")}` : ""}`;
  throw unknownFormat(provider, issue?.path.map(placeOf).join("."), because);
}

/** A name of a field, and no key that is data itself, such as an address or a person's name. */
const FIELD = /^[A-Za-z_@$][\w.@$-]{0,39}$/;
const placeOf = (part: PropertyKey) => (typeof part === "number" || FIELD.test(String(part)) ? String(part) : "*");

/** Names of fields of the object that lacks what an issue is about, or has it otherwise. */
function keysBeside(body: unknown, path: readonly PropertyKey[]): string[] {
  let object = body;
  for (const part of path.slice(0, -1)) object = (object as Record<PropertyKey, unknown> | null | undefined)?.[part];
  if (typeof object !== "object" || object === null || Array.isArray(object)) return [];
  const missing = path.at(-1);
  const names = Object.keys(object).filter((name) => name !== missing);
  // An object of many keys, or of others than names, is an index by what it holds.
  return names.length <= MOST_FIELDS && names.every((name) => FIELD.test(name)) ? names.slice(0, MAX_BESIDE) : [];
}

const MOST_FIELDS = 80;
const MAX_BESIDE = 12;

/** Names that a message tells. */
const MAX_TOLD = 5;

/** Enough for absences that show only once the objects above them are filled in. */
const MAX_FILLS = 4;

/** Fields that a record lacks are null, if an inventory of the call says that no field beside them is new. */
function parse<T>(body: unknown, schema: z.ZodType<T>, known: CallInventory | undefined) {
  const read = (value: unknown) => countingLeftOut(() => schema.safeParse(value));
  let parsed = read(body);
  for (let fills = 0; known && fills < MAX_FILLS; fills++) {
    const { error } = parsed.value;
    if (!error || !isAbsence(error)) break;
    parsed = read(withNulls(body, error));
  }
  return parsed;
}

const unknownFormat = ({ name }: Provider, path: string | undefined, because: string | undefined) =>
  new CapabilityError("UPSTREAM_SCHEMA", `${name} answered in an unknown format.`, {
    cause: new FormatError(path ?? "", because),
  });

function statusError(answer: UpstreamResponse, { name, secret, refusals }: Provider, ctx: Context): CapabilityError {
  const { status } = answer;
  const refusal = refusals?.[status];
  if (refusal !== undefined) return new CapabilityError("INVALID_INPUT", refusal);
  if (status === 429) {
    const waitMs = retryAfterMs(answer);
    return new CapabilityError("UPSTREAM_RATE_LIMIT", `${name} is rate limiting requests; retry later.`, {
      ...(waitMs === undefined ? {} : { retryAfter: Math.ceil(waitMs / 1000) }),
    });
  }
  // A refusal of a request with our key may concern the key.
  if (secret && ctx.secret(secret.name) && (status === 401 || status === 403))
    return new CapabilityError("PROVIDER_NOT_CONFIGURED", `${name} refused the key in ${secret.name}.`);
  return new CapabilityError("UPSTREAM_ERROR", `${name} answered with status ${status}.`);
}
