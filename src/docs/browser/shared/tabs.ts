/** Tabs according to the ARIA practices: arrow keys move, and the panel follows. */
import { h, put } from "./dom.js";

export type View = [name: string, make: () => HTMLElement];

export interface TabOptions {
  /** Name of the view that is shown first. */
  first?: string | null;
  onChoose?: (name: string) => void;
}

let made = 0;

export function tabs(label: string, views: View[], { first, onChoose }: TabOptions = {}): HTMLElement {
  const id = `tabs-${++made}`;
  const panel = h("div", { role: "tabpanel", id: `${id}-panel`, tabindex: 0 });
  const buttons = views.map(([name], i) =>
    h(
      "button",
      { type: "button", role: "tab", id: `${id}-${i}`, "aria-controls": `${id}-panel`, onclick: () => choose(i) },
      name,
    ),
  );
  const show = (chosen: number) => {
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `${id}-${chosen}`);
    put(panel, views[chosen]?.[1]());
  };
  const choose = (chosen: number) => {
    show(chosen);
    onChoose?.(views[chosen]?.[0] ?? "");
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const next = (at + step + buttons.length) % buttons.length;
    choose(next);
    buttons[next]?.focus();
  };
  const list = h("div", { role: "tablist", "aria-label": label, onkeydown: move }, buttons);
  show(
    Math.max(
      0,
      views.findIndex(([name]) => name === first),
    ),
  );
  return h("div", { class: "tabs" }, list, panel);
}
