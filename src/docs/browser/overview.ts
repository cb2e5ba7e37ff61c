/** The front page: what this service is, for readers who never heard of x402, and everything that it sells. */
import { type Endpoint, priceText, settings } from "./shared/api.js";
import { h } from "./shared/dom.js";
import { availableOnes, byGroup, recentOnes, unavailableOnes } from "./sidebar.js";

export function overview(): HTMLElement {
  const last = recentOnes();
  return h(
    "article",
    { class: "overview" },
    h("h1", { tabindex: -1 }, headline()),
    h("p", { class: "lead" }, settings.description),
    settings.paid ? steps() : h("p", {}, "Every call is free, without an account or a key."),
    h("p", { class: "about" }, documents()),
    last.length > 0 && part("recent", "Recently used", last),
    byGroup(availableOnes).map(([group, some]) => part(`group-${group}`, group, some)),
    unavailableOnes.length > 0 &&
      h(
        "details",
        { class: "missing" },
        h("summary", {}, `${counted(unavailableOnes)} not available on this service`),
        h("ul", { class: "list" }, unavailableOnes.map(line)),
      ),
  );
}

const counted = ({ length }: Endpoint[]) => (length === 1 ? "1 endpoint is" : `${length} endpoints are`);

const headline = () => `${availableOnes.length} endpoints${settings.paid ? ", paid by the call" : ""}`;

const steps = () =>
  h(
    "ol",
    { class: "steps" },
    h(
      "li",
      {},
      h("strong", {}, "Ask"),
      "Call an endpoint like any HTTP API, without an account, a key or a subscription.",
    ),
    h(
      "li",
      {},
      h("strong", {}, "See the price"),
      `The first answer is “402 Payment Required”. It states what this call costs, from ${leastPrice()}, and where it can be paid.`,
    ),
    h(
      "li",
      {},
      h("strong", {}, "Pay and get the answer"),
      "A wallet with digital dollars (USDC) signs that amount, and the same request is sent again. A failed call costs nothing.",
    ),
  );

function documents() {
  const { base, paid, trialsPerHour, mcp, modelsNeed } = settings;
  return [
    paid && [
      "This way of paying is an open standard, ",
      away("https://x402.org", "x402"),
      "; libraries for TypeScript, Python and Go do the last two steps by themselves. ",
      trialsPerHour > 0 && `To look around you need no wallet: ${freeText()}. `,
    ],
    "Programs read the ",
    h("a", { href: `${base}/openapi.json` }, "OpenAPI document"),
    ", models read ",
    h("a", { href: `${base}/llms.txt` }, "llms.txt"),
    mcp && !modelsNeed && [" or connect to ", h("code", {}, `${location.origin}${base}/mcp`)],
    ".",
    modelsNeed && [
      " They cannot connect by the Model Context Protocol: the package ",
      h("code", {}, modelsNeed),
      " is not installed on this service.",
    ],
  ];
}

export const freeText = () =>
  `${settings.trialsPerHour === 1 ? "one call" : `${settings.trialsPerHour} calls`} an hour of each endpoint ${settings.trialsPerHour === 1 ? "is" : "are"} free`;

export const away = (href: string, text: string) => h("a", { href, rel: "noreferrer" }, text);

function leastPrice(): string {
  const prices = availableOnes.map(({ price }) => Number(price.usd ?? price.minUsd));
  return `$${Math.min(...prices)}`;
}

const part = (id: string, title: string, some: Endpoint[]) =>
  h(
    "section",
    { "aria-labelledby": id },
    h("h2", { id, tabindex: -1 }, title),
    h("ul", { class: "list" }, some.map(line)),
  );

const line = ({ id, summary, price, available, reason, deprecated }: Endpoint) =>
  h(
    "li",
    { class: available && !deprecated ? "" : "pale" },
    h("a", { href: `#${id}` }, id),
    h("span", { class: "price" }, priceText(price)),
    h("p", {}, summary, !available && ` ${reason}`, deprecated && " Deprecated."),
  );
