import type { CapabilityError } from "../errors.js";
import type { Source } from "./output.js";
import type { Terms } from "./terms.js";

/** An upstream: who it is, where it is, and how it behaves. */
export interface Provider {
  /** Name of the provider in results. */
  name: string;
  /** Home page of the provider, for people. */
  url: string;
  license: string;
  /** Address to which requests are relative, without a query. */
  baseUrl: string;
  /** Terms for reselling its answers. The directory shows them, and the host decides. */
  terms: Terms;
  /** The key, and how requests carry it. It is added last, so that no cache key, log or error contains it. */
  secret?: ProviderSecret;
  /** Optional packages that every read needs. */
  packages?: readonly string[];
  /** Optional settings that its capabilities read, listed in docs/keys.md. */
  settings?: readonly ProviderSetting[];
  /** Changes that a key brings: larger allowances, or another address. */
  withKey?: Partial<Pick<Provider, "baseUrl" | "quota" | "perSecond" | "concurrency">>;
  /**
   * How requests name their sender. Default: by the host's brand. `browser` suits an upstream that answers browsers
   * only; `contact` names the setting that holds the operator's contact address.
   */
  agent?: "browser" | { contact: string };
  /** Headers of every request. */
  headers?: Record<string, string>;
  /** Other hosts to which it may redirect. */
  redirectHosts?: string[];
  /** False if a redirect is an answer that `errorIn` reads. */
  followsRedirects?: false;
  /** Time limit of one attempt. Default 15 s. */
  timeoutMs?: number;
  /** Largest decoded body in bytes. Default 10 MB. */
  maxBytes?: number;
  /** Concurrent requests. Default 6. */
  concurrency?: number;
  /** Requests per second. Default: as many as the concurrency allows. */
  perSecond?: number;
  /** An allowance known in advance. Requests beyond it are refused here, without a request to the provider. */
  quota?: { requests: number; perMs: number };
  /** Statuses that mean an invalid input, each with the message that the caller gets as INVALID_INPUT. */
  refusals?: Readonly<Record<number, string>>;
  /**
   * Finds an error in an answer of status 200, or explains one of another status. The body comes in the read's format,
   * or as text.
   */
  errorIn?(body: unknown, status: number): CapabilityError | undefined;
  /**
   * Keys that its answers are known to have. A missing field is then null, unless a key beside it is in no inventory:
   * that is the field under a new name. Without an inventory every missing field is refused.
   */
  inventory?: () => Promise<{ inventory: readonly CallKeys[] }>;
}

/** Keys of the answers to one call, as generated files hold them. */
export interface CallKeys {
  method: string;
  /** Set where several hosts have the same path. */
  host?: string;
  /** Segments of the address; `*` for one that inputs fill in. */
  path: string;
  /** The mark that tells it from others at its path: `action=txlist`. */
  by?: string;
  /**
   * A line an object, with tabs between its place, the keys that are read, and the others. A key that is read is written
   * with the letters of its types, with `?` if records often lack it, and with `!` if nearly all have it:
   * `items[]`, `name! s|town s|ceased? d`, `etag|links`.
   */
  objects: string;
}

export interface ProviderSecret {
  /** Name of the setting that holds the key. */
  name: string;
  /** Without a required key nothing works; an optional key raises limits. */
  required: boolean;
  /**
   * How requests send it: in a header, as the user name of HTTP Basic, as a query parameter, or as a field of a JSON
   * body.
   */
  in: { header: string; prefix?: string } | { basicUser: true } | { query: string } | { body: string };
  /** Where a host gets a key, and whether it is free: shown in docs/keys.md. */
  keyUrl?: string;
  free?: boolean;
}

/** An optional setting of a provider. */
export interface ProviderSetting {
  name: string;
  /** Effect of the setting, as a phrase without a full stop. */
  what: string;
  /** Where a host gets a key that is not sent in the usual way. */
  keyUrl?: string;
  free?: boolean;
}

/** Declares an upstream. Unlike the public `defineProvider`, it checks nothing, because tests check our own upstreams. */
export function defineProvider<P extends Provider>(provider: P): P {
  return provider;
}

/** The provider as results name it, with the attribution line that its licence requires. */
// guard: the line that a licence demands stands in the answers of its provider | always | currency
export const sourceOf = ({
  name,
  url,
  license,
  terms,
}: Pick<Provider, "name" | "url" | "license" | "terms">): Source => ({
  provider: name,
  url,
  license,
  ...(terms.attribution === null ? {} : { attribution: terms.attribution }),
});
