/** Closes the account, after a question. */
import { h } from "../shared/dom.js";
import { ask, host } from "./ask.js";
import { button, dayOf, section, usd } from "./tables.js";

export interface Closed {
  keptUntil: string;
  refundedUsd: string;
  forfeitedUsd: string;
  owedUsd: string;
}

const RULE = () =>
  host.forfeits
    ? "What is left of the balance is lost."
    : "What is left of a bought balance goes back to the wallet that paid.";

export function closeView(done: (said: string) => void): HTMLElement {
  const issue = h("p", { class: "issue", role: "alert" });
  const dialog: HTMLDialogElement = h(
    "dialog",
    { "aria-labelledby": "sure", class: "asking" },
    h("h2", { id: "sure" }, "Close the account?"),
    h("p", {}, `Its keys end at once, and its data are erased, but for its book, which the law wants kept. ${RULE()}`),
    issue,
    h(
      "p",
      { class: "actions" },
      button("Close the account", issue, async () => {
        const { keptUntil, refundedUsd, forfeitedUsd, owedUsd } = await ask<Closed>("POST", "close", {});
        dialog.close();
        const parts = [
          refundedUsd === "0" ? "" : `${usd(refundedUsd)} go back to the wallet that paid.`,
          forfeitedUsd === "0" ? "" : `${usd(forfeitedUsd)} are lost.`,
          owedUsd === "0" ? "" : `${usd(owedUsd)} are given back by ${host.name}.`,
        ].filter(Boolean);
        done(["The account is closed.", ...parts, `Its book is kept until ${dayOf(keptUntil)}.`].join(" "));
      }),
      h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Keep it"),
    ),
  );
  return section(
    "close",
    "Close the account",
    h("p", {}, RULE()),
    h("button", { type: "button", onclick: () => dialog.showModal() }, "Close the account …"),
    dialog,
  );
}
