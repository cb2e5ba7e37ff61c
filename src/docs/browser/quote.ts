/** A 402 in words: price, recipient, network, and the ways to pay. */
import { h, put } from "./shared/dom.js";
import { networkName, type Offer, priceOf, type Quote } from "./wallets/offers.js";
import { greetWallets, whenWalletsChange } from "./wallets/standard.js";
import { hintsOf, type Way, waysOf } from "./wallets/ways.js";

greetWallets();

/** `pay` is called with the way of the button; `isPaid` says that a payment was refused. */
export function quoteView(quote: Quote, pay: (way: Way) => void, isPaid = false): HTMLElement {
  const actions = h("div");
  const showActions = () => {
    const ways = waysOf(quote);
    const button = (way: Way, i: number) =>
      h("button", { type: "button", class: i === 0 && "primary", onclick: () => pay(way) }, way.label);
    const hints = hintsOf(quote, ways);
    put(
      actions,
      ways.length > 0 && h("p", { class: "actions" }, ways.map(button)),
      hints.length > 0 && h("p", { class: "about" }, hints.join(" ")),
    );
  };
  showActions();
  whenWalletsChange(showActions);
  const [first] = quote.accepts;
  const reason = quote.error && quote.error !== "Payment required" ? h("p", { class: "issue" }, quote.error) : null;
  return h(
    "div",
    { class: "quote" },
    h("h3", {}, first ? `This call costs ${priceOf(first)}` : "This call costs money"),
    reason,
    h(
      "p",
      {},
      isPaid
        ? "The service did not take this payment, and nothing has run. "
        : "The service answered 402 Payment Required: nothing was charged and nothing has run yet. ",
      "To pay, sign one of these offers and send the same request again; a failed call is not charged.",
    ),
    h("ul", {}, quote.accepts.map(offerLine)),
    actions,
  );
}

const offerLine = (offer: Offer) => {
  const { network, payTo, asset, scheme } = offer;
  return h(
    "li",
    {},
    `${scheme === "upto" ? "up to " : ""}${priceOf(offer)} on ${networkName(network)}, to `,
    h("code", {}, payTo),
    h("br"),
    h("span", { class: "about" }, "token ", h("code", {}, asset)),
  );
};
