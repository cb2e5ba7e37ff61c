/** What adapters are given: a handler first, and options of their own. */
import { type ChecksOf, shape, wrong } from "../lib/options/check.js";
import { count, flag, func } from "../lib/options/kinds.js";
import type { ProxyOptions } from "./forwarded.js";
import type { MountOptions } from "./mount.js";

export const PROXIES: ChecksOf<ProxyOptions> = {
  // `true`, as Express takes it, would trust what callers write.
  trustProxyHops: count(0, 100, ", the number of proxies in front of this server"),
};

export const MOUNT: ChecksOf<MountOptions> = { passThrough: flag, root: flag };

/** Throws a TypeError for what answers no request, such as the options of a handler that was never made. */
export function assertHandler(adapter: string, handle: unknown): void {
  if (typeof handle !== "function")
    throw wrong(
      `${adapter}: the first argument`,
      "a handler, as createHandler({ capabilities, payment }) makes it",
      handle,
    );
}

/** The same for an adapter that leaves other paths to the app: it asks the handler which are its own. */
export function assertMountable(adapter: string, handle: unknown): void {
  assertHandler(adapter, handle);
  const { basePath, owns } = handle as { basePath?: unknown; owns?: unknown };
  if (typeof basePath !== "string" || typeof owns !== "function")
    throw new TypeError(
      `${adapter}: the first argument must be a handler, as createHandler makes it, with its basePath and owns; a function around one has neither.`,
    );
}

export const expressOptions = shape<ProxyOptions & MountOptions>({ ...PROXIES, ...MOUNT });
export const fastifyOptions = shape<ProxyOptions & Pick<MountOptions, "root">>({ ...PROXIES, root: flag });
export const honoOptions = shape<ProxyOptions & MountOptions & { clientAddress?: unknown }>({
  ...PROXIES,
  ...MOUNT,
  clientAddress: func("a function of Hono's context that returns an address"),
});
