/**
 * How a facilitator took the extensions of a payment: the header EXTENSION-RESPONSES of its answers, such as the refusal
 * of its catalogue to list an endpoint. They are told to the log, and decide nothing about the payment.
 */
import { z } from "zod";
import { keepNewest } from "../../lib/bounded.js";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import { HOUR_MS } from "../../lib/time.js";

const MAX_LENGTH = 16_384;
const MAX_EXTENSIONS = 16;
/** It stands in the text of a line, where a line break would begin another. */
const NAME = /^[\x21-\x7e]{1,64}$/;
/** A facilitator may answer each payment with another reason. */
const MAX_LINES_AN_HOUR = 100;
/** Endpoints are few; beyond this number the oldest answers are told again. */
const MAX_REMEMBERED = 2000;

const responses = once(() => {
  const text = z
    .string()
    .transform((value) => value.slice(0, 200))
    .optional()
    .catch(undefined);
  return z.record(
    z.string(),
    z.object({ status: text, code: text, reason: text, rejectedReason: text }).catch({} as Record<string, never>),
  );
});

export type ExtensionResponses = z.infer<ReturnType<typeof responses>>;

/** Undefined for what cannot be read: the header is advice, and a facilitator may send anything. */
export function readExtensionResponses(header: string | undefined): ExtensionResponses | undefined {
  if (header === undefined || header.length > MAX_LENGTH) return undefined;
  try {
    return told(JSON.parse(Buffer.from(header, "base64").toString()));
  } catch {
    return undefined;
  }
}

/** The same as clients of the official packages put it in their answers. */
export function extensionResponsesIn(answer: unknown): ExtensionResponses | undefined {
  try {
    return told((answer as { extensionResponses?: unknown }).extensionResponses);
  } catch {
    return undefined;
  }
}

function told(value: unknown): ExtensionResponses | undefined {
  const { data } = responses().safeParse(value);
  const named = data && Object.entries(data).filter(([name]) => NAME.test(name));
  return named && Object.fromEntries(named.slice(0, MAX_EXTENSIONS));
}

/** A request that it answered. Answers differ by both: a catalogue judges endpoints, and only a settlement ends. */
export interface FacilitatorRequest {
  path: "verify" | "settle";
  endpoint: string | undefined;
}

/** A response, and what it was given to. */
export type ToldExtension = ExtensionResponses[string] & { extension: string; endpoint?: string; request: string };

/**
 * Logs each response when it differs from the last of its extension to such a request, so that a line is not written for
 * each payment, and gives it to `keep`. Never throws: a payment that is settled stays so when no line can be written.
 */
export function createExtensionLog(
  logger: Logger,
  now: () => number = () => performance.now(),
  keep: (told: ToldExtension) => void = () => {},
): (asked: FacilitatorRequest, told: ExtensionResponses | undefined) => void {
  const names = new Set<string>();
  const last = new Map<string, string>();
  let hour = { begun: now(), lines: 0 };

  const isKnown = (name: string) => names.has(name) || (names.size < MAX_EXTENSIONS && names.add(name).has(name));
  function mayWrite(): boolean {
    if (now() - hour.begun >= HOUR_MS) hour = { begun: now(), lines: 0 };
    return hour.lines++ < MAX_LINES_AN_HOUR;
  }
  function write(
    { path, endpoint }: FacilitatorRequest,
    extension: string,
    response: ExtensionResponses[string],
  ): void {
    const facts = { extension, ...(endpoint === undefined ? {} : { endpoint }), request: path, ...response };
    keep(facts);
    if (response.status === "rejected") logger.warn(facts, `facilitator: it rejected the extension ${extension}`);
    else logger.info(facts, `facilitator: it answered the extension ${extension}`);
  }

  return (asked, responses = {}) => {
    for (const [extension, response] of Object.entries(responses)) {
      const place = `${asked.path} ${asked.endpoint ?? ""} ${extension}`;
      const said = JSON.stringify(response);
      if (last.get(place) === said || !isKnown(extension) || !mayWrite()) continue;
      keepNewest(last, place, said, MAX_REMEMBERED);
      try {
        write(asked, extension, response);
      } catch {}
    }
  };
}
