/** Shows an answer as a picture, a table, a map, a line, or JSON; with its cost. */
import { settings } from "./api.js";
import { chartOf } from "./chart.js";
import { h, put } from "./dom.js";
import { mapOf } from "./map.js";
import { type Place, placesOf, rowsOf, seriesOf } from "./shapes.js";
import { tableOf } from "./table.js";

/** View of an answer that is neither a quote nor a refusal. */
export async function resultOf(response: Response, input: Record<string, unknown>): Promise<HTMLElement> {
  const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
  const blob = await response.blob();
  if (type.startsWith("image/")) return h("div", {}, costOf(response), pictureOf(blob, type));
  const text = await blob.text();
  const body = parsed(text);
  if (body === undefined) return h("div", {}, costOf(response), h("pre", { tabindex: 0 }, text.slice(0, 100_000)));
  return h("div", {}, costOf(response, body), viewsOf(body, input));
}

function pictureOf(blob: Blob, type: string): HTMLElement {
  const url = URL.createObjectURL(blob);
  const name = `result.${type.split("/")[1]?.replace("svg+xml", "svg") ?? "bin"}`;
  return h(
    "figure",
    { class: "picture" },
    h("img", { src: url, alt: "The picture that the service answered with" }),
    h(
      "figcaption",
      {},
      `${type}, ${blob.size.toLocaleString("en")} bytes. `,
      h("a", { href: url, download: name }, "Save"),
    ),
  );
}

function viewsOf(body: unknown, input: Record<string, unknown>): HTMLElement {
  const rows = rowsOf(body);
  const places = placesOf(rows);
  const series = seriesOf(rows);
  const json = JSON.stringify(body, null, 2);
  const views: [name: string, make: () => HTMLElement][] = [
    ...(series.length > 0 ? [["Chart", () => chartOf(series)] as [string, () => HTMLElement]] : []),
    ...(places.length > 1 ? [["Map", () => mapOf(places, askedPlace(input))] as [string, () => HTMLElement]] : []),
    ...(rows.length > 0 ? [["Table", () => tableOf(rows)] as [string, () => HTMLElement]] : []),
    [
      "JSON",
      () => h("pre", { tabindex: 0, class: "json" }, json.length > 200_000 ? `${json.slice(0, 200_000)}\n…` : json),
    ],
  ];
  return tabs("Views of the answer", views);
}

function askedPlace(input: Record<string, unknown>): Place | undefined {
  const [place] = placesOf([input]);
  return place && { ...place, name: "the point asked about" };
}

/** Tabs according to the ARIA practices: arrow keys move, and the panel follows. */
export function tabs(label: string, views: [name: string, make: () => HTMLElement][]): HTMLElement {
  const id = `tabs-${Math.random().toString(36).slice(2)}`;
  const panel = h("div", { role: "tabpanel", id: `${id}-panel`, tabindex: 0 });
  const buttons = views.map(([name], i) =>
    h(
      "button",
      { type: "button", role: "tab", id: `${id}-${i}`, "aria-controls": `${id}-panel`, onclick: () => show(i) },
      name,
    ),
  );
  const show = (chosen: number, focus = false) => {
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `${id}-${chosen}`);
    put(panel, views[chosen]?.[1]());
    if (focus) buttons[chosen]?.focus();
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    show((at + step + buttons.length) % buttons.length, true);
  };
  const list = h("div", { role: "tablist", "aria-label": label, onkeydown: move }, buttons);
  show(0);
  return h("div", { class: "tabs" }, list, panel);
}

function costOf(response: Response, body?: unknown): HTMLElement {
  const meta = (body as { meta?: Record<string, unknown> } | undefined)?.meta ?? {};
  const told = (name: string, member: string) =>
    response.headers.get(`x-${settings.slug}-${name}`) ??
    (meta[member] === undefined ? undefined : String(meta[member]));
  const payment = meta.payment as { transaction?: string } | undefined;
  const transaction = response.headers.get(`x-${settings.slug}-transaction`) ?? payment?.transaction;
  const trial = meta.trial as { remaining?: number; resetAt?: string } | undefined;
  const caller = told("caller", "caller");
  const facts = [
    caller === "trial" ? "Free trial" : caller === "paid" ? `Paid ${told("cost-usd", "costUsd") ?? ""} USD` : "Free",
    told("duration-ms", "durationMs") && `${told("duration-ms", "durationMs")} ms`,
    trial?.resetAt && trial.remaining === 0 && `next free call after ${new Date(trial.resetAt).toLocaleTimeString()}`,
    transaction && `transaction ${transaction}`,
  ];
  return h("p", { class: "cost" }, facts.filter(Boolean).join(" · "));
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
