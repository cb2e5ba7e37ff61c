/** The page of one endpoint: description, parameters, code samples, and a form to try it. */
import { type Endpoint, priceText, readDescription, requestOf, settings, trialHeader } from "./api.js";
import { h, put } from "./dom.js";
import { type InputForm, inputForm } from "./form.js";
import { quoteView } from "./quote.js";
import { parsed, resultOf, tabs } from "./result.js";
import { LANGUAGES, sampleOf } from "./samples.js";
import { type Offer, type Quote, quoteOf, signPayment } from "./wallet.js";

export async function endpointView(endpoint: Endpoint): Promise<HTMLElement> {
  const { fields, answersJson } = await readDescription(endpoint);
  const answer = h("div", { class: "answer", "aria-live": "polite" });
  const code = h("div");
  const showCode = () => {
    const input = attempt(() => form.read());
    if (input)
      put(
        code,
        tabs(
          "Code",
          LANGUAGES.map((language) => [
            language,
            () => sample(sampleOf(language, { ...endpoint, answersJson }, input)),
          ]),
        ),
      );
  };
  const form = inputForm(fields, showCode);
  showCode();
  return h(
    "article",
    {},
    h(
      "p",
      {},
      h("a", { href: "#" }, "All endpoints"),
      " / ",
      h("a", { href: `#group-${endpoint.group}` }, endpoint.group),
    ),
    h("h1", { tabindex: -1 }, endpoint.id),
    h("p", { class: "lead" }, endpoint.summary),
    h(
      "p",
      { class: "facts" },
      h("code", {}, `${endpoint.method} ${endpoint.path}`),
      h("span", { class: "price" }, priceText(endpoint.price)),
      endpoint.billing === "upto" && "billed by usage, up to the quote",
      endpoint.deprecated && h("strong", {}, "deprecated"),
      !endpoint.available && h("strong", {}, `not available: ${endpoint.reason}`),
    ),
    h("p", { class: "about" }, "Source: ", sourceOf(endpoint), `. License: ${endpoint.source.license}.`),
    ...termsOf(endpoint),
    h(
      "div",
      { class: "columns" },
      h(
        "form",
        { class: "try", "aria-labelledby": "try", onsubmit: (event: Event) => event.preventDefault() },
        h("h2", { id: "try" }, "Try it"),
        form.element,
        actions(endpoint, form, answer),
      ),
      h("section", { "aria-labelledby": "code" }, h("h2", { id: "code" }, "Code"), code),
    ),
    h("section", { "aria-labelledby": "answer" }, h("h2", { id: "answer" }, "Answer"), answer),
  );
}

function sourceOf({ source }: Endpoint) {
  const linked = /^https:\/\//.test(source.url);
  return linked ? h("a", { href: source.url, rel: "noreferrer" }, source.provider) : source.provider;
}

/** Terms for a host that sells the data, and for a buyer who shows it. */
function termsOf({ terms }: Endpoint): (HTMLElement | false)[] {
  if (!terms) return [];
  const { resale, attribution, note, url, checkedAt } = terms;
  return [
    h(
      "p",
      { class: "about" },
      `Resale: ${resale}. ${note} `,
      h("a", { href: url, rel: "noreferrer" }, "Terms"),
      checkedAt ? `, compared on ${checkedAt}.` : ".",
    ),
    attribution !== null && h("p", { class: "about" }, `To be shown with the data: “${attribution}”`),
  ];
}

const sample = (text: string) =>
  h(
    "div",
    { class: "sample" },
    h("pre", { tabindex: 0 }, text),
    h("button", { type: "button", onclick: (event: Event) => copy(event, text) }, "Copy"),
  );

async function copy(event: Event, text: string): Promise<void> {
  const button = event.currentTarget as HTMLButtonElement;
  await navigator.clipboard.writeText(text).then(
    () => put(button, "Copied"),
    () => put(button, "Select it and copy"),
  );
}

