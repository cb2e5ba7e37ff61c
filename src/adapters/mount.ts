/** What the adapters need to know of the thing that they mount. */
import type { CallInfo } from "../host/call-info.js";
import { isBelow } from "../host/routes.js";
import type { Logger } from "../lib/logger.js";

/** A standard Request in, a standard Response out. */
export type FetchHandler = ((request: Request, info?: CallInfo) => Promise<Response>) & {
  /** Where adapters say what they notice. */
  readonly logger?: Logger;
};

/** A handler that knows which paths are its own, so that it can live in an app with other routes. */
export type MountableHandler = FetchHandler & {
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string;
  /** Whether a path as it was sent names one of its endpoints or documents, whatever the method. */
  owns(pathname: string): boolean;
  /** Its documents outside the base path. */
  readonly rootPaths?: readonly string[];
};

export interface MountOptions {
  /**
   * Leaves unknown paths below the base path to the app's other routes. Default true; `false` answers them with our own
   * 404, and passes on only what lies outside the base path. Paths of ours are never passed on.
   */
  passThrough?: boolean;
  /**
   * Also answers the documents that readers look for at the root of an origin and nowhere else: `/openapi.json`,
   * `/llms.txt`, `/.well-known/api-catalog`, `/favicon.ico` and the like. Default false: the root is the app's.
   */
  root?: boolean;
}

/** Whether a request for this path is the handler's to answer. */
export function takes(
  handle: MountableHandler,
  pathname: string,
  { passThrough = true, root = false }: MountOptions,
): boolean {
  if (root && handle.rootPaths?.includes(pathname)) return true;
  return passThrough ? handle.owns(pathname) : isBelow(handle.basePath, pathname);
}
