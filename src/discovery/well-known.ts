/** Documents at well-known paths, with which an origin describes its services. */
import type { Catalogue } from "../host/catalogue.js";
import { listed } from "./availability.js";

/** As it is served: a reader that asks for another type would get this one. */
const OPENAPI_TYPE = "application/json";
export const LINKSET_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Paths of a catalogue's documents below its base path. */
export const API_CATALOG = "/.well-known/api-catalog";
export const X402_RESOURCES = "/.well-known/x402";

/** The list of paid endpoints, in the format of most x402 crawlers. */
export function x402Resources(catalogue: Catalogue, origin: string, options: { all?: boolean } = {}): unknown {
  const resources = listed(catalogue, options)
    .filter(({ ownersOnly }) => !ownersOnly)
    .map((capability) => origin + catalogue.pathOf(capability));
  return { version: 1, resources: catalogue.paid ? resources : [] };
}

/** RFC 9727: the API and its descriptions, as a link set of RFC 9264. */
export function apiCatalog(catalogue: Catalogue, origin: string): unknown {
  const { basePath, brand, docs } = catalogue;
  const base = origin + basePath;
  const groups = [...new Set(listed(catalogue).map(({ group }) => group))];
  return {
    linkset: [
      {
        anchor: base || origin,
        "service-desc": [
          { href: `${base}/openapi.json`, type: OPENAPI_TYPE, title: brand.name },
          ...groups.map((group) => ({ href: `${base}/openapi.json?group=${group}`, type: OPENAPI_TYPE, title: group })),
        ],
        "service-doc": [
          ...(docs ? [{ href: `${base}/docs`, type: "text/html" }] : []),
          { href: `${base}/llms.txt`, type: "text/plain" },
        ],
        "service-meta": [
          { href: `${base}/directory`, type: "application/json" },
          { href: base + X402_RESOURCES, type: "application/json" },
        ],
      },
    ],
  };
}

/** The `Link` header of every answer, which leads to the description from anywhere (RFC 8288, RFC 8631). */
export function linkHeader(
  { basePath, publicPath, docs }: Pick<Catalogue, "basePath" | "publicPath" | "docs">,
  prefix = "",
): string {
  const at = (path: string) => `<${prefix}${publicPath(basePath + path)}>`;
  const links = [
    `${at(API_CATALOG)}; rel="api-catalog"`,
    `${at("/openapi.json")}; rel="service-desc"; type="${OPENAPI_TYPE}"`,
    ...(docs ? [`${at("/docs")}; rel="service-doc"; type="text/html"`] : []),
  ];
  return links.join(", ");
}
