/** The interface of a handler that adapters mount. */
import type { CallInfo } from "../host/call-info.js";
import { isBelow } from "../host/routes.js";
import type { Logger } from "../lib/logger.js";

/** A standard Request in, a standard Response out. */
export type FetchHandler = ((request: Request, info?: CallInfo) => Promise<Response>) & {
  /** Receives the adapters' warnings. */
  readonly logger?: Logger;
};

/** A handler that knows its own paths, so that it can share an app with other routes. */
export type MountableHandler = FetchHandler & {
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string;
  /** Whether a path as it was sent belongs to one of its endpoints or documents, whatever the method. */
  owns(pathname: string): boolean;
  /** Its documents outside the base path. */
  readonly rootPaths?: readonly string[];
};

export interface MountOptions {
  /**
   * Leaves unknown paths below the base path to the app's other routes. Default true; `false` answers them with our own
   * 404, and passes on only paths outside the base path. Known paths are never passed on.
   */
  passThrough?: boolean;
  /**
   * Also serves the documents that clients request at the root of an origin: `/openapi.json`, `/llms.txt`,
   * `/.well-known/api-catalog`, `/favicon.ico` and others. Default false: the root belongs to the app.
   */
  root?: boolean;
}

/** Whether the handler answers requests for this path. */
export function takes(
  handle: MountableHandler,
  pathname: string,
  { passThrough = true, root = false }: MountOptions,
): boolean {
  if (root && handle.rootPaths?.includes(pathname)) return true;
  return passThrough ? handle.owns(pathname) : isBelow(handle.basePath, pathname);
}
