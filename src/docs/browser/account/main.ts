/** The page of a customer: the account that a key or a wallet opens. */
import { byId, h, put } from "../shared/dom.js";
import { greetWallets } from "../wallets/standard.js";
import { enter } from "./ask.js";
import { closeView } from "./close.js";
import { invoicesView } from "./invoices.js";
import { keysView } from "./keys.js";
import { balanceView, grantsView, useView } from "./overview.js";
import { signInView } from "./sign-in.js";
import { statementView } from "./statement.js";

const main = byId("content");

function show(view: HTMLElement): void {
  put(main, view);
  window.scrollTo(0, 0);
  main.querySelector<HTMLElement>("h1")?.focus();
}

/** Whatever is shown of an account is gone with its key. */
function leave(said?: string): void {
  enter("");
  const view = signInView(open);
  if (said !== undefined) view.querySelector("h1")?.after(h("p", { class: "said", role: "status" }, said));
  show(view);
}

async function open(): Promise<void> {
  // The first one alone, so that a key that is wrong is asked about once.
  const balance = await balanceView();
  const others = await Promise.all([grantsView(), useView(), statementView(), invoicesView(), keysView()]);
  show(
    h(
      "article",
      { class: "paywall account" },
      h("h1", { tabindex: -1 }, "Your account"),
      h("p", {}, h("button", { type: "button", onclick: () => leave() }, "Leave")),
      balance,
      others,
      closeView(leave),
    ),
  );
}

greetWallets();
put(main, signInView(open));
