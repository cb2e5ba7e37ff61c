/** One table decides both what is paid and what runs, so there is no second matching to walk around. */
import type { AnyCapability } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import type { CallInfo } from "./call-info.js";
import type { Operation } from "./operation.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Work that is sold: quoted, paid, run, settled. */
export interface Sold {
  kind: "capability";
  capability: AnyCapability;
}

/** A free document, the same for everybody who asks the same. Taken by GET. */
export interface Page {
  kind: "page";
  /** What the OpenAPI document says of it, made when that is asked for; without one it is no operation there. */
  operation?: () => Operation;
  /** Default 200. */
  status?: 200 | 302;
  /** Default `application/json`. */
  contentType?: string;
  /** Besides those of every document. */
  headers?: Record<string, string>;
  /** Its text. `origin` is the service's public address, without a trailing slash. Rejects with INVALID_INPUT. */
  read(query: URLSearchParams, origin: string): Promise<string> | string;
}

/** What a service knows of a request besides itself. */
export interface Visit {
  info: CallInfo;
  /** Where requests to this service are addressed here. */
  origin: string;
  /** The same with what a proxy cuts off: what it tells its callers of itself begins there. */
  publicOrigin: string;
  /** Asks the whole service on behalf of the same caller: a call within a call, with its own answer and event. */
  ask(request: Request): Promise<Response>;
}

/** Something that reads requests and answers them by itself, as a protocol of its own does. */
export interface Service {
  kind: "service";
  methods: readonly Method[];
  answer(request: Request, visit: Visit): Promise<Response>;
}

export type Target = Sold | Page | Service;

export interface Routes {
  /** Throws a TypeError when the path is taken. */
  add(path: string, target: Target): void;
  has(pathname: string): boolean;
  /** 404 for an unknown path, 405 for the wrong method; the path is taken as it was sent, never decoded. */
  find(pathname: string, method: string): Target;
  /** The value of the Allow header at a path. */
  allowedAt(pathname: string): string;
  /** The free documents, in the order in which they were added. */
  pages(): [path: string, page: Page][];
}

export function createRoutes(): Routes {
  const targets = new Map<string, Target>();
  const methods = new Map<string, readonly string[]>();
  const methodsAt = (pathname: string) => methods.get(pathname) ?? allowed(undefined);
  return {
    add(path, target) {
      if (targets.has(path)) throw new TypeError(`${path} is taken: two things cannot be mounted at one path.`);
      targets.set(path, target);
      methods.set(path, allowed(target));
    },
    has: (pathname) => targets.has(pathname),
    find(pathname, method) {
      const target = targets.get(pathname);
      if (!target) throw new CapabilityError("NOT_FOUND", "There is no endpoint at this path.");
      if (methodsAt(pathname).includes(method)) return target;
      const expected = methodsOf(target).join(" or ");
      throw new CapabilityError("METHOD_NOT_ALLOWED", `This endpoint takes ${expected}, not ${method}.`);
    },
    allowedAt: (pathname) => methodsAt(pathname).join(", "),
    pages: () =>
      [...targets].flatMap(([path, target]): [string, Page][] => (target.kind === "page" ? [[path, target]] : [])),
  };
}

function methodsOf(target: Target): readonly Method[] {
  if (target.kind === "capability") return [target.capability.method];
  return target.kind === "service" ? target.methods : ["GET"];
}

/** HEAD follows GET, and every path answers OPTIONS. */
function allowed(target: Target | undefined): string[] {
  const methods = target ? methodsOf(target) : (["GET"] as const);
  return [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"];
}

/** "convert.unit" hangs at "/convert/unit". */
export const pathBelow = (id: string) => `/${id.replace(".", "/")}`;

/** Whether a path lies at or below another one, which has no slash at its end. */
export const isBelow = (basePath: string, pathname: string): boolean =>
  pathname === basePath || pathname.startsWith(`${basePath}/`);
