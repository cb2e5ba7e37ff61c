/** What proxies in front say of a request: who sent it, and the URL that was asked for. */
import { type Logger, silent } from "../lib/logger.js";
import { normalizeAddress } from "./client-address.js";
import { isHost } from "./url.js";

export interface ProxyOptions {
  /**
   * How many proxies of the host's own stand in front. Each appends the address that it was called from to
   * X-Forwarded-For, so the caller is the entry this many from the right; X-Forwarded-Proto, -Host and -Prefix then make
   * the URL in quotes. Default 0: no header is believed.
   */
  trustProxyHops?: number;
}

/** The caller's address where there is a usable one, and what differs from the URL that arrived here. */
export interface Forwarded {
  clientAddress: string | undefined;
  protocol?: "http" | "https";
  host?: string;
  /** What was cut off the front of the path. */
  prefix?: string;
}

/** From the connection's address and the request's headers; `hops` where a framework has settings of its own. */
export type ForwardedReader = (
  connection: string | undefined,
  header: (name: string) => string | null | undefined,
  hops?: number,
) => Forwarded;

const PREFIX = /^(?:\/[\w.~-]+)+\/?$/;

/**
 * Throws a RangeError for a hop count that is no count: `true`, as Express takes it, would trust what callers write.
 * Warns once where proxies show themselves and nothing was said of them: all their callers would share one trial.
 */
export function createForwardedReader({ trustProxyHops }: ProxyOptions = {}, logger: Logger = silent): ForwardedReader {
  if (trustProxyHops !== undefined && (!Number.isSafeInteger(trustProxyHops) || trustProxyHops < 0))
    throw new RangeError("trustProxyHops must be the number of proxies in front of this server, such as 1.");
  let warned = trustProxyHops !== undefined;
  return (connection, header, hops = trustProxyHops ?? 0) => {
    const own = normalizeAddress(connection);
    const forwardedFor = header("x-forwarded-for");
    if (hops === 0) {
      if (forwardedFor && !warned) {
        warned = true;
        logger.warn(
          { connection: own },
          "coinslot: a request has X-Forwarded-For, and no proxy is trusted, so all callers behind one share its free trials and quotes name this server's own URL. Set the adapter's trustProxyHops to the number of your proxies, or to 0 where there is none",
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

/** Many proxies append, many replace: where there are fewer entries than hops, the first is the one that counts. */
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
