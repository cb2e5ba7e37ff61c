/** Mounts the documentation page: at `<basePath>/docs`, and at the root of the origin if the handler serves that. */
import { hueOf } from "../discovery/favicon.js";
import { type Catalogue, seenAt } from "../host/catalogue.js";
import type { Page } from "../host/routes.js";
import { lazy } from "../lib/lazy.js";
import type { AccountPageFacts } from "./account-page.js";
import { isSolana, recentBlockService } from "./recent-block.js";
import { pageHeaders } from "./shell.js";

/** A hundred kilobytes that only readers of the page need. */
const assets = lazy(() => import("./assets.js"));
const docs = lazy(() => import("./page.js"));
const accounts = lazy(() => import("./account-page.js"));
const references = lazy(() => import("./reference.js"));

export function addDocs(catalogue: Catalogue): void {
  const { basePath, routes, brand, networks } = catalogue;
  const add = (path: string, page: Omit<Page, "kind">) => routes.add(path, { kind: "page", ...page });
  const page = {
    contentType: "text/html; charset=utf-8",
    headers: pageHeaders(brand.iconUrl),
    read: async (_: URLSearchParams, origin: string) =>
      (await docs()).docsPage(catalogue, seenAt(catalogue, origin).publicPath(basePath)),
  };
  add(`${basePath}/docs`, page);
  add("/", page);
  add(`${basePath}/docs/endpoint.json`, {
    read: async (query, origin) =>
      JSON.stringify(await (await references()).referenceOf(seenAt(catalogue, origin), query.get("id") ?? "")),
  });
  add(`${basePath}/docs/app.js`, {
    contentType: "text/javascript; charset=utf-8",
    read: async () => (await assets()).APP,
  });
  add(`${basePath}/docs/pay.js`, {
    contentType: "text/javascript; charset=utf-8",
    read: async () => (await assets()).PAY,
  });
  if (networks.some(isSolana)) {
    routes.add(`${basePath}/docs/recent-block.json`, recentBlockService(catalogue));
    add(`${basePath}/docs/solana.js`, {
      contentType: "text/javascript; charset=utf-8",
      read: async () => (await assets()).SOLANA,
    });
  }
  addStyle(catalogue);
}

const addStyle = ({ basePath, routes, brand }: Catalogue) =>
  routes.add(`${basePath}/docs/style.css`, {
    kind: "page",
    contentType: "text/css; charset=utf-8",
    read: async () => (await assets()).STYLE + accentOf(brand),
  });

/** Mounts the page of a customer at `<basePath>/account`. */
export function addAccountPage(catalogue: Catalogue, facts: AccountPageFacts): void {
  const { basePath, routes, brand } = catalogue;
  routes.add(`${basePath}/account`, {
    kind: "page",
    contentType: "text/html; charset=utf-8",
    headers: pageHeaders(brand.iconUrl),
    read: async (_, origin) =>
      (await accounts()).accountPage(catalogue, seenAt(catalogue, origin).publicPath(basePath), facts),
  });
  routes.add(`${basePath}/docs/account.js`, {
    kind: "page",
    contentType: "text/javascript; charset=utf-8",
    read: async () => (await assets()).ACCOUNT,
  });
  if (!catalogue.docs) addStyle(catalogue);
}

/** The hue of the icon that we draw, as the wheel of OKLCH has it; an icon of the host's own keeps the usual one. */
const accentOf = ({ slug, iconUrl }: Catalogue["brand"]): string =>
  iconUrl ? "" : `:root{--hue:${(hueOf(slug) + 25) % 360}}`;
