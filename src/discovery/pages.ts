/** The free documents, which list, search and describe the catalogue. */
import type { AnyCapability } from "../capability/types.js";
import { invalid } from "../errors.js";
import { type Catalogue, seenAt } from "../host/catalogue.js";
import type { Page } from "../host/routes.js";
import { lazy } from "../lib/lazy.js";
import { unavailable } from "./availability.js";
import { publicDirectory } from "./directory.js";
import { directoryOperation, menuOperation, openapiOperation, searchOperation } from "./discovery-operations.js";
import { favicon } from "./favicon.js";
import { openapi } from "./openapi.js";
import { API_CATALOG, apiCatalog, LINKSET_TYPE, X402_RESOURCES, x402Resources } from "./well-known.js";

/** Most processes are never asked for them, and a function that starts anew with each burst reads what it loads. */
const searching = /* @__PURE__ */ lazy(() => import("./search.js"));
const llmsTexts = /* @__PURE__ */ lazy(() => import("./llms.js"));

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

  const textOf = keepTexts(catalogue);
  add("/directory", {
    operation: directoryOperation,
    read: (query, origin) => {
      const filter = { group: query.get("group") ?? undefined, q: query.get("q") ?? undefined };
      const write = (seen: Catalogue) => JSON.stringify(publicDirectory(seen, filter));
      // Callers choose the words of a filter, and only what the host chooses is kept.
      return filter.group || filter.q ? write(seenAt(catalogue, origin)) : textOf("directory", origin, write);
    },
  });

  add("/search/endpoints", {
    operation: searchOperation,
    read: async (query, origin) => {
      const search = (await searching()).searchOf(catalogue);
      const limit = readLimit(query.get("limit"));
      return JSON.stringify(await search(query.get("q") ?? "", limit, seenAt(catalogue, origin)));
    },
  });

  for (const capability of catalogue.capabilities) {
    const { menu } = capability;
    if (!menu) continue;
    const read = async () => JSON.stringify(await menu.read(catalogue.contextFor(capability)));
    add(menu.path, { operation: () => menuOperation(menu), read });
  }

  addDocument("/openapi.json", {
    operation: openapiOperation,
    read: (query, origin) => {
      const asked = { group: query.get("group") ?? undefined, all: wantsAll(query) };
      const write = (seen: Catalogue) => JSON.stringify(openapi(seen, { origin, ...asked }));
      return textOf(`openapi ${asked.group} ${asked.all}`, origin, write);
    },
  });
  const plain = "text/plain; charset=utf-8";
  addDocument("/llms.txt", {
    contentType: plain,
    read: async (query, origin) => {
      const all = wantsAll(query);
      const { llmsText } = await llmsTexts();
      return textOf(`llms ${all}`, origin, (seen) => llmsText(seen, origin, { all }));
    },
  });
  addDocument("/llms-full.txt", {
    contentType: plain,
    read: async (query, origin) => {
      const all = wantsAll(query);
      const { llmsFullText } = await llmsTexts();
      return textOf(`llms-full ${all}`, origin, (seen) => llmsFullText(seen, origin, { all }));
    },
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

/**
 * Keeps the text of each document until it is requested at another address, or prices change, or what can be sold. A
 * request that `write` refuses is not kept, so `asked` has as many values as the host has documents and groups.
 */
function keepTexts(catalogue: Catalogue) {
  const texts = new Map<string, { made: string; text: string }>();
  return (asked: string, origin: string, write: (seen: Catalogue) => string): string => {
    const made = [origin, catalogue.priceKey?.(), ...catalogue.capabilities.map(reasonAt(catalogue))].join("\n");
    const known = texts.get(asked);
    if (known?.made === made) return known.text;
    const text = write(seenAt(catalogue, origin));
    texts.set(asked, { made, text });
    return text;
  };
}

const reasonAt = (catalogue: Catalogue) => (capability: AnyCapability) =>
  unavailable(catalogue, capability)?.reason ?? "";

/** Documents leave out unavailable endpoints unless the reader asks for them. */
const wantsAll = (query: URLSearchParams): boolean => query.get("all") === "1";

function readLimit(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^\d{1,3}$/.test(text)) throw invalid("limit", "must be a whole number from 1 to 50");
  return Number(text);
}
