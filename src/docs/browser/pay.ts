/** The page of a 402: tries the call that was opened, or pays it from the browser's wallet, and shows its answer. */

import { answerArea, callButtons } from "./call.js";
import { copyButton } from "./copy.js";
import type { InputForm } from "./form/form.js";
import { language, noteLanguage } from "./form/memory.js";
import { LANGUAGES, sampleOf } from "./form/samples.js";
import { answersJson, endpoints, readReference, settings } from "./shared/api.js";
import { byId, h, put } from "./shared/dom.js";
import { tabs } from "./shared/tabs.js";

const [endpoint] = endpoints;
const input: Record<string, unknown> = settings.input ?? {};

async function start(): Promise<void> {
  // Another method has a body, which an address does not carry.
  if (endpoint?.method !== "GET") return;
  const complaints = h("p", { class: "issue", role: "alert" });
  const form: InputForm = {
    element: complaints,
    read: () => input,
    complain: (issues) => put(complaints, issues.map(({ path, message }) => `${path} ${message}`).join("; ")),
  };
  const answer = answerArea(h("p", {}, "Here the answer will stand."));
  const buttons = callButtons(endpoint, form, "buying", answer);
  const actions = h("form", { id: "buying", onsubmit: (event: Event) => event.preventDefault() });
  actions.append(...buttons);
  put(byId("pay"), h("p", { class: "actions" }, actions), complaints, answer.element);
  // The price with its offers, and a wallet's button, without a click.
  buttons.find(({ textContent }) => textContent === "Ask the price")?.click();
  const sold = { ...endpoint, answersJson: answersJson(await readReference(endpoint.id)) };
  const views = LANGUAGES.map((name): [string, () => HTMLElement] => [
    name,
    () => {
      const text = sampleOf(name, sold, input);
      return h(
        "div",
        { class: "sample" },
        h("pre", { tabindex: 0 }, text),
        copyButton("Copy", () => text),
      );
    },
  ]);
  put(byId("samples"), tabs("Code", views, { first: language(), onChoose: noteLanguage }));
}

void start();
