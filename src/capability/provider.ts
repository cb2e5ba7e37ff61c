import type { CapabilityError } from "../errors.js";
import type { Source } from "./output.js";
import type { Terms } from "./terms.js";

/** An upstream: who it is, where it is, and how it behaves. */
export interface Provider {
  /** As it is named in results. */
  name: string;
  /** Its home, for people. */
  url: string;
  license: string;
  /** What requests are relative to; no query. */
  baseUrl: string;
  /** What it says to who sells its answers on: shown in the directory, for the host to decide. */
  terms: Terms;
  /** A key, and how it travels. Added last: it is in no cache key, log or error. */
  secret?: ProviderSecret;
  /** Optional packages that every read of it goes through. */
  packages?: readonly string[];
  /** What capabilities read besides it, all optional: told in docs/keys.md. */
  settings?: readonly ProviderSetting[];
  /** What a key changes: larger allowances, or another address. */
  withKey?: Partial<Pick<Provider, "baseUrl" | "quota" | "perSecond" | "concurrency">>;
  /**
   * How requests name their sender. Default: by the host's brand. `browser` for what answers browsers only, `contact` with
   * the setting that holds a way to reach whoever runs the host.
   */
  agent?: "browser" | { contact: string };
  /** Sent with every request. */
  headers?: Record<string, string>;
  /** Other hosts that it may redirect to. */
  redirectHosts?: string[];
  /** False where a redirect is no address but an answer, for `errorIn` to read. */
  followsRedirects?: false;
  /** For one attempt. Default 15 s. */
  timeoutMs?: number;
  /** Of a decoded body. Default 10 MB. */
  maxBytes?: number;
  /** Requests that run at once. Default 6. */
  concurrency?: number;
  /** Requests per second. Default: as many as the concurrency allows. */
  perSecond?: number;
  /** An allowance known in advance, counted here: what exceeds it is refused without asking. */
  quota?: { requests: number; perMs: number };
  /** Statuses by which it refuses what a caller gave, each with what the caller is told: an INVALID_INPUT. */
  refusals?: Readonly<Record<number, string>>;
  /** How it says "error" in an answer of status 200, or explains one of another status: in the read's format, or as text. */
  errorIn?(body: unknown, status: number): CapabilityError | undefined;
}

export interface ProviderSecret {
  /** The name of the setting. */
  name: string;
  /** Without it nothing works; an optional one raises limits. */
  required: boolean;
  /** How it is sent: as a header, as the user name of HTTP Basic, as a query parameter, or as a field of a JSON body. */
  in: { header: string; prefix?: string } | { basicUser: true } | { query: string } | { body: string };
  /** Where a host gets one, and whether without paying: told in docs/keys.md. */
  keyUrl?: string;
  free?: boolean;
}

export interface ProviderSetting {
  name: string;
  /** What it changes, as a phrase without a full stop. */
  what: string;
  /** Of a key that travels in a way of its own. */
  keyUrl?: string;
  free?: boolean;
}

export function defineProvider<P extends Provider>(provider: P): P {
  return provider;
}

/** What results say of a provider, with the line that its licence wants beside the data. */
export const sourceOf = ({
  name,
  url,
  license,
  terms,
}: Pick<Provider, "name" | "url" | "license" | "terms">): Source => ({
  ...{ provider: name, url, license },
  ...(terms.attribution === null ? {} : { attribution: terms.attribution }),
});
