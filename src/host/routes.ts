/** One table decides both payment and execution, so no second path matching can be bypassed. */
import type { AnyCapability } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import type { CallInfo } from "./call-info.js";
import type { Operation } from "./operation.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A capability that is sold: quoted, paid, run, settled. */
export interface Sold {
  kind: "capability";
  capability: AnyCapability;
}

/** A free document, equal for everybody. Served by GET. */
export interface Page {
  kind: "page";
  /** Its entry in the OpenAPI document, made on demand; without one it is not listed there. */
  operation?: () => Operation;
  /** Default 200. */
  status?: 200 | 302;
  /** Default `application/json`. */
  contentType?: string;
  /** Headers in addition to those of every document. */
  headers?: Record<string, string>;
  /**
   * The document's text. `origin` is the service's public address, without a trailing slash. Rejects with
   * INVALID_INPUT.
   */
  read(query: URLSearchParams, origin: string): Promise<string> | string;
}

/** Facts about a request that a service gets beside it. */
export interface Visit {
  info: CallInfo;
  /** Origin to which inner requests of this service are addressed. */
  origin: string;
  /** The public origin, with the prefix that a proxy cuts off, for addresses that the service tells its callers. */
  publicOrigin: string;
  /**
   * Sends a request to the whole service on behalf of the same caller: a call within a call, with its own answer and
   * event.
   */
  ask(request: Request): Promise<Response>;
  /** Whether another service sent the request, on behalf of its own caller. */
  inner: boolean;
  /** The account of the caller, undefined for none. Rejects with INVALID_KEY. */
  account(): Promise<string | undefined>;
}

/** A protocol of its own, which reads requests and answers them itself. */
export interface Service {
  kind: "service";
  methods: readonly Method[];
  /** Its entry in the OpenAPI document, under its first method; without one it is not listed there. */
  operation?: () => Operation;
  answer(request: Request, visit: Visit): Promise<Response>;
}

export type Target = Sold | Page | Service;

export interface Routes {
  /** Throws a TypeError if the path is taken. */
  add(path: string, target: Target): void;
  has(pathname: string): boolean;
  /**
   * NOT_FOUND for an unknown path, METHOD_NOT_ALLOWED for a wrong method. The path is compared as sent, never decoded.
   */
  find(pathname: string, method: string): Target;
  /** The value of the Allow header at a path. */
  allowedAt(pathname: string): string;
  /** Operations of the OpenAPI document beside the endpoints, in the order in which they were added. */
  operations(): [path: string, method: Method, operation: Operation][];
  /** The free documents, in the order in which they were added. */
  pages(): [path: string, page: Page][];
}

export function createRoutes(): Routes {
  const targets = new Map<string, readonly Target[]>();
  const methods = new Map<string, readonly string[]>();
  const methodsAt = (pathname: string) => methods.get(pathname) ?? allowed([]);
  return {
    add(path, target) {
      const there = targets.get(path) ?? [];
      if (!there.every((one) => isApart(one, target)))
        throw new TypeError(`${path} is already in use: a path can be mounted once.`);
      const all = [...there, target];
      targets.set(path, all);
      methods.set(path, allowed(all));
    },
    has: (pathname) => targets.has(pathname),
    find(pathname, method) {
      const [target, ...others] = targets.get(pathname) ?? [];
      if (!target) throw new CapabilityError("NOT_FOUND", "This path has no endpoint.");
      if (methodsAt(pathname).includes(method))
        return others.find((one) => methodsOf(one).some((own) => own === method)) ?? target;
      const expected = [target, ...others].flatMap(methodsOf).join(" or ");
      throw new CapabilityError("METHOD_NOT_ALLOWED", `This endpoint takes ${expected}, not ${method}.`);
    },
    allowedAt: (pathname) => methodsAt(pathname).join(", "),
    operations: () =>
      [...targets].flatMap(([path, [target]]): [string, Method, Operation][] => {
        const operation = target && target.kind !== "capability" ? target.operation?.() : undefined;
        const [method] = target ? methodsOf(target) : [];
        return operation && method ? [[path, method, operation]] : [];
      }),
    pages: () =>
      [...targets].flatMap(([path, [target]]): [string, Page][] => (target?.kind === "page" ? [[path, target]] : [])),
  };
}

/** Whether both are endpoints, which may share a path under different methods. */
const isApart = (a: Target, b: Target): boolean =>
  a.kind === "capability" && b.kind === "capability" && a.capability.method !== b.capability.method;

function methodsOf(target: Target): readonly Method[] {
  if (target.kind === "capability") return [target.capability.method];
  return target.kind === "service" ? target.methods : ["GET"];
}

/** HEAD is allowed wherever GET is, and every path answers OPTIONS. */
function allowed(targets: readonly Target[]): string[] {
  const methods = targets.length > 0 ? targets.flatMap(methodsOf) : (["GET"] as const);
  return [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"];
}

/** "convert.unit" is served at "/convert/unit". */
export const pathBelow = (id: string) => `/${id.replace(".", "/")}`;

/** Whether a path is the base path (without a trailing slash) or lies below it. */
export const isBelow = (basePath: string, pathname: string): boolean =>
  pathname === basePath || pathname.startsWith(`${basePath}/`);
