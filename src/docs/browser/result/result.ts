/** Shows an answer as a picture, a table, a map, a line, or JSON; with its cost. */
import { settings } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { tabs, type View } from "../shared/tabs.js";
import { chartOf } from "./chart.js";
import { jsonView } from "./json.js";
import { mapOf } from "./map.js";
import { type Place, placesOf, recordsOf, rowsOf, seriesOf } from "./shapes.js";
import { tableOf } from "./table.js";

/** View of an answer that is neither a quote nor a refusal. */
export async function resultOf(response: Response, input: Record<string, unknown>): Promise<HTMLElement> {
  const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
  const blob = await response.blob();
  const isText = /^text\/|json/.test(type);
  const text = isText ? await blob.text() : "";
  const body = parsed(text);
  if (body !== undefined) return h("div", {}, costOf(response, body), viewsOf(body, input));
  return h(
    "div",
    {},
    costOf(response),
    isText && h("pre", { tabindex: 0 }, text.slice(0, MAX_TEXT)),
    (!isText || text.length > MAX_TEXT) && fileView(blob.type === "" ? new Blob([blob], { type }) : blob),
  );
}

const MAX_TEXT = 100_000;

/** A file: a picture is shown, and every file can be saved. */
export function fileView(blob: Blob): HTMLElement {
  const [type = ""] = blob.type.split(";");
  const url = URL.createObjectURL(blob);
  const name = `answer.${type.split("/")[1]?.split("+")[0] ?? "bin"}`;
  return h(
    "figure",
    { class: "picture" },
    type.startsWith("image/") && h("img", { src: url, alt: "The picture that the service answered with" }),
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
  const records = recordsOf(body);
  const views: View[] = [
    ...(series.length > 0 ? [["Chart", () => chartOf(series)] as View] : []),
    ...(places.length > 1 ? [["Map", () => mapOf(places, askedPlace(input))] as View] : []),
    ...(records.length > 0 ? [["Table", () => tableOf(records)] as View] : []),
    ["JSON", () => jsonView(body)],
  ];
  return tabs("Views of the answer", views);
}

function askedPlace(input: Record<string, unknown>): Place | undefined {
  const [place] = placesOf([input]);
  return place && { ...place, name: "the point asked about" };
}

/** The line about what an answer cost, from its headers or its facts. */
export function costOf(response: Response, body?: unknown): HTMLElement {
  const meta = (body as { meta?: Record<string, unknown> } | undefined)?.meta ?? {};
  const told = (name: string, member: string) =>
    response.headers.get(`x-${settings.slug}-${name}`) ??
    (meta[member] === undefined ? undefined : String(meta[member]));
  const payment = meta.payment as { transaction?: string } | undefined;
  const transaction = response.headers.get(`x-${settings.slug}-transaction`) ?? payment?.transaction;
  const trial = meta.trial as { remaining?: number; resetAt?: string } | undefined;
  const caller = told("caller", "caller");
  const isCharged = caller === "paid" || caller === "account";
  const facts = [
    caller === "trial" ? "Free trial" : isCharged ? `Paid ${told("cost-usd", "costUsd") ?? ""} USD` : "Free",
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
