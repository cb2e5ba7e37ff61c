/** The page of one endpoint: what it takes and returns on the left; code, the call and its answer in view on the right. */
import { reading } from "./about.js";
import { keyField } from "./account-key.js";
import { answerArea, callButtons } from "./call.js";
import { copyButton } from "./copy.js";
import { exampleView } from "./form/example.js";
import { inputForm } from "./form/form.js";
import { language, noteLanguage } from "./form/memory.js";
import { LANGUAGES, sampleOf } from "./form/samples.js";
import { promptOf } from "./prompt.js";
import { answersJson, type Endpoint, membersOf, priceText, readReference, settings } from "./shared/api.js";
import { h, put } from "./shared/dom.js";
import { tabs } from "./shared/tabs.js";

export async function endpointView(endpoint: Endpoint): Promise<HTMLElement> {
  const reference = await readReference(endpoint.id);
  const sold = { ...endpoint, answersJson: answersJson(reference) };
  const code = h("div");
  let input = reference.example;
  const showCode = () => {
    try {
      input = form.read();
    } catch {
      // The last input that was whole stays.
      return;
    }
    const views = LANGUAGES.map((name): [string, () => HTMLElement] => [
      name,
      () => sample(sampleOf(name, sold, input)),
    ]);
    put(code, tabs("Code", views, { first: language(), onChoose: noteLanguage }));
  };
  const form = inputForm(membersOf(reference.input, reference.example), showCode);
  showCode();
  const answer = answerArea(exampleView(endpoint, reference));
  return h(
    "article",
    { class: "endpoint" },
    headOf(endpoint),
    h(
      "form",
      { id: "try", "aria-labelledby": "parameters", onsubmit: (event: Event) => event.preventDefault() },
      h("h2", { id: "parameters" }, "Parameters"),
      form.element,
    ),
    h(
      "div",
      { class: "bench" },
      h(
        "p",
        { class: "actions" },
        callButtons(endpoint, form, "try", answer),
        copyButton("Copy as prompt", () => promptOf(endpoint, reference, input)),
      ),
      settings.accountKeys && keyField(),
      h("section", { "aria-labelledby": "code" }, h("h2", { id: "code", class: "hidden" }, "Code"), code),
      answer.element,
    ),
    reading(endpoint, reference),
  );
}

const headOf = (endpoint: Endpoint) =>
  h(
    "header",
    {},
    h("p", { class: "crumb" }, h("a", { href: `#group-${endpoint.group}` }, endpoint.group)),
    h("h1", { tabindex: -1 }, endpoint.id),
    h("p", { class: "lead" }, endpoint.summary),
    h(
      "p",
      { class: "signature" },
      h("code", {}, h("b", {}, endpoint.method), ` ${endpoint.path}`),
      h("span", { class: "price" }, priceText(endpoint.price)),
      endpoint.billing === "upto" && "billed by usage, up to the quote",
      endpoint.deprecated && h("strong", {}, "deprecated"),
      endpoint.sunset && h("strong", {}, `ends on ${endpoint.sunset}`),
      !endpoint.available && h("strong", {}, `not available: ${endpoint.reason}`),
    ),
  );

const sample = (text: string) =>
  h(
    "div",
    { class: "sample" },
    h("pre", { tabindex: 0 }, text),
    copyButton("Copy", () => text),
  );
