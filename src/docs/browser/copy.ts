/** A button that copies a text, and says so. */
import { h, put } from "./shared/dom.js";

const SAID_MS = 2000;

export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const said = h("span", { "aria-live": "polite" }, label);
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text()).then(
      () => "Copied",
      () => "Select it and copy",
    );
    put(said, done);
    setTimeout(() => put(said, label), SAID_MS);
  };
  return h("button", { type: "button", class: "quiet", onclick: () => void copy() }, said);
}
