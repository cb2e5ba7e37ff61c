/** The reading part of an endpoint's page: the answer's members, errors, price and payment, source and licence. */

import { away, freeText } from "./overview.js";
import { jsonView } from "./result/json.js";
import { treeOf } from "./result/tree.js";
import { type Endpoint, hasTrials, priceText, type Reference, settings, trialHeader } from "./shared/api.js";
import { type Child, h } from "./shared/dom.js";

const section = (id: string, title: string, ...children: Child[]) =>
  h("section", { "aria-labelledby": id }, h("h2", { id, tabindex: -1 }, title), ...children);

export const reading = (endpoint: Endpoint, reference: Reference): HTMLElement =>
  h(
    "div",
    { class: "reading" },
    section("returns", "What comes back", returns(reference)),
    section("errors", "Errors", errors(reference)),
    settings.paid && section("price", "Price and payment", endpoint.ownersOnly ? ofOwner() : payment(endpoint)),
    section("source", "Source and licence", source(reference)),
  );

function returns({ answer }: Reference): Child {
  const { types, schema, envelope } = answer;
  const files = types.filter((type) => type !== "application/json");
  return [
    files.length > 0 && h("p", {}, `A file of type ${files.join(" or ")}${schema ? ", or JSON:" : "."}`),
    envelope &&
      h(
        "p",
        {},
        "JSON with ",
        h("code", {}, "data"),
        ", described here, and ",
        h("code", {}, "meta"),
        ": what the call cost, how long it took, and the receipt.",
      ),
    schema && treeOf(schema),
  ];
}

const problem = {
  ...{ type: "about:blank", title: "Invalid input", status: 400, code: "INVALID_INPUT" },
  detail: "name: must have at least 2 letters",
  issues: [{ path: "name", message: "must have at least 2 letters" }],
  requestId: "…",
};

const errors = ({ errors: all }: Reference): Child => [
  h(
    "p",
    {},
    "Refusals are problem documents (RFC 9457) with a ",
    h("code", {}, "code"),
    " for programs, a ",
    h("code", {}, "detail"),
    " for people and the ",
    h("code", {}, "requestId"),
    " to name when you ask us.",
  ),
  h("details", {}, h("summary", {}, "An example"), jsonView(problem)),
  h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of errors" },
    h(
      "table",
      { class: "wrapped" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Status"), h("th", { scope: "col" }, "Meaning and codes"))),
      h(
        "tbody",
        {},
        all.map(({ status, description, codes }) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, status),
            h(
              "td",
              {},
              description,
              " ",
              codes.map((code) => [h("code", { class: "code" }, code), " "]),
            ),
          ),
        ),
      ),
    ),
  ),
];

/** Whether a wallet of some kind can pay from this page. */
const paysHere = (): boolean => !settings.onlySolana || (settings.recentBlocks ?? []).length > 0;

const ofOwner = (): Child => [
  h(
    "p",
    {},
    "It is free, and for the owner of an account alone: send a key of the account with the header ",
    h("code", {}, "Authorization: Bearer"),
    ", or sign in with its wallet as the extension ",
    h("code", {}, "sign-in-with-x"),
    " of the 401 says.",
  ),
];

/** Three sentences. */
const payment = (endpoint: Endpoint): Child => [
  h(
    "p",
    {},
    `A call costs ${priceText(endpoint.price)}${endpoint.billing === "upto" ? " by usage: the quote is the most that it takes" : ""}; ` +
      `a failed call costs nothing${hasTrials(endpoint) ? `, and ${freeText()}` : ""}`,
    hasTrials(endpoint) && [", with the header ", h("code", {}, `${trialHeader()}: 1`)],
    ". ",
    "Without a payment the answer is 402 with the exact price and the networks and tokens that are taken, as the standard ",
    away("https://x402.org", "x402"),
    " has it. ",
    "A client such as ",
    away("https://www.npmjs.com/package/@x402/fetch", "@x402/fetch"),
    " for TypeScript or ",
    away("https://pypi.org/project/x402/", "x402"),
    " for Python signs one of these offers with your wallet and repeats the same request",
    paysHere() ? "; this page does it with a wallet of your browser." : ".",
  ),
];

/** Source and licence, and the terms for a host that sells the data and for a buyer who shows it. */
function source({ source: { provider, url, license }, terms, offline, timeoutSeconds }: Reference): Child {
  const linked = /^https:\/\//.test(url);
  return [
    h("p", {}, "Source: ", linked ? away(url, provider) : provider, `. Licence: ${license}.`),
    terms && [
      h(
        "p",
        {},
        `Resale: ${terms.resale}. ${terms.note} `,
        /^https:\/\//.test(terms.url) && away(terms.url, "Terms"),
        terms.checkedAt ? `, compared on ${terms.checkedAt}.` : ".",
      ),
      terms.attribution !== null && h("p", {}, `To be shown with the data: “${terms.attribution}”`),
    ],
    h(
      "p",
      { class: "about" },
      offline && "It is computed here and asks nobody. ",
      `A call has an answer or an error within ${timeoutSeconds} seconds.`,
    ),
  ];
}
