/** The interface of a handler that adapters mount. */
import type { CallInfo } from "../../host/call-info.js";
import { isBelow } from "../../host/routes.js";
import type { Logger } from "../../lib/logger.js";

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

/**
 * Whether a path of the app where the handler is mounted comes in front of its base path: `/v1` for `/api`. Otherwise the
 * base path is the whole public path, as `/v1/api`, or the mount is a part of it.
 */
export const isInFront = (mountedAt: string, { basePath }: MountableHandler): boolean =>
  !isBelow(mountedAt, basePath) && (basePath === "" || !isBelow(basePath, mountedAt));

/** The fixed and named segments that a route's pattern begins with: 2 for `/shops/:id/*`. */
export const depthOf = (pattern: string): number => (/^(?:\/[^/*?{}]+)*/.exec(pattern)?.[0].split("/").length ?? 1) - 1;

/** The first segments of a path, without a slash at the end. */
export const firstSegments = (pathname: string, count: number): string => pathname.split("/", count + 1).join("/");
