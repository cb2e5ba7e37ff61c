/** Input fields of the services for wallets: one vocabulary for all. Light, so that capabilities may import it. */
import { z } from "zod";
import { isoDateTime, text, uri } from "../../capability/fields.js";
import { isEarly, leave } from "../../capability/later.js";
import type { Source } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { invalid } from "../../errors.js";
import { UnreadJson } from "../../lib/text/unread-json.js";
import { FilterError, type Root, readFilter, readPointer } from "./filter.js";
import { boundsObjection, LIGHT_BYTES } from "./json-bounds.js";
import { isStorableText, UNSTORABLE } from "./storable.js";

/** Source of every answer with a wallet's data. */
export const walletData: Source = { provider: "built-in", url: "", license: "The wallet's own data" };

export const MAX_VALUE_BYTES = 1024 * 1024;
/** Request size: every character of a value may be written as an escape. */
export const MAX_VALUE_BODY_BYTES = 2_200_000;

const named = (pattern: RegExp, max: number, characters: string) =>
  z
    .string()
    .regex(pattern, { error: `must be 1 to ${max} letters, digits or ${characters}` })
    .meta({ minLength: 1, maxLength: max });

/** A namespace, a queue or a topic. */
export const namespace = () => named(/^[A-Za-z0-9._:-]{1,64}$/, 64, ". _ : -").describe("Namespace within your wallet");

export const key = () => named(/^[A-Za-z0-9._:/-]{1,256}$/, 256, ". _ : / -").describe("Key within the namespace");

export const keyPrefix = () =>
  z
    .string()
    .max(256)
    .regex(/^[A-Za-z0-9._:/-]*$/, { error: "must be letters, digits or . _ : / -" })
    .default("")
    .describe("Prefix of the keys");

/** Text that can be stored; any other is refused before money moves. */
// guard: wallets: what no database keeps is refused in its field | returns text(min, max) | hostile-text
export const storedText = (min: number, max: number) =>
  text(min, max).refine(isStorableText, { error: UNSTORABLE, abort: true });

export const label = () => storedText(0, 64).describe("Your own name for it").optional();

/** 90 days, also the life of an object that is never used. */
export const MAX_TTL_SECONDS = 7_776_000;

export const ttlSeconds = () =>
  z
    .int()
    .min(60)
    .max(MAX_TTL_SECONDS)
    .describe("How long it lives from now on, in seconds; otherwise 90 days from its last read or write")
    .optional();

export const ifVersion = () =>
  z.int().min(0).describe("Only if this is the current version; 0: only if it does not exist yet").optional();

export const fence = () =>
  z
    .strictObject({
      key: key().describe("Key of the lock"),
      fencingToken: z.int().min(1).describe("The number from its acquisition"),
    })
    .describe("Only while this lock is held under this number")
    .optional();

/** Conditions for writing an object. */
export const writeOptions = () => ({ ttlSeconds: ttlSeconds(), ifVersion: ifVersion(), fence: fence() });

export interface WriteOptions {
  ttlSeconds?: number | undefined;
  ifVersion?: number | undefined;
  fence?: { key: string; fencingToken: number } | undefined;
}

/** Start of a page: `meta.nextCursor` of the previous page. */
export const after = () => text(1, 2048).describe("Cursor: meta.nextCursor of the page before").optional();

/** Any JSON without an objection; zod's own record would drop "__proto__". */
const judged = (judge: (value: unknown) => string | undefined) =>
  z.unknown().superRefine((value, issue) => {
    const message = judge(value);
    if (message) issue.addIssue({ code: "custom", message });
  });

/** Any JSON of at most this many bytes when serialized. */
export const jsonValue = (maxBytes = MAX_VALUE_BYTES) => judged((value) => boundsObjection(value, { maxBytes }));

const MAX_FILE_BYTES = 3 * 1024 * 1024;
/** Size of a request with a file in base64. */
export const MAX_FILE_BODY_BYTES = 4_300_000;

