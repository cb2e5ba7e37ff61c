/** Facts about a request that proxies report: its sender, and the URL that was requested. */
import { type Logger, silent } from "../../lib/logger.js";
import type { ChecksOf } from "../../lib/options/check.js";
import { count } from "../../lib/options/kinds.js";
import { normalizeAddress } from "./client-address.js";
import { isHost } from "./url.js";

export interface ProxyOptions {
  /**
   * Number of the host's own proxies in front. Each appends the address of its caller to X-Forwarded-For, so the caller
   * is this many entries from the right; X-Forwarded-Proto, -Host and -Prefix then determine the URL in quotes. Default
   * 0: no header is trusted.
   */
  trustProxyHops?: number;
}

export const PROXIES: ChecksOf<ProxyOptions> = {
  // `true`, which Express allows, would trust anything that callers write.
  trustProxyHops: count(0, 100, ", the number of proxies in front of this server"),
};

/** The caller's address, if there is a usable one, and the differences to the URL that arrived here. */
export interface Forwarded {
  clientAddress: string | undefined;
  protocol?: "http" | "https";
  host?: string;
  /** Prefix that was cut off the path. */
  prefix?: string;
}

/** Reads the connection's address and the request's headers; `hops` for frameworks with their own settings. */
export type ForwardedReader = (
  connection: string | undefined,
  header: (name: string) => string | null | undefined,
  hops?: number,
) => Forwarded;

const PREFIX = /^(?:\/[\w.~-]+)+\/?$/;

/**
 * Throws a TypeError for an invalid hop count: `true`, which Express allows, would trust anything that callers write.
 * Warns once if proxies are noticed without this option, because all their callers would share one trial.
 */
export function createForwardedReader({ trustProxyHops }: ProxyOptions = {}, logger: Logger = silent): ForwardedReader {
  if (trustProxyHops !== undefined) PROXIES.trustProxyHops("trustProxyHops", trustProxyHops);
  let warned = trustProxyHops !== undefined;
  return (connection, header, hops = trustProxyHops ?? 0) => {
    const own = normalizeAddress(connection);
    const forwardedFor = header("x-forwarded-for");
    if (hops === 0) {
      if (forwardedFor && !warned) {
        warned = true;
        logger.warn(
          { connection: own },
          "a request has X-Forwarded-For, and no proxy is trusted, so all callers behind one share its free trials and quotes name this server's own URL. Set the adapter's trustProxyHops to the number of your proxies, or to 0 if there are none",
        );
      }
      return { clientAddress: own };
    }
    return {
      clientAddress: normalizeAddress(forwardedFor?.split(",").at(-hops)) ?? own,
      ...readTarget((name) => entryAt(header(name), hops)),
    };
  };
}

/** Some proxies replace the header instead of appending, so with fewer entries than hops the first one counts. */
function entryAt(value: string | null | undefined, hops: number): string {
  const entries = value?.split(",") ?? [];
  return entries.at(-Math.min(hops, entries.length))?.trim() ?? "";
}

function readTarget(entry: (name: string) => string): Omit<Forwarded, "clientAddress"> {
  const protocol = entry("x-forwarded-proto").toLowerCase();
  const host = entry("x-forwarded-host");
  const prefix = entry("x-forwarded-prefix");
  return {
    ...(protocol === "http" || protocol === "https" ? { protocol } : {}),
    ...(isHost(host) ? { host } : {}),
    ...(PREFIX.test(prefix) ? { prefix: prefix.replace(/\/$/, "") } : {}),
  };
}
