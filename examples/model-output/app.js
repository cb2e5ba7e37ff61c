// What a model wrote as JSON becomes an order: repaired, judged by a schema, queried, and told as changes to the last one.
import { pathToFileURL } from "node:url";
import { jsonDiff, jsonQuery, jsonRepair, jsonValidate } from "coinslot/capabilities/json";

const schema = {
  type: "object",
  required: ["items"],
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["sku", "count"],
        properties: { sku: { type: "string" }, count: { type: "integer", minimum: 1 } },
      },
    },
  },
};
const only = ({ items: [item] }) => item;

/** The order with what changed since `last`, or why it is none. */
export async function orderFrom(text, last) {
  const { value, certain } = only(await jsonRepair({ text }));
  const { valid, errors } = only(await jsonValidate({ schema, instance: value }));
  if (!valid) return { refused: errors.map(({ path, message }) => `${path} ${message}`) };
  const large = { language: "jsonpath", query: "$.items[?@.count >= 10].sku", document: value };
  const { result: toConfirm } = only(await jsonQuery(large));
  const { changes } = only(await jsonDiff({ operation: "diff", document: last, other: value, arrayKey: "sku" }));
  return { order: value, certain, toConfirm, changes };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const last = { items: [{ sku: "green", count: 2 }] };
  const text = "Here you are:\n```json\n{items: [{sku: 'green', count: 3}, {sku: 'black', count: 12},]}\n```";
  console.dir(await orderFrom(text, last), { depth: 5 });
  console.dir(await orderFrom('{"items": [{"sku": "green", "count": 0}]}', last), { depth: 5 });
}