function isBase64(text: string): boolean {
  if (isEarly() && text.length > LIGHT_BYTES) {
    leave();
    return true;
  }
  return Buffer.from(text, "base64").toString("base64") === text;
}

/** A file as base64 with padding; `run` gets it unchanged. */
export const fileData = () =>
  z
    .string()
    .min(4, { abort: true })
    .max((MAX_FILE_BYTES / 3) * 4, { abort: true })
    .refine(isBase64, { error: "must be base64 of 1 byte to 3 MB, with padding", abort: true })
    .meta({ contentEncoding: "base64" })
    .describe("The bytes, 1 to 3,145,728 of them, in base64");

/** A media type without parameters, since it becomes a header. */
export const mediaType = () =>
  z
    .string()
    .max(128)
    .regex(/^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*$/, {
      error: "must be type/subtype, such as image/png",
    });

export const MAX_META_BYTES = 16 * 1024;

const isMembers = (value: unknown): boolean =>
  value instanceof UnreadJson ? !value.isList : typeof value === "object" && value !== null && !Array.isArray(value);

const objectionToStored = (value: unknown, maxBytes: number): string | undefined =>
  boundsObjection(value, { maxBytes, isSearched: true });

/** A JSON object that is searched. */
export const jsonObject = (maxBytes: number) =>
  judged((value) => (isMembers(value) ? objectionToStored(value, maxBytes) : "must be a JSON object")).meta({
    type: "object",
  }) as unknown as z.ZodType<Record<string, unknown>>;

/** Content of a document: a text or a JSON object. */
export const docBody = (maxBytes = MAX_VALUE_BYTES) =>
  judged((value) =>
    typeof value === "string" || isMembers(value)
      ? objectionToStored(value, maxBytes)
      : "must be a text or a JSON object",
  );

const MAX_FILTER_BYTES = 16 * 1024;

/** A condition on documents, or on the metadata of vectors. */
export const filter = (roots: readonly Root[]) =>
  judged((value) => {
    if (value === undefined) return undefined;
    const objection = objectionToStored(value, MAX_FILTER_BYTES);
    if (objection) return objection;
    try {
      readFilter(value, roots);
    } catch (error) {
      if (error instanceof FilterError) return error.message;
      throw error;
    }
    return undefined;
  })
    .meta({ type: "object" })
    .describe(
      `JSON pointers below ${roots.map((root) => `/${root}`).join(" and ")}, each with a value or with eq, ne, gt, gte, lt, lte, in, exists, prefix or contains: {"/meta/lang": "en", "/meta/year": {"gte": 2020}}; combined by and, or, not. At most 16 KB, 20 conditions, 4 levels, 16 steps a pointer and 50 values in a list of in; contains takes a text of up to 1,024 characters, and an object or a list only for lists of up to 10,000 elements`,
    )
    .optional();

/** A JSON pointer to a part of a document. */
export const pointer = () =>
  storedText(1, 512).superRefine((value, issue) => {
    try {
      readPointer(value, ["body", "meta"]);
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      issue.addIssue({ code: "custom", message: error.message });
    }
  });

/** Whether the squares and products of a float32 vector are finite. */
const isUsual = (vector: number[]): boolean => {
  const length = Math.hypot(...vector);
  return length >= 1e-15 && length <= 1e15;
};

export const embedding = () =>
  z
    .array(z.number())
    .min(1)
    .max(4096)
    .refine(isUsual, { error: "must not be all zeros, and its length must be between 1e-15 and 1e15", abort: true })
    .describe("The vector; all of a namespace have as many numbers");

/** Fields of results. */
export const version = () => z.int().describe("Grows with every write");
export const bytes = () => z.int().describe("Its size for the wallet's quota: names, value and 200 bytes");
export const expiresAt = () => isoDateTime();
export const refusal = () =>
  z.enum(["version", "fenced"]).describe("Why not: another version is current, or the lock is not held").optional();

