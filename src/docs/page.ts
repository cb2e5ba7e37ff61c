/** The documentation page of a host. It reads the public documents, so its HTML is the same for all hosts. */
import { DEFAULT_DESCRIPTION } from "../discovery/llms.js";
import type { Catalogue } from "../host/catalogue.js";
import { escapeHtml } from "../lib/html.js";
import { htmlPage } from "./shell.js";

/** `base` is the public path of the base path. */
export function docsPage({ brand, paid, trialsPerHour }: Catalogue, base: string): string {
  const { name, description = DEFAULT_DESCRIPTION, contact } = brand;
  const reach = contact?.email ? `mailto:${contact.email}` : contact?.url;
  const links = [
    [`${base}/openapi.json`, "OpenAPI"],
    [`${base}/llms.txt`, "llms.txt"],
    ...(reach && /^(?:https?:|mailto:)/.test(reach) ? [[reach, contact?.name ?? "Contact"]] : []),
  ].map(([href = "", text = ""]) => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`);
  return htmlPage({
    brand: { ...brand, description },
    base,
    title: name,
    header:
      '<form role="search"><label class="hidden" for="search">Search the endpoints</label>' +
      '<input id="search" type="search" placeholder="What do you want to do?" autocomplete="off"></form>',
    main: "<p>Reading the catalogue …</p><noscript><p>This page needs JavaScript; the same is in the documents linked below.</p></noscript>",
    footer: links.join(""),
    settings: { base, slug: brand.slug, description, paid, trialsPerHour },
    script: `${base}/docs/app.js`,
  });
}
