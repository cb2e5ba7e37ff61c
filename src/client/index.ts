import type { AnyCapability } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import { fromMicros } from "../lib/money.js";
import type { Catalogue, Client } from "./client.js";
import { createFinder, type EndpointFacts } from "./find-endpoint.js";
import { type ClientOptions, clientOptions, readBaseUrl, readUsd } from "./options.js";
import { buyOver } from "./paying-fetch.js";
import { readMaxBytes } from "./read-response.js";
import type { OutgoingCall } from "./reply.js";
import { type ClientSession, createClientSession, type PendingCall } from "./session.js";
import type { Answer, ClientCallOptions, ClientServices, JobServices, StreamedAnswer } from "./types.js";

export { CapabilityError } from "../errors.js";
export type { CallMeta } from "../request/respond.js";
export type { BuyerLimits, Purchase, SpendingBook, SpendingRecord } from "./buyer-limits.js";
export type { Client } from "./client.js";
export type { CreditToken } from "./credits.js";
export type { ClientOptions, Payer } from "./options.js";
export type {
  Answer,
  ClientCallOptions,
  DeliveryProof,
  Endpoint,
  Job,
  ReceiptOptions,
  Spending,
  StreamedAnswer,
} from "./types.js";

/**
 * A typed client of a mounted service: `client.<group>.<name>(input)` resolves to the capability's own result, and
 * rejects with its CapabilityError; with `PAYMENT_REQUIRED` if nothing pays, and with `SPENDING_LIMIT` if a call
 * exceeds a limit. Throws a TypeError that names an invalid option.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl: "https://api.example.com", pay: x402Client, maxPerCallUsd: "0.01" });
 * const { items } = await client.convert.unit({ value: 1, from: "kg", to: "lb" });
 * const { data, meta } = await client.convert.unit.withMeta({ value: 1, from: "kg", to: "lb" });
 * const answer = client.ai.chat.stream({ model, messages });
 * for await (const { choices } of answer) process.stdout.write(choices[0]?.delta.content ?? "");
 * const { costUsd } = await answer.meta;
 * ```
 */
export function createClient<C extends AnyCapability = Catalogue>(options: ClientOptions): Client<C> {
  clientOptions("", options);
  const baseUrl = readBaseUrl(options.baseUrl);
  // Resolves the global fetch at call time, so that a test or an agent may replace it after import.
  const fetch: typeof globalThis.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const session = createClientSession(options, fetch);
  const maxBytes = readMaxBytes(options.maxResponseBytes);
  const find = createFinder(fetch, baseUrl, maxBytes);

  async function prepare(name: string, input: object = {}, settings: ClientCallOptions = {}): Promise<PendingCall> {
    const { signal, idempotencyKey, maxUsd, hops } = settings;
    const most = readUsd("maxUsd", maxUsd);
    const endpoint = await find(name);
    const sent = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const headers: Record<string, string> = hops ? { "x-402-hops": String(hops) } : {};
    const outgoing = { ...outgoingOf(baseUrl, endpoint, sent), headers };
    const hasInput = Object.keys(sent).length > 0;
    return { endpoint, outgoing, hasInput, signal, most, name: idempotencyKey };
  }
  const call = async (...asked: Parameters<typeof prepare>) => {
    const pending = await prepare(...asked);
    return session.checked(pending, await buy(options, session, pending));
  };

  function stream(...asked: Parameters<typeof prepare>): StreamedAnswer<unknown> {
    const open = async () => {
      const [{ openStream, parts }, pending] = await Promise.all([import("./stream.js"), prepare(...asked)]);
      pending.outgoing.headers.accept = "text/event-stream";
      pending.parts = parts;
      return openStream(await buy(options, session, pending), { session, pending, payer: options.pay, maxBytes });
    };
    const opened = open();
    const meta = opened.then((one) => one.meta);
    // Its caller may look at the chunks alone.
    meta.catch(() => {});
    return {
      meta,
      async *[Symbol.asyncIterator]() {
        yield* (await opened).chunks;
      },
    };
  }

  const jobs = async () => (await import("./jobs/jobs.js")).createJobs({ ...options, fetch, baseUrl, maxBytes });
  const later = async (...asked: Parameters<typeof prepare>) => {
    const [{ payForJob }, pending] = await Promise.all([import("./jobs/jobs.js"), prepare(...asked)]);
    return payForJob(pending, () => buy(options, session, pending));
  };

  const services: ClientServices<never> = {
    jobs: byName(
      (name) =>
        async (...asked: [string]) =>
          (await jobs())[name as "get"]?.(...asked),
    ) as JobServices,
    $call: call as never,
    $stream: stream as never,
    $spending: () => session.budget.spending(),
    $unansweredUsd: () => fromMicros(session.unanswered.sum()),
    $credits: () => session.credits.tokens(),
  };
  const endpoint = (name: string) =>
    Object.assign(async (input?: object, settings?: ClientCallOptions) => (await call(name, input, settings)).data, {
      withMeta: (input?: object, settings?: ClientCallOptions) => call(name, input, settings),
      later: (input?: object, settings?: ClientCallOptions) => later(name, input, settings),
      stream: (input?: object, settings?: ClientCallOptions) => stream(name, input, settings),
    });
  const group = byName((name) => byName((one) => endpoint(`${name}.${one}`)));
  return Object.assign(group, services) as Client<C>;
}

/** Loaded by the first call that a wallet of this client pays. */
const buyWith: typeof import("./wallet.js").buyWith = async (...asked) =>
  (await import("./wallet.js")).buyWith(...asked);

/** The account pays first, and a wallet where its balance is too small. A payment that was sent already is not left. */
function buy({ apiKey, pay }: ClientOptions, session: ClientSession, pending: PendingCall): Promise<Answer<unknown>> {
  const byWallet = () => (pay ? buyWith(pay, session, pending) : buyOver(session, pending));
  if (!apiKey || session.hasOpenPayment(pending)) return byWallet();
  const { outgoing } = pending;
  const headers = { ...outgoing.headers, authorization: `Bearer ${apiKey}` };
  return buyOver(session, { ...pending, outgoing: { ...outgoing, headers } }).catch((error: unknown) => {
    if (pay && CapabilityError.is(error) && error.code === "PAYMENT_REQUIRED") return byWallet();
    throw error;
  });
}

/** An object whose members are created on first access. */
function byName(make: (name: string) => unknown): object {
  return new Proxy<Record<string | symbol, unknown>>(
    {},
    {
      get(made, name) {
        // A member named "then" would turn the client into a promise when it is awaited.
        if (typeof name === "symbol" || name === "then") return undefined;
        if (!Object.hasOwn(made, name)) made[name] = make(name);
        return made[name];
      },
    },
  );
}

function outgoingOf(
  baseUrl: string,
  { id, method, path = id.replace(".", "/") }: EndpointFacts,
  input: Record<string, unknown>,
): Omit<OutgoingCall, "headers"> {
  const url = `${baseUrl}/${path}`;
  if (method === "POST") return { url, method, body: JSON.stringify(input) };
  const query = new URLSearchParams(Object.entries(input).map(([name, value]): [string, string] => [name, `${value}`]));
  return { url: query.size > 0 ? `${url}?${query}` : url, method, body: undefined };
}
