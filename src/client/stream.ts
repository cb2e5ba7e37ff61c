/** Reads an answer that arrives as server-sent events. Loaded by the first call that asks for one. */
import { CapabilityError, type ErrorCode } from "../errors.js";
import type { CallMeta } from "../request/respond.js";
import { firstPart, partOf, payNext, type VoucherRequest } from "./channel-payer.js";
import type { Payer } from "./options.js";
import { type Events, errorOfReply } from "./reply.js";
import type { ClientSession, PendingCall } from "./session.js";
import type { Answer } from "./types.js";

export const parts = { firstPart, partOf };

/** The longest event that is read, in characters. */
const MAX_EVENT = 4 * 1024 * 1024;

export interface StreamReading {
  session: ClientSession;
  pending: PendingCall;
  payer: Payer | undefined;
  maxBytes: number;
}

/** The chunks of an answer, and its facts once they have ended. */
export interface Opened {
  chunks: AsyncGenerator<unknown, void, void>;
  meta: Promise<CallMeta>;
}

export function openStream({ data, meta }: Answer<unknown>, reading: StreamReading): Opened {
  let resolve = (_: CallMeta) => {};
  let reject = (_: unknown) => {};
  const told = new Promise<CallMeta>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Its caller may look at the chunks alone.
  told.catch(() => {});
  return { meta: told, chunks: chunks() };

  async function* chunks() {
    // A service that does not stream answers at once.
    if (!isStream(data)) {
      resolve(meta);
      yield data;
      return;
    }
    let end: End | undefined;
    try {
      end = yield* read(data.events, reading);
      resolve(end.meta);
      if (end.failure) throw end.failure;
    } catch (error) {
      // The same payment fetches what was stored of it.
      if (!end) data.events.broke();
      reject(error);
      throw error;
    } finally {
      if (!end) await data.events.end();
      reject(left());
    }
  }
}

const isStream = (data: unknown): data is { events: Events } =>
  typeof data === "object" && data !== null && "events" in data;

interface End {
  meta: CallMeta;
  failure: CapabilityError | undefined;
}

/** Yields the chunks, pays for further parts where the stream asks, and returns what the last event told. */
async function* read(events: Events, reading: StreamReading): AsyncGenerator<unknown, End, void> {
  let failure: CapabilityError | undefined;
  let told: Facts | undefined;
  for await (const { event, data } of eventsOf(events.body, reading.maxBytes)) {
    // The stream waits for the voucher, and its end tells if none was taken.
    if (event === "payment") {
      void payNext(JSON.parse(data) as VoucherRequest, { ...reading, events });
      continue;
    }
    const { chunk, facts = told } = readData(event, data);
    told = facts;
    if (event === "error") failure = failed(data, reading.pending);
    if (chunk !== undefined) yield chunk;
    else if (told) return { meta: await noteEnd(events, reading, told), failure };
  }
  throw failure ?? new CapabilityError("UPSTREAM_ERROR", "The stream broke off. Call again with the same input.");
}

/**
 * The chunk of an event, if it has one, and the facts of the call: an event of their own tells them, or the usage of the
 * last chunk or error.
 */
function readData(event: string, data: string): { chunk?: unknown; facts?: Facts } {
  if (data === "[DONE]") return {};
  const read = JSON.parse(data) as { usage?: Partial<Facts> | null } & Facts;
  if (event === "meta") return { facts: read };
  const { meta, headers, ...usage } = read?.usage ?? {};
  const facts = meta && headers ? { facts: { meta, headers } } : {};
  if (event === "error") return facts;
  return { chunk: meta && headers ? { ...read, usage } : read, ...facts };
}

interface Facts {
  meta: CallMeta;
  headers: Record<string, string>;
}

/** The last event has the headers that a plain answer would have had. */
async function noteEnd(events: Events, { session }: StreamReading, { meta, headers }: Facts): Promise<CallMeta> {
  const ended = new Headers(headers);
  session.credits.note(ended, meta, events.credit);
  await events.end(ended, meta);
  return meta;
}

function failed(data: string, pending: PendingCall): CapabilityError {
  const problem = JSON.parse(data) as { status?: number; code?: ErrorCode };
  const bytes = new TextEncoder().encode(data);
  return errorOfReply({ status: problem.status ?? 500, headers: new Headers(), bytes }, pending.outgoing.url);
}

const left = () =>
  new CapabilityError("UPSTREAM_ERROR", "The stream was left before its end: what arrived is charged.");

async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<{ event: string; data: string }, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.byteLength;
      if (size > maxBytes || rest.length > MAX_EVENT)
        throw new CapabilityError("UPSTREAM_ERROR", `The stream is longer than ${maxBytes} bytes, maxResponseBytes.`);
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const lines = block.split(/\r?\n/);
        const of = (name: string) =>
          lines.flatMap((line) => (line.startsWith(name) ? line.slice(name.length).trim() : []));
        const data = of("data:");
        if (data.length > 0) yield { event: of("event:")[0] ?? "message", data: data.join("\n") };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
