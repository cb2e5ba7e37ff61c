/** Tables and sections of the account's page. */
import { type Child, h } from "../shared/dom.js";

export const section = (id: string, title: string, ...children: Child[]): HTMLElement =>
  h("section", { "aria-labelledby": id }, h("h2", { id, tabindex: -1 }, title), ...children);

export const table = (label: string, columns: readonly string[], rows: readonly Child[][]): HTMLElement =>
  rows.length === 0
    ? h("p", { class: "about" }, "There is nothing yet.")
    : h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              columns.map((name) => h("th", { scope: "col" }, name)),
            ),
          ),
          h(
            "tbody",
            {},
            rows.map(([first, ...others]) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, first),
                others.map((cell) => h("td", {}, cell)),
              ),
            ),
          ),
        ),
      );

export const dayOf = (time: string | undefined): string => time?.slice(0, 16).replace("T", " ") ?? "";
export const usd = (amount: string | undefined): string =>
  amount === undefined ? "" : amount.startsWith("-") ? `-$${amount.slice(1)}` : `$${amount}`;

/** A button that does something once at a time, and says what went wrong. */
export function button(text: string, issue: HTMLElement, work: () => Promise<void>, kind = ""): HTMLButtonElement {
  const one: HTMLButtonElement = h(
    "button",
    {
      type: "button",
      class: kind,
      onclick: async () => {
        one.disabled = true;
        issue.textContent = "";
        await work()
          .catch((error: unknown) => {
            issue.textContent = error instanceof Error ? error.message : String(error);
          })
          .finally(() => {
            one.disabled = false;
          });
      },
    },
    text,
  );
  return one;
}
