/** Mounts the documentation page: at `<basePath>/docs`, and at the root of the origin if the handler serves that. */
import { type Catalogue, seenAt } from "../host/catalogue.js";
import type { Page } from "../host/routes.js";
import { lazy } from "../lib/lazy.js";
import { pageHeaders } from "./shell.js";

/** A hundred kilobytes that only readers of the page need. */
const assets = lazy(() => import("./assets.js"));
const docs = lazy(() => import("./page.js"));

export function addDocs(catalogue: Catalogue): void {
  const { basePath, routes, brand } = catalogue;
  const add = (path: string, page: Omit<Page, "kind">) => routes.add(path, { kind: "page", ...page });
  const page = {
    contentType: "text/html; charset=utf-8",
    headers: pageHeaders(brand.iconUrl),
    read: async (_: URLSearchParams, origin: string) =>
      (await docs()).docsPage(catalogue, seenAt(catalogue, origin).publicPath(basePath)),
  };
  add(`${basePath}/docs`, page);
  add("/", page);
  add(`${basePath}/docs/app.js`, {
    contentType: "text/javascript; charset=utf-8",
    read: async () => (await assets()).APP,
  });
  add(`${basePath}/docs/style.css`, {
    contentType: "text/css; charset=utf-8",
    read: async () => (await assets()).STYLE,
  });
}
