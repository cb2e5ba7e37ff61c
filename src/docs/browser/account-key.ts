/** A call with a key of the visitor's account, which is kept in this page only, and gone when it is left. */
import { h } from "./shared/dom.js";

let key = "";

const field = () =>
  h("input", {
    type: "password",
    "aria-label": "Key of your account",
    placeholder: "Key of your account",
    autocomplete: "off",
    spellcheck: "false",
    value: key,
    oninput: (event: Event) => {
      key = (event.target as HTMLInputElement).value.trim();
    },
  });

/** The field of the key; it says what becomes of it. */
export const keyField = () =>
  h(
    "p",
    { class: "about" },
    field(),
    " A key pays from your account. It stays in this page, is stored nowhere, and is sent only by “Call with your key”.",
  );

export const keyButton = (call: (headers: Record<string, string>) => void): HTMLButtonElement =>
  h(
    "button",
    { type: "button", onclick: () => key !== "" && call({ Authorization: `Bearer ${key}` }) },
    "Call with your key",
  );
