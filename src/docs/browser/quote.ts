/** A 402 in words: price, recipient, network, and the ways to pay. */
import { h } from "./dom.js";
import { amountText, hasWallet, networkName, type Offer, payableOffer, type Quote, tokenName } from "./wallet.js";

/** `pay` is called with the offer of the button; `isPaid` says that a payment was refused. */
export function quoteView(quote: Quote, pay: (offer: Offer) => void, isPaid = false): HTMLElement {
  const offer = payableOffer(quote);
  const [first] = quote.accepts;
  const reason = quote.error && quote.error !== "Payment required" ? h("p", { class: "issue" }, quote.error) : null;
  return h(
    "div",
    { class: "quote" },
    h("h3", {}, first ? `This call costs ${amountText(first.amount)} ${tokenName(first)}` : "This call costs money"),
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
    offer && hasWallet()
      ? h(
          "p",
          {},
          h(
            "button",
            { type: "button", class: "primary", onclick: () => pay(offer) },
            `Pay ${amountText(offer.amount)} ${tokenName(offer)} from this browser's wallet`,
          ),
        )
      : h(
          "p",
          { class: "about" },
          offer
            ? "To pay from here, open this page in a browser with an Ethereum wallet. The code pays by itself."
            : "No browser's wallet can sign these offers from a page. The code pays by itself.",
        ),
  );
}

const offerLine = (offer: Offer) => {
  const { amount, network, payTo, asset, scheme } = offer;
  return h(
    "li",
    {},
    `${scheme === "upto" ? "up to " : ""}${amountText(amount)} ${tokenName(offer)} on ${networkName(network)}, to `,
    h("code", {}, payTo),
    h("br"),
    h("span", { class: "about" }, "token ", h("code", {}, asset)),
  );
};
