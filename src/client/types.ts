/** What a client looks like to a compiler: made of the types of the capabilities, of which nothing is loaded. */
import type { capabilities } from "../capabilities/index.js";
import type { AnyCapability, Input, Output } from "../capability/types.js";
import type { CallMeta } from "../request/respond.js";
import type { CreditToken } from "./credits.js";

/** What this package sells. */
export type Catalogue = (typeof capabilities)[number];

type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;
type GroupOf<Id extends string> = Id extends `${infer Group}.${string}` ? Camel<Group> : never;
type NameOf<Id extends string> = Id extends `${string}.${infer Name}` ? Camel<Name> : never;
type Named<C extends AnyCapability, Id extends string> = Extract<C, { readonly id: Id }>;

export interface ClientCallOptions {
  /** Ends the call early. What is paid for by then is there for the next call with the same input. */
  signal?: AbortSignal | undefined;
  /** The most that this call may cost, in US dollars; the client's own limits hold besides. */
  maxUsd?: string | number | undefined;
  /**
   * Your own name for the purchase, at least 16 characters that nobody guesses. A wallet buys a request once under it, also
   * where the first try was of a process that is gone.
   */
  idempotencyKey?: string | undefined;
  /** For hosts that sell on: how many hosts the call came through, this one included. Services refuse what goes in a ring. */
  hops?: number | undefined;
}

/** A result with the facts of the call that it came from: what it cost, its transaction, its request id. */
export interface Answer<Data> {
  data: Data;
  meta: CallMeta;
}

type Arguments<In> =
  Record<string, never> extends In
    ? [input?: In, options?: ClientCallOptions]
    : [input: In, options?: ClientCallOptions];

/** One endpoint: a function from its input to its result. Rejects with a CapabilityError. */
export interface Endpoint<C extends AnyCapability> {
  (...args: Arguments<Input<C>>): Promise<Output<C>>;
  /** The same call, with its facts beside the result. */
  withMeta(...args: Arguments<Input<C>>): Promise<Answer<Output<C>>>;
}

/** What was spent through a client, in decimal US dollars. */
export interface Spending {
  /** What was signed and taken up: whole, also where the service says that a part of it came back. */
  spentUsd: string;
  /** Signed for calls under way, lost or failed, and not known to be charged. It counts against the total. */
  heldUsd: string;
}

export interface ClientServices<C extends AnyCapability> {
  /** Calls an endpoint by its id, such as "convert.unit". */
  $call<Id extends C["id"]>(
    id: Id,
    input: Input<Named<C, Id>>,
    options?: ClientCallOptions,
  ): Promise<Answer<Output<Named<C, Id>>>>;
  $spending(): Spending;
  /** What was paid within the last hour, or signed and sent, without any answer, in decimal US dollars. */
  $unansweredUsd(): string;
  /** Tokens of what the service owes and keeps as credit. They are used by themselves; kept, they outlive the process. */
  $credits(): CreditToken[];
}

/** `client.<group>.<name>(input)`, with ids in camelCase: "business.br-cnpj" is `client.business.brCnpj`. */
export type Client<C extends AnyCapability = Catalogue> = {
  readonly [Group in GroupOf<C["id"]>]: {
    readonly [One in C as GroupOf<One["id"]> extends Group ? NameOf<One["id"]> : never]: Endpoint<One>;
  };
} & ClientServices<C>;
