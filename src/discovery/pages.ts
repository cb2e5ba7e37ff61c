/** The free documents: what is on offer, found, described. */
import { invalid } from "../errors.js";
import type { Catalogue } from "../host/catalogue.js";
import type { Page } from "../host/routes.js";
import { publicDirectory } from "./directory.js";
import { directoryOperation, menuOperation, openapiOperation, searchOperation } from "./discovery-operations.js";
import { openapi } from "./openapi.js";
import { createSearch } from "./search.js";

/** Adds the documents to the routes of a catalogue, below its base path. */
export function addDiscovery(catalogue: Catalogue): void {
  const add = (path: string, page: Omit<Page, "kind">) =>
    catalogue.routes.add(catalogue.basePath + path, { kind: "page", ...page });

  add("/directory", {
    operation: directoryOperation,
    read: (query) => {
      const filter = { group: query.get("group") ?? undefined, q: query.get("q") ?? undefined };
      return JSON.stringify(publicDirectory(catalogue, filter));
    },
  });

  const search = createSearch(catalogue);
  add("/search/endpoints", {
    operation: searchOperation,
    read: async (query) => JSON.stringify(await search(query.get("q") ?? "", readLimit(query.get("limit")))),
  });

  for (const capability of catalogue.capabilities) {
    const { menu } = capability;
    if (!menu) continue;
    const read = async () => JSON.stringify(await menu.read(catalogue.contextFor(capability)));
    add(menu.path, { operation: menuOperation(menu), read });
  }

  // It describes what was mounted at the start, so it is made once, when first asked for.
  let openapiText: string | undefined;
  add("/openapi.json", {
    operation: openapiOperation,
    read: () => {
      openapiText ??= JSON.stringify(openapi(catalogue));
      return openapiText;
    },
  });
}

function readLimit(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^\d{1,3}$/.test(text)) throw invalid("limit", "must be a whole number from 1 to 50");
  return Number(text);
}
