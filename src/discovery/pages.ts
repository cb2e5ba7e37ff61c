/** The free documents, which list, search and describe the catalogue. */
import { invalid } from "../errors.js";
import { type Catalogue, seenAt } from "../host/catalogue.js";
import type { Page } from "../host/routes.js";
import { listed } from "./availability.js";
import { publicDirectory } from "./directory.js";
import { directoryOperation, menuOperation, openapiOperation, searchOperation } from "./discovery-operations.js";
import { favicon } from "./favicon.js";
import { llmsFullText, llmsText } from "./llms.js";
import { openapi } from "./openapi.js";
import { searchOf } from "./search.js";
import { API_CATALOG, apiCatalog, LINKSET_TYPE, X402_RESOURCES, x402Resources } from "./well-known.js";

/**
 * Adds the documents to the routes of a catalogue, below its base path. Documents that clients expect at the root of an
 * origin are also served there, if the request gets here: an adapter within an app leaves the root to the app.
 */
export function addDiscovery(catalogue: Catalogue): void {
  const { basePath, routes } = catalogue;
  const add = (path: string, page: Omit<Page, "kind">) => routes.add(basePath + path, { kind: "page", ...page });
  const addDocument = (path: string, { operation, ...page }: Omit<Page, "kind">) => {
    add(path, operation ? { operation, ...page } : page);
    if (basePath !== "") routes.add(path, { kind: "page", ...page });
  };

  add("/directory", {
    operation: directoryOperation,
    read: (query, origin) => {
      const filter = { group: query.get("group") ?? undefined, q: query.get("q") ?? undefined };
      return JSON.stringify(publicDirectory(seenAt(catalogue, origin), filter));
    },
  });

  const search = searchOf(catalogue);
  add("/search/endpoints", {
    operation: searchOperation,
    read: async (query, origin) =>
      JSON.stringify(await search(query.get("q") ?? "", readLimit(query.get("limit")), seenAt(catalogue, origin))),
  });

  for (const capability of catalogue.capabilities) {
    const { menu } = capability;
    if (!menu) continue;
    const read = async () => JSON.stringify(await menu.read(catalogue.contextFor(capability)));
    add(menu.path, { operation: () => menuOperation(menu), read });
  }

  const openapiText = createOpenapiText(catalogue);
  addDocument("/openapi.json", {
    operation: openapiOperation,
    read: (query, origin) => openapiText(origin, { group: query.get("group") ?? undefined, all: wantsAll(query) }),
  });
  const plain = "text/plain; charset=utf-8";
  addDocument("/llms.txt", {
    contentType: plain,
    read: (query, origin) => llmsText(seenAt(catalogue, origin), origin, { all: wantsAll(query) }),
  });
  addDocument("/llms-full.txt", {
    contentType: plain,
    read: (query, origin) => llmsFullText(seenAt(catalogue, origin), origin, { all: wantsAll(query) }),
  });
  addDocument(X402_RESOURCES, {
    read: (query, origin) => JSON.stringify(x402Resources(catalogue, origin, { all: wantsAll(query) })),
  });
  addDocument(API_CATALOG, {
    contentType: LINKSET_TYPE,
    read: (_, origin) => JSON.stringify(apiCatalog(catalogue, origin)),
  });
  const { iconUrl } = catalogue.brand;
  for (const path of ["/favicon.ico", "/favicon.svg"])
    addDocument(
      path,
      iconUrl
        ? { status: 302, headers: { location: iconUrl }, read: () => "" }
        : { contentType: "image/svg+xml", read: () => favicon(catalogue.brand) },
    );
}

/** The text is cached until another group or address is requested, or other endpoints can be sold. */
function createOpenapiText(catalogue: Catalogue) {
  const texts = new Map<string, { made: string; text: string }>();
  return (origin: string, { group, all }: { group: string | undefined; all: boolean }): string => {
    const asked = `${group} ${all}`;
    const made = [origin, catalogue.priceKey?.(), ...listed(catalogue, { all }).map(({ id }) => id)].join(" ");
    const known = texts.get(asked);
    if (known?.made === made) return known.text;
    const text = JSON.stringify(openapi(seenAt(catalogue, origin), { origin, group, all }));
    texts.set(asked, { made, text });
    return text;
  };
}

/** Documents leave out unavailable endpoints unless the reader asks for them. */
const wantsAll = (query: URLSearchParams): boolean => query.get("all") === "1";

function readLimit(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^\d{1,3}$/.test(text)) throw invalid("limit", "must be a whole number from 1 to 50");
  return Number(text);
}
