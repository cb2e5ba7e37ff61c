/** What the adapters need to know of the thing that they mount. */
import type { CallInfo } from "../host/options.js";

/** A standard Request in, a standard Response out. */
export type FetchHandler = (request: Request, info?: CallInfo) => Promise<Response>;

/** A handler that knows which paths are its own, so that it can live in an app with other routes. */
export interface MountableHandler extends FetchHandler {
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string;
  /** Whether a path as it was sent names one of its endpoints or documents, whatever the method. */
  owns(pathname: string): boolean;
}

export interface MountOptions {
  /**
   * Leaves unknown paths below the base path to the app's other routes. Default false: they are answered with 404,
   * and only what lies outside the base path is passed on.
   */
  passThrough?: boolean;
}

/** Whether a request for this path is the handler's to answer. */
export function takes(handle: MountableHandler, pathname: string, { passThrough = false }: MountOptions): boolean {
  return passThrough ? handle.owns(pathname) : isBelow(handle.basePath, pathname);
}

export const isBelow = (basePath: string, pathname: string): boolean =>
  pathname === basePath || pathname.startsWith(`${basePath}/`);
