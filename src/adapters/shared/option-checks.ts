/** Checks of adapters' arguments: a handler first, and the adapter's own options. */
import { type ChecksOf, shape, wrong } from "../../lib/options/check.js";
import { flag, func } from "../../lib/options/kinds.js";
import { PROXIES, type ProxyOptions } from "./forwarded.js";
import type { MountOptions } from "./mount.js";

const MOUNT: ChecksOf<MountOptions> = { passThrough: flag, root: flag };

/** Throws a TypeError for a value that is not a handler, such as the options of one that was never created. */
export function assertHandler(adapter: string, handle: unknown): void {
  if (typeof handle !== "function")
    throw wrong(
      `${adapter}: the first argument`,
      "a handler, as createHandler({ capabilities, payment }) makes it",
      handle,
    );
}

/** The same for an adapter that leaves other paths to the app, for which it asks the handler for its own paths. */
export function assertMountable(adapter: string, handle: unknown): void {
  assertHandler(adapter, handle);
  const { basePath, owns } = handle as { basePath?: unknown; owns?: unknown };
  if (typeof basePath !== "string" || typeof owns !== "function")
    throw new TypeError(
      `${adapter}: the first argument must be a handler, as createHandler makes it, with its basePath and owns; a function that wraps a handler has neither.`,
    );
}

export const expressOptions = shape<ProxyOptions & MountOptions>({ ...PROXIES, ...MOUNT });
export const fastifyOptions = shape<ProxyOptions & Pick<MountOptions, "root">>({ ...PROXIES, root: flag });
export const nextOptions = shape<ProxyOptions>(PROXIES);
export const honoOptions = shape<ProxyOptions & MountOptions & { clientAddress?: unknown }>({
  ...PROXIES,
  ...MOUNT,
  clientAddress: func("a function of Hono's context that returns an address"),
});
