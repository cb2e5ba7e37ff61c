/** The frame of every page that we serve: the host's brand, our own style and script, and no external resources. */

import type { Brand } from "../host/options.js";
import { escapeHtml } from "../lib/text/html.js";

export interface Shell {
  brand: Pick<Brand, "name" | "description" | "iconUrl" | "contact">;
  /** The public base path of the documents, without a trailing slash. */
  base: string;
  title: string;
  /** HTML of ours beside the brand. */
  header?: string;
  /** HTML of ours before the main part. */
  aside?: string;
  /** HTML of ours. */
  main: string;
  /** HTML of ours at the end of the page. */
  footer?: string;
  /** Settings for the script, as JSON. */
  settings: unknown;
  /** The script's path. */
  script: string;
}

export function htmlPage(shell: Shell): string {
  const { brand, base, title, header = "", aside = "", main, footer = "", settings, script } = shell;
  const description = brand.description ? `<meta name="description" content="${escapeHtml(brand.description)}">` : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${description}
<link rel="icon" href="${base}/favicon.svg">
<link rel="stylesheet" href="${base}/docs/style.css">
<script type="application/json" id="settings">${jsonInHtml(settings)}</script>
<script type="module" src="${script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="site">
<a class="brand" href="#"><img src="${base}/favicon.svg" alt="" width="28" height="28">${escapeHtml(brand.name)}</a>
${header}
</header>
<div class="frame">
${aside}
<main id="content" tabindex="-1">${main}</main>
</div>
<footer class="site">${footer}</footer>
</body>
</html>
`;
}

/**
 * Allows only our own script, style and connections, so that texts of hosts, upstreams and callers cannot run or load
 * anything. `icon` is an external picture that the icon's address redirects to.
 */
export function pageHeaders(icon?: string): Record<string, string> {
  const images = ["'self'", "data:", "blob:", ...(icon ? [new URL(icon).origin] : [])].join(" ");
  return {
    "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${images}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "referrer-policy": "no-referrer",
  };
}

/** JSON that cannot end or begin an HTML element, and does not look like an attribute either. */
// guard: page: texts of others end no element of the page | <>= -> = | docs-host
const jsonInHtml = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>=&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
