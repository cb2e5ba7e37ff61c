/**
 * How a facilitator took the extensions of a payment: the header EXTENSION-RESPONSES of its answers, such as the refusal
 * of its catalogue to list an endpoint. They are told to the log, and decide nothing about the payment.
 */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";

const MAX_LENGTH = 16_384;
const MAX_EXTENSIONS = 16;

const text = z
  .string()
  .transform((value) => value.slice(0, 200))
  .optional()
  .catch(undefined);
const responses = once(() =>
  z.record(
    z.string().max(64),
    z.object({ status: text, code: text, reason: text, rejectedReason: text }).catch({} as Record<string, never>),
  ),
);

export type ExtensionResponses = z.infer<ReturnType<typeof responses>>;

/** Undefined for what cannot be read: the header is advice, and a facilitator may send anything. */
export function readExtensionResponses(header: string | undefined): ExtensionResponses | undefined {
  if (header === undefined || header.length > MAX_LENGTH) return undefined;
  try {
    return fromExtensionResponses(JSON.parse(Buffer.from(header, "base64").toString()));
  } catch {
    return undefined;
  }
}

/** The same as clients of the official packages put it beside their answers. */
export function fromExtensionResponses(value: unknown): ExtensionResponses | undefined {
  const { data } = responses().safeParse(value);
  return data && Object.fromEntries(Object.entries(data).slice(0, MAX_EXTENSIONS));
}

/** Logs each response when it differs from the last of its extension, so that a line is not written for each payment. */
export function createExtensionLog(logger: Logger): (told: ExtensionResponses | undefined) => void {
  const last = new Map<string, string>();
  return (told = {}) => {
    for (const [extension, response] of Object.entries(told)) {
      const now = JSON.stringify(response);
      if (last.get(extension) === now || (!last.has(extension) && last.size >= MAX_EXTENSIONS)) continue;
      last.set(extension, now);
      const facts = { extension, ...response };
      if (response.status === "rejected") logger.warn(facts, `facilitator: it rejected the extension ${extension}`);
      else logger.info(facts, `facilitator: it answered the extension ${extension}`);
    }
  };
}
