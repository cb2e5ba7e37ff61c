/** Types of a client's calls, derived from the types of the capabilities; no code is loaded. */
import type { AnyCapability, Input, Output } from "../capability/types.js";
import type { CallMeta } from "../request/respond.js";
import type { CreditToken } from "./credits.js";

type Named<C extends AnyCapability, Id extends string> = Extract<C, { readonly id: Id }>;

export interface ClientCallOptions {
  /** Ends the call early. A result that is already paid for is kept for the next call with the same input. */
  signal?: AbortSignal | undefined;
  /** Maximum cost of this call, in US dollars, in addition to the client's own limits. */
  maxUsd?: string | number | undefined;
  /**
   * Your own name for the purchase, at least 16 characters that cannot be guessed. A wallet buys a request once under
   * it, even if another process made the first attempt.
   */
  idempotencyKey?: string | undefined;
  /** For resellers: how many hosts the call passed, this one included. Services refuse calls that loop. */
  hops?: number | undefined;
}

/** A result with the facts of its call: cost, transaction, request id. */
export interface Answer<Data> {
  data: Data;
  meta: CallMeta;
  /** The service's statement of what it delivered, checked; absent without one, as for what is free. */
  delivery?: DeliveryProof;
}

/** A signed statement that this body answered this request for this amount. Keep `statement` as the proof. */
export interface DeliveryProof {
  /** A compact JWS. */
  statement: string;
  /** The key that signed it, as a DID URL. */
  signer: string;
  /** Decimal US dollars. */
  chargedUsd: string;
  /** All that it says. */
  claims: object;
  /** Whether it is of this body, request and amount, and signed by the service's key. */
  isVerified: boolean;
  /** Why it is not. */
  problem?: string;
}

/** How statements of deliveries are checked. */
export interface ReceiptOptions {
  /** True refuses an answer that was paid for without a statement that is right. Default false. */
  required?: boolean;
  /** The key that must have signed, as `did:key:…#…` or `did:pkh:…`. Default: the first one that the service signs with. */
  signer?: string;
  /** Checks statements that an account signed, such as `verifyMessage` of viem. */
  verifyMessage?: (signed: {
    address: `0x${string}`;
    message: { raw: Uint8Array };
    signature: `0x${string}`;
  }) => boolean | Promise<boolean>;
}

type Arguments<In> =
  Record<string, never> extends In
    ? [input?: In, options?: ClientCallOptions]
    : [input: In, options?: ClientCallOptions];

/** An answer that arrives in chunks, to be read once. Leaving the loop ends the work, and what arrived is charged. */
export interface StreamedAnswer<Chunk> extends AsyncIterable<Chunk> {
  /** The facts of the call once it has ended: cost, usage, transaction. Rejects if no end was reached. */
  readonly meta: Promise<CallMeta>;
}

/** A call whose answer is fetched later. */
export interface Job<Result = unknown> {
  /** Its secret: whoever knows it may fetch and cancel the job. Empty if the service answered at once. */
  id: string;
  endpoint: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  /** From 0 to 1. */
  progress: number;
  /** The body of the answer: for most endpoints `{ data, meta }`. */
  result?: Result;
  /** Charged in the end, in decimal US dollars. */
  costUsd?: string;
  /** Why it failed, or was cancelled. */
  error?: { status: number; code: string; detail: string };
  /** The receipt of its payment, as `PAYMENT-RESPONSE` has it. */
  receipt?: string;
  createdAt?: string;
  endedAt?: string;
  expiresAt: string;
}

/** Each rejects with JOB_NOT_FOUND for an unknown id. */
export interface JobServices {
  get(id: string, options?: { signal?: AbortSignal | undefined }): Promise<Job>;
  /** The job once it has ended, however it ended. */
  wait(id: string, options?: { signal?: AbortSignal | undefined }): Promise<Job>;
  /** The job as it is then: `cancelled`, unless its end came first. */
  cancel(id: string, options?: { signal?: AbortSignal | undefined }): Promise<Job>;
}

interface Callable<C extends AnyCapability> {
  (...args: Arguments<Input<C>>): Promise<Output<C>>;
  /** The same call, with its facts beside the result. */
  withMeta(...args: Arguments<Input<C>>): Promise<Answer<Output<C>>>;
  /** The same call, paid and left: its answer is fetched by `client.jobs`. The most that it may cost counts as spent. */
  later(...args: Arguments<Input<C>>): Promise<Job>;
}

interface Streamed<C extends AnyCapability, Chunk> {
  /** The same call, with chunks as they come. A channel pays for them in parts. */
  stream(...args: Arguments<Input<C>>): StreamedAnswer<Chunk>;
}

/** One endpoint: a function from its input to its result. Rejects with a CapabilityError. */
export type Endpoint<C extends AnyCapability> = Callable<C> &
  (C extends { stream(...args: never[]): AsyncGenerator<infer Chunk, unknown, void> } ? Streamed<C, Chunk> : unknown);

/** Spending of a client, in decimal US dollars. */
export interface Spending {
  /** Signed and accepted amounts in full, even if the service reports a refund. */
  spentUsd: string;
  /** Signed for calls that are running, lost or failed and not known to be charged. It counts against the total. */
  heldUsd: string;
}

export interface ClientServices<C extends AnyCapability> {
  /** Calls that were paid and left. */
  readonly jobs: JobServices;
  /** Calls an endpoint by its id, such as "convert.unit". */
  $call<Id extends C["id"]>(
    id: Id,
    input: Input<Named<C, Id>>,
    options?: ClientCallOptions,
  ): Promise<Answer<Output<Named<C, Id>>>>;
  /** The same call, with chunks as they come; a service that does not stream gives its answer as one. */
  $stream<Id extends C["id"]>(id: Id, input: Input<Named<C, Id>>, options?: ClientCallOptions): StreamedAnswer<unknown>;
  $spending(): Spending;
  /** Paid, or signed and sent, within the last hour without an answer, in decimal US dollars. */
  $unansweredUsd(): string;
  /**
   * Tokens of credit that the service owes. The client uses them by itself; store them to keep them beyond the process.
   */
  $credits(): CreditToken[];
}