/** The buttons, and their actions on the form's input. */
function actions(endpoint: Endpoint, form: InputForm, answer: HTMLElement): HTMLElement {
  const buttons: HTMLButtonElement[] = [];
  const button = (text: string, primary: boolean, headers: Record<string, string>) => {
    const run = () => call(headers);
    const made = h(
      "button",
      { type: primary ? "submit" : "button", class: primary ? "primary" : "", onclick: run },
      text,
    );
    buttons.push(made);
    return made;
  };

  async function call(headers: Record<string, string>, sent?: Record<string, unknown>): Promise<void> {
    const busy = (on: boolean) => {
      for (const one of buttons) one.disabled = on;
      answer.setAttribute("aria-busy", String(on));
    };
    form.complain([]);
    try {
      const input = sent ?? form.read();
      busy(true);
      put(answer, h("p", {}, "Asking …"));
      answer.parentElement?.scrollIntoView({ block: "nearest" });
      const [url, init] = requestOf(endpoint, input);
      const response = await fetch(url, { ...init, headers: { ...(init.headers as object), ...headers } }).catch(
        () => undefined,
      );
      put(answer, response ? await viewOf(response, headers, input) : lost(headers, input));
    } catch (error) {
      put(answer, h("p", { class: "issue" }, messageOf(error)));
    } finally {
      busy(false);
    }
  }

  /** Sends the same payment again, which buys the same result at most once. Undefined if nothing was paid. */
  const repeat = (headers: Record<string, string>, input: Record<string, unknown>) =>
    "PAYMENT-SIGNATURE" in headers &&
    h("button", { type: "button", onclick: () => call(headers, input) }, "Ask again with the same payment");

  const lost = (headers: Record<string, string>, input: Record<string, unknown>) =>
    h(
      "div",
      {},
      h("p", { class: "issue" }, "No answer came: the network or the service is unavailable."),
      repeat(headers, input),
    );

  async function viewOf(
    response: Response,
    headers: Record<string, string>,
    input: Record<string, unknown>,
  ): Promise<HTMLElement> {
    const quote = response.status === 402 ? quoteOf(response) : undefined;
    if (quote) return quoteView(quote, (offer) => pay(quote, offer, input));
    if (response.ok) return resultOf(response, input);
    const again = repeat(headers, input);
    // An invalid input stays invalid.
    const view = await refusal(response, form, again !== false);
    if (again && response.status >= 429) view.append(again);
    return view;
  }

  async function pay(quote: Quote, offer: Offer, input: Record<string, unknown>): Promise<void> {
    put(answer, h("p", {}, "Your wallet asks you to sign."));
    try {
      await call({ "PAYMENT-SIGNATURE": await signPayment(quote, offer) }, input);
    } catch (error) {
      put(
        answer,
        h("p", { class: "issue" }, `Not paid: ${messageOf(error)}`),
        quoteView(quote, (again) => pay(quote, again, input)),
      );
    }
  }

  if (!settings.paid) return h("p", { class: "actions" }, button("Call it", true, {}));
  const trial = settings.trialsPerHour > 0;
  return h(
    "p",
    { class: "actions" },
    trial && button("Try it free", true, { [trialHeader()]: "1" }),
    button("Ask the price", !trial, {}),
  );
}

async function refusal(response: Response, form: InputForm, isPaid: boolean): Promise<HTMLElement> {
  const text = await response.text();
  const problem = parsed(text) as
    | {
        title?: string;
        detail?: string;
        code?: string;
        requestId?: string;
        issues?: { path: string; message: string }[];
      }
    | undefined;
  if (!problem || typeof problem !== "object")
    return h("p", { class: "issue" }, `The service answered ${response.status}: ${text.slice(0, 500)}`);
  const issues = problem.issues ?? [];
  form.complain(issues);
  return h(
    "div",
    {},
    h("h3", {}, `${response.status} ${problem.code ?? problem.title ?? ""}`),
    h("p", { class: "issue" }, problem.detail ?? problem.title),
    issues.length > 0 &&
      h(
        "ul",
        {},
        issues.map(({ path, message }) => h("li", {}, h("code", {}, path), `: ${message}`)),
      ),
    h("p", { class: "about" }, `${chargeOf(problem.code, isPaid)} Request ${problem.requestId ?? ""}`),
  );
}

/** Whether money may have moved: after a payment only the service's own sentence tells. */
function chargeOf(code: string | undefined, isPaid: boolean): string {
  if (!isPaid) return "Nothing was charged.";
  return code === "SETTLEMENT_PENDING" ? "Your payment is not settled yet." : "Your payment is taken once at most.";
}

/** Wallets reject with plain objects. */
const messageOf = (error: unknown): string => {
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === "string" ? message : String(error);
};

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
