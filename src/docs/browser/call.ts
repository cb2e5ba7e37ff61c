/** The buttons that call an endpoint with the form's input, and where its answer is shown. */

import { keyButton } from "./account-key.js";
import type { InputForm } from "./form/form.js";
import { quoteView } from "./quote.js";
import { refusal } from "./refusal.js";
import { resultOf } from "./result/result.js";
import { ACCEPT, isStream, streamView } from "./result/stream.js";
import { type Endpoint, hasTrials, isPaid, requestOf, settings, trialHeader } from "./shared/api.js";
import { type Child, h, put } from "./shared/dom.js";
import { type Quote, quoteOf } from "./wallets/offers.js";
import type { Way } from "./wallets/ways.js";

export interface Answer {
  element: HTMLElement;
  /** Shows something, and tells a screen reader in a word. */
  show(said: string, ...children: Child[]): void;
  /** Tells a screen reader in a word, and shows nothing new. */
  tell(said: string): void;
  busy(on: boolean): void;
}

type Input = Record<string, unknown>;
type Headers = Record<string, string>;

/** `formId` is the form that Enter submits. */
export function callButtons(endpoint: Endpoint, form: InputForm, formId: string, answer: Answer): HTMLButtonElement[] {
  const buttons: HTMLButtonElement[] = [];
  const button = (text: string, primary: boolean, headers: Headers) =>
    buttons.push(
      h(
        "button",
        {
          type: primary ? "submit" : "button",
          form: formId,
          class: primary ? "primary" : "",
          onclick: () => void call(headers),
        },
        text,
      ),
    );

  /** Ends the stream that is arriving, if there is one. */
  let stop = () => {};

  function viewOfStream(response: Response): HTMLElement {
    const view = streamView(response);
    stop = view.stop;
    void view.ended.then(answer.tell);
    return view.element;
  }

  async function call(headers: Headers, sent?: Input): Promise<void> {
    stop();
    const busy = (on: boolean) => {
      for (const one of buttons) one.disabled = on;
      answer.busy(on);
    };
    form.complain([]);
    try {
      const input = sent ?? form.read();
      busy(true);
      answer.show("Asking", h("p", {}, "Asking …"));
      const [url, init] = requestOf(endpoint, input);
      const all = { accept: ACCEPT, ...(init.headers as object), ...headers };
      const response = await fetch(url, { ...init, headers: all }).catch(() => undefined);
      if (response) answer.show(`Answer ${response.status}`, await viewOf(response, headers, input));
      else answer.show("No answer came", lost(headers, input));
    } catch (error) {
      answer.show("Not asked", h("p", { class: "issue" }, messageOf(error)));
    } finally {
      busy(false);
    }
  }

  /** Sends the same payment again, which buys the same result at most once. False if nothing was paid. */
  const repeat = (headers: Headers, input: Input) =>
    "PAYMENT-SIGNATURE" in headers &&
    h("button", { type: "button", onclick: () => void call(headers, input) }, "Ask again with the same payment");

  const lost = (headers: Headers, input: Input) =>
    h(
      "div",
      {},
      h("p", { class: "issue" }, "No answer came: the network or the service is unavailable."),
      repeat(headers, input),
    );

  async function viewOf(response: Response, headers: Headers, input: Input): Promise<HTMLElement> {
    const again = repeat(headers, input);
    const quote = response.status === 402 ? quoteOf(response) : undefined;
    if (quote) return quoteView(quote, (way) => void pay(quote, way, input), again !== false);
    if (response.ok) return isStream(response) ? viewOfStream(response) : resultOf(response, input);
    const view = await refusal(response, again !== false, form.complain);
    // An invalid input stays invalid.
    if (again && response.status >= 429) view.append(again);
    return view;
  }

  async function pay(quote: Quote, way: Way, input: Input): Promise<void> {
    answer.show("Your wallet asks you to sign", h("p", {}, "Your wallet asks you to sign."));
    try {
      await call({ "PAYMENT-SIGNATURE": await way.sign() }, input);
    } catch (error) {
      answer.show(
        "Not paid",
        h("p", { class: "issue" }, `Not paid: ${messageOf(error)}`),
        quoteView(quote, (again) => void pay(quote, again, input)),
      );
    }
  }

  // Every call of it would be refused, and the page says why.
  if (!endpoint.available) return [];
  const trial = hasTrials(endpoint);
  if (!isPaid(endpoint)) button("Call it", true, {});
  if (isPaid(endpoint) && trial) button("Try it free", true, { [trialHeader()]: "1" });
  if (isPaid(endpoint)) button("Ask the price", !trial, {});
  if (settings.accountKeys) buttons.push(keyButton((headers) => void call(headers)));
  return buttons;
}

/** An area for answers, which starts with an example. */
export function answerArea(example: HTMLElement): Answer {
  const said = h("p", { class: "hidden", role: "status" });
  const title = h("h2", { id: "answer" }, "Example answer");
  const content = h("div", { class: "answer" }, example);
  const back = (): void => element.append(content);
  const large: HTMLDialogElement = h("dialog", { "aria-labelledby": "answer", onclose: back });
  const close = h("button", { type: "button", class: "quiet", onclick: () => large.close() }, "Close");
  const enlarge = () => {
    put(large, close, content);
    large.showModal();
  };
  const enlarger = h("button", { type: "button", class: "quiet", onclick: enlarge }, "Enlarge");
  const element: HTMLElement = h(
    "section",
    { "aria-labelledby": "answer", class: "result" },
    h("div", { class: "bar" }, title, enlarger),
    said,
    large,
    content,
  );
  return {
    element,
    show(word, ...children) {
      put(title, "Answer");
      put(said, word);
      put(content, ...children);
      // A page that asks by itself stays where it is.
      if (navigator.userActivation?.hasBeenActive !== false) element.scrollIntoView({ block: "nearest" });
    },
    tell: (word) => put(said, word),
    busy: (on) => content.setAttribute("aria-busy", String(on)),
  };
}

/** Wallets reject with plain objects, some of them empty. */
function messageOf(error: unknown): string {
  const message = typeof error === "string" ? error : (error as { message?: unknown } | null)?.message;
  return typeof message === "string" && message !== "" ? message : "The wallet gave no reason.";
}
