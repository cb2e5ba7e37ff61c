import type { AnyCapability } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import type { Call } from "../request/call.js";

/** A free document below the base path. */
export type DocumentName = "/directory" | "/search/endpoints" | "/openapi.json";
const DOCUMENTS: readonly DocumentName[] = ["/directory", "/search/endpoints", "/openapi.json"];

export type Target = { kind: "capability"; capability: AnyCapability } | { kind: "document"; name: DocumentName };

/** One table decides both what is paid and what runs, so there is no second matching to walk around. */
export type Routes = ReadonlyMap<string, Target>;

export function createRoutes(basePath: string, capabilities: readonly AnyCapability[]): Routes {
  const routes = new Map<string, Target>();
  for (const capability of capabilities)
    routes.set(basePath + pathBelow(capability.id), { kind: "capability", capability });
  for (const name of DOCUMENTS) routes.set(basePath + name, { kind: "document", name });
  return routes;
}

/** "convert.unit" hangs at "/convert/unit". */
export const pathBelow = (id: string) => `/${id.replace(".", "/")}`;

/** 404 for an unknown path, 405 for the wrong method; the path is taken as it was sent, never decoded. */
export function route({ host, url, request }: Call): Target {
  const target = host.routes.get(url.pathname);
  if (!target) throw new CapabilityError("NOT_FOUND", "There is no endpoint at this path.");
  const expected = methodOf(target);
  const { method } = request;
  if (method === expected || method === "OPTIONS" || (method === "HEAD" && expected === "GET")) return target;
  throw new CapabilityError("METHOD_NOT_ALLOWED", `This endpoint takes ${expected}, not ${method}.`);
}

const methodOf = (target: Target): "GET" | "POST" => (target.kind === "capability" ? target.capability.method : "GET");

/** The value of the Allow header for the path of a call. */
export function allowedAt({ host, url }: Call): string {
  const target = host.routes.get(url.pathname);
  return target && methodOf(target) === "POST" ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
}