/** The wallet of an answer, in `data.meta`. */
export const ownedBy = ({ wallet }: Context): Record<string, unknown> => ({
  wallet: wallet?.id,
  ...(wallet?.trial ? { trial: true, note: "A trial works on sample data, and nothing is stored." } : {}),
});

/** One page of a list; `meta.nextCursor` names the start of the next one. */
export const paged = <Row>(ctx: Context, { items, nextCursor }: { items: Row[]; nextCursor?: string | undefined }) => ({
  items,
  total: null,
  meta: { ...ownedBy(ctx), ...(nextCursor ? { nextCursor } : {}) },
});

/** Result of a write: whether it was done, the new version, or the reason. */
export const written = () => ({
  stored: z.boolean(),
  version: version().optional(),
  bytes: bytes().optional(),
  expiresAt: expiresAt().optional(),
  reason: refusal(),
});

/** Duration of a lease in seconds. */
export const leaseSeconds = (most: number) =>
  z.int().min(1).max(most).describe("How long it is held from now on, in seconds");

/** Token of a lock or a lease. */
export const token = () =>
  text(1, 128)
    .regex(/^[A-Za-z0-9._-]+$/)
    .describe("The token from its acquisition");

/** Token of the sample lock in a trial. */
export const SAMPLE_TOKEN = "sample-token-of-a-trial";

export const queue = () =>
  text(1, 64)
    .regex(/^[A-Za-z0-9._:-]+$/, { error: "may have letters, digits and . _ : - only" })
    .describe("Name of the queue");

export const messageId = () => text(1, 18).regex(/^\d+$/).describe("The id from enqueue or lease");

/** One leased message, or several. */
export const receipts = () => ({
  id: messageId().optional(),
  leaseToken: token().optional(),
  messages: z
    .array(z.strictObject({ id: messageId(), leaseToken: token() }))
    .min(1)
    .max(100)
    .describe("Several messages, instead of id and leaseToken")
    .optional(),
});

interface Receipts {
  id?: string | undefined;
  leaseToken?: string | undefined;
  messages?: { id: string; leaseToken: string }[] | undefined;
}

/** The leased messages that the input names. Throws INVALID_INPUT for both forms or neither. */
export function receiptsOf({ id, leaseToken, messages }: Receipts): { id: string; leaseToken: string }[] {
  if (messages && id === undefined && leaseToken === undefined) return messages;
  if (messages || id === undefined || leaseToken === undefined)
    throw invalid("id", "is required with its leaseToken, or messages instead of both");
  return [{ id, leaseToken }];
}

/**
 * URL that receives a callback. Whether it may be reached is checked before money moves, and again before every
 * attempt.
 */
export const callbackUrl = () =>
  uri(2048).refine(isStorableText, { error: UNSTORABLE }).describe("Where calls are posted to, https");

/** An id such as `sch_` and 32 hex digits. */
export const id = (prefix: string, example = prefix) =>
  z.string().regex(new RegExp(`^${prefix}_[0-9a-f]{32}$`), {
    error: `must be an id such as ${example}_0123…, of 32 hex digits`,
  });

/** Id of a schedule, watcher or subscription. */
export const callbackId = () => id("(?:sch|wat|sub)", "sch").describe("Of the schedule, watcher or subscription");

/** A JSON pointer (RFC 6901) with at least one step. */
export const jsonPointer = () =>
  storedText(1, 512).regex(/^(?:\/(?:[^/~]|~[01])*){1,16}$/, {
    error: "must be a JSON pointer of 1 to 16 steps, such as /items/0/price",
  });

const MAX_PAYLOAD_BYTES = 16 * 1024;

export const payload = () =>
  z
    .record(z.string(), z.unknown())
    .superRefine((value, issue) => {
      const objection = boundsObjection(value, { maxBytes: MAX_PAYLOAD_BYTES });
      if (objection) issue.addIssue({ code: "custom", message: objection });
    })
    .describe(
      "Your own object, up to 16 KB, sent with every callback; each callback counts towards the wallet's quota until a week after it arrived",
    )
    .optional();
