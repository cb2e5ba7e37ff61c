/**
 * Protection against DNS rebinding: a web page whose name suddenly resolves to this machine reaches a local server as if
 * it were its own, but its browser states the page's name in `Host` and `Origin`.
 */
import type { Catalogue } from "../host/catalogue.js";

const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const LOCAL_NAME = /^(?:localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** The refusal of a web page that must not use a local server; undefined for any other request. */
export function rebindingRefusal(
  request: Request,
  { brand }: Pick<Catalogue, "brand">,
  clientAddress: string | undefined,
): Response | undefined {
  const origin = request.headers.get("origin");
  // Only browsers send an origin, and only they can be misled. Behind a trusted proxy the address is the caller's own.
  if (origin === null || clientAddress === undefined || !LOOPBACK.test(clientAddress)) return undefined;
  const own = brand.baseUrl === undefined ? undefined : new URL(brand.baseUrl).hostname;
  const isKnown = (name: string | undefined) => name !== undefined && (LOCAL_NAME.test(name) || name === own);
  // guard: MCP: a web page of another name uses no server on this machine |
  //   && isKnown(hostnameOf(request.url)) -> || own === undefined | mcp
  if (isKnown(hostnameOf(origin)) && isKnown(hostnameOf(request.url))) return undefined;
  const message =
    "This page may not use a server on this machine. Behind a proxy, set brand.baseUrl or trustProxyHops on the server.";
  return Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status: 403 });
}

const hostnameOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);
