/** Shows an answer while it arrives, with a button that ends it. */
import { h, put } from "../shared/dom.js";
import { costOf, parsed } from "./result.js";

/** Media type of streams, preferred to JSON where an endpoint has both. */
export const ACCEPT = "text/event-stream, application/json;q=0.9";

/** The page holds no more of a stream than this, in characters. */
const MAX_TEXT = 100_000;

export const isStream = (response: Response): boolean =>
  response.headers.get("content-type")?.startsWith("text/event-stream") === true;

interface Chunk {
  choices?: { delta?: { content?: string; refusal?: string } }[];
}

/** The text of a chunk in the format of chats, or its JSON as a line. */
function saidIn(data: string): string {
  const { choices } = (parsed(data) ?? {}) as Chunk;
  if (!Array.isArray(choices)) return `${data}\n`;
  return choices.map(({ delta }) => delta?.content ?? delta?.refusal ?? "").join("");
}

export interface StreamView {
  element: HTMLElement;
  /** Resolves when the stream has ended, however it did, to a word about it. */
  ended: Promise<string>;
  stop(): void;
}

export function streamView(response: Response): StreamView {
  const text = document.createTextNode("");
  const cost = h("p", { class: "cost" }, "Arriving …");
  const stop = h("button", { type: "button", onclick: () => leave() }, "Stop");
  const element = h("div", {}, cost, h("p", {}, stop), h("pre", { tabindex: 0 }, text));
  const reader = response.body?.getReader();
  let stopped = false;
  let size = 0;
  let pending = "";
  let frame = 0;

  /** One change of the page a frame, however many chunks arrive. */
  function draw(): void {
    frame = 0;
    text.appendData(pending);
    pending = "";
  }
  function say(more: string): void {
    const room = MAX_TEXT - size;
    size += Math.min(more.length, Math.max(room, 0));
    if (room <= 0) return;
    pending += more.slice(0, room);
    if (frame === 0) frame = requestAnimationFrame(draw);
  }
  function leave(): void {
    stopped = true;
    void reader?.cancel();
  }

  /** Takes an event of the stream; true if it was the last. */
  function take(block: string): boolean {
    const [, event = "message"] = /^event: ?(.*)$/m.exec(block) ?? [];
    const [, data] = /^data: ?(.*)$/m.exec(block) ?? [];
    if (data === undefined) return false;
    const told = parsed(data) as Told | undefined;
    const facts = event === "meta" ? told : factsIn(told);
    if (event === "error") cost.before(h("p", { class: "issue" }, told?.detail ?? "The stream broke off."));
    else if (event === "message" && data !== "[DONE]") say(saidIn(data));
    if (facts) cost.replaceWith(costOf(response, facts));
    return facts !== undefined;
  }

  async function read(): Promise<boolean> {
    const decoder = new TextDecoder();
    let rest = "";
    for (let isLast = false; reader && !isLast; ) {
      const { done, value } = await reader.read();
      if (done) return false;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = (blocks.pop() ?? "").slice(-1_000_000);
      for (const block of blocks) isLast = take(block) || isLast;
      if (isLast) return true;
    }
    return false;
  }

  const ended = read()
    .catch(() => false)
    .then((isWhole) => {
      stop.remove();
      draw();
      if (stopped) put(cost, "Stopped: what arrived is charged.");
      else if (!isWhole) put(cost, "The connection broke off.");
      return isWhole ? "The answer is complete" : stopped ? "Stopped" : "The connection broke off";
    });
  return { element, ended, stop: leave };
}

interface Told {
  detail?: string;
  usage?: { meta?: unknown; headers?: unknown } | null;
}

/** The facts of a call, where the last chunk tells them in its usage. */
const factsIn = (told: Told | undefined) => (told?.usage?.meta && told.usage.headers ? told.usage : undefined);
