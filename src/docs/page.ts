/** The documentation page of a host. It carries the list of endpoints, so that its front page needs no second question. */
import { DEFAULT_DESCRIPTION } from "../discovery/guidance.js";
import { type Catalogue, modelsNeed } from "../host/catalogue.js";
import { escapeHtml } from "../lib/text/html.js";
import { listings } from "./catalogue.js";
import { isSolana } from "./recent-block.js";
import { htmlPage } from "./shell.js";

/** `base` is the public path of the base path. */
export function docsPage(catalogue: Catalogue, base: string): string {
  const { brand } = catalogue;
  const { name, description = DEFAULT_DESCRIPTION, contact } = brand;
  const reach = contact?.email ? `mailto:${contact.email}` : contact?.url;
  const links = [
    ...(catalogue.routes.has(`${catalogue.basePath}/account`) ? [[`${base}/account`, "Your account"]] : []),
    [`${base}/openapi.json`, "OpenAPI"],
    [`${base}/llms.txt`, "llms.txt"],
    ...(reach && /^(?:https?:|mailto:)/.test(reach) ? [[reach, contact?.name ?? "Contact"]] : []),
  ].map(([href = "", text = ""]) => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`);
  return htmlPage({
    brand: { ...brand, description },
    base,
    title: name,
    header: SEARCH,
    aside: '<nav id="sidebar" aria-label="Endpoints"></nav>',
    main: "<noscript><p>This page needs JavaScript; the same is in the documents linked below.</p></noscript>",
    footer: links.join(""),
    settings: { ...settingsOf(catalogue, base), endpoints: listings(catalogue) },
    script: `${base}/docs/app.js`,
  });
}

/** Facts of the host for the scripts of its pages. */
export function settingsOf(catalogue: Catalogue, base: string) {
  const { brand, paid, accountKeys, trialsPerHour, routes, basePath } = catalogue;
  const { name, slug, description = DEFAULT_DESCRIPTION } = brand;
  const mcp = routes.has(`${basePath}/mcp`);
  const { networks } = catalogue;
  const onlySolana = networks.length > 0 && networks.every(isSolana);
  const recentBlocks = [...catalogue.recentBlocks.keys()];
  const facts = { paid, onlySolana, recentBlocks, trialsPerHour, accountKeys, mcp, modelsNeed: modelsNeed(catalogue) };
  return { base, name, slug, description, ...facts };
}

const SEARCH =
  '<button type="button" id="menu" aria-expanded="false" aria-controls="sidebar">Endpoints</button>' +
  '<form role="search"><label class="hidden" for="search">Search the endpoints</label>' +
  '<input id="search" type="search" placeholder="What do you want to do?" autocomplete="off" spellcheck="false" ' +
  'role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">' +
  '<kbd aria-hidden="true">/</kbd><ul id="found" role="listbox" aria-label="Endpoints found" hidden></ul>' +
  '<p id="said" class="hidden" role="status"></p></form>';
