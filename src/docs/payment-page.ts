/** The page of a 402, for a person who opened a paid address in a browser: what it is, its price, and how to pay it. */
import type { AnyCapability } from "../capability/types.js";
import { DEFAULT_DESCRIPTION } from "../discovery/guidance.js";
import { type Catalogue, seenAt } from "../host/catalogue.js";
import { escapeHtml } from "../lib/text/html.js";
import { listings } from "./catalogue.js";
import { settingsOf } from "./page.js";
import { htmlPage } from "./shell.js";

export { pageHeaders } from "./shell.js";

export interface PaymentPageFacts {
  capability: AnyCapability;
  /** The price of this call. */
  usd: string;
  /** Query of the address, with its question mark. */
  search: string;
  /** Why a payment or a trial was not taken. */
  refused: string | undefined;
}

export function paymentPage(host: Catalogue, origin: string, asked: PaymentPageFacts): string {
  const catalogue = seenAt(host, origin);
  const { basePath, brand } = catalogue;
  const base = catalogue.publicPath(basePath);
  const { capability, search } = asked;
  const title = `${capability.id} · ${brand.name}`;
  const described = { ...brand, description: capability.summary ?? brand.description ?? DEFAULT_DESCRIPTION };
  const query = [...new URLSearchParams(search)].filter(([name]) => !PROTOCOL.has(name));
  return htmlPage({
    brand: described,
    base,
    title,
    main: mainOf(catalogue, base, origin + catalogue.pathOf(capability), asked),
    footer: [
      ["docs", "All endpoints"],
      ["openapi.json", "OpenAPI"],
      ["llms.txt", "llms.txt"],
    ]
      .map(([path, text]) => `<a href="${base}/${path}">${text}</a>`)
      .join(""),
    settings: {
      ...settingsOf(catalogue, base),
      endpoints: listings(catalogue).filter(({ id }) => id === capability.id),
      input: Object.fromEntries(query),
    },
    script: `${base}/docs/pay.js`,
  });
}

/** Names of the query that are no part of the input. */
const PROTOCOL = new Set(["trial", "sign", "x402Version"]);

function mainOf(
  catalogue: Catalogue,
  base: string,
  address: string,
  { capability, usd, search, refused }: PaymentPageFacts,
): string {
  const { id, method, summary, billing } = capability;
  const { trialsPerHour } = catalogue;
  const isGet = method === "GET";
  const free =
    trialsPerHour > 0
      ? `<p id="trial">You may try it free: ${trialsPerHour === 1 ? "one call" : `${trialsPerHour} calls`} an hour.</p>`
      : "";
  return `<article class="paywall">
<header>
<p class="crumb">402 Payment Required</p>
<h1>${escapeHtml(id)}</h1>
<p class="lead">${escapeHtml(summary)}</p>
<p class="signature"><code><b>${method}</b> ${escapeHtml(base + catalogue.pathOf(capability).slice(catalogue.basePath.length))}</code><span class="price">$${escapeHtml(usd)}</span></p>
</header>
${refused === undefined ? "" : `<p class="issue" role="alert">${escapeHtml(refused)}</p>`}
<p id="price">This call costs ${billing === "upto" ? "up to " : ""}${escapeHtml(usd)} USD, paid from a wallet by x402. Nothing was charged, and a call that fails costs nothing.</p>
${free}
<div id="pay"><noscript><p>The buttons for a trial and for a wallet need JavaScript; the code below pays without.</p></noscript></div>
<p><a href="${base}/docs#${escapeHtml(id)}">Fill in a form, and read what comes back</a></p>
<section aria-labelledby="code"><h2 id="code">Code</h2>
<div id="samples"><div class="sample"><pre tabindex="0">${escapeHtml(curlOf(address + (isGet ? search : ""), isGet ? undefined : capability.example))}</pre></div></div>
</section>
</article>`;
}

/** The call as one command, which answers with the price. */
function curlOf(address: string, example: object | undefined): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [`curl -i ${quoted(address)}`];
  if (example) lines.push("  -H 'content-type: application/json'", `  -d ${quoted(JSON.stringify(example))}`);
  return lines.join(" \\\n");
}
