/** The example of an answer, before there is a real one. */

import { jsonView } from "../result/json.js";
import { fileView } from "../result/result.js";
import { placeholderOf } from "../result/tree.js";
import type { Endpoint, Reference } from "../shared/api.js";
import { h } from "../shared/dom.js";

export function exampleView(endpoint: Endpoint, { answer, source }: Reference): HTMLElement {
  const { example, schema, envelope, types } = answer;
  if (example && "text" in example)
    return h("div", {}, note("The answer to the example."), fileView(new Blob([example.text], { type: example.type })));
  const wrap = (data: unknown) => (envelope ? { data, meta: metaOf(endpoint) } : data);
  if (example)
    return h(
      "div",
      {},
      note(
        `${example.input ? `A recorded answer, to ${JSON.stringify(example.input)}` : "The answer to the example"}${example.shortened ? ", its long parts cut" : ""}.`,
      ),
      jsonView(wrap(example.json)),
    );
  if (!schema) return h("div", {}, note(`A file of type ${types.join(" or ")} comes back.`));
  const words =
    types.includes("application/json") && types.length > 1
      ? "The shape of an answer in JSON"
      : "The shape of an answer";
  return h(
    "div",
    {},
    note(`${words}: its texts and numbers stand for real ones.`),
    jsonView(wrap(withSource(placeholderOf(schema), source))),
  );
}

/** The source is known before any answer. */
const withSource = (shape: unknown, source: Reference["source"]): unknown =>
  typeof shape === "object" && shape !== null && "source" in shape ? { ...shape, source } : shape;

const note = (text: string) => h("p", { class: "about" }, text);

/** The usual members; others tell of a payment or a trial. */
const metaOf = ({ id, price }: Endpoint) => ({
  endpoint: id,
  requestId: "…",
  caller: "paid",
  costUsd: price.usd ?? price.minUsd,
  durationMs: 120,
  cached: false,
});
