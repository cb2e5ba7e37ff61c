/** Requests that a host posts to the addresses that wallets name, for OpenAPI. */
import { toJsonSchema } from "../capability/json-schema.js";
import { type CallbackBody, callbackBodies, callbackBody } from "../state/webhooks/bodies.js";

/** By type; undefined if none of the groups creates callbacks. */
export function webhooks(groups: readonly string[], slug: string): Record<string, { post: object }> | undefined {
  const told = Object.entries(callbackBodies()).filter(([, { group }]) => groups.includes(group));
  if (told.length === 0) return undefined;
  return Object.fromEntries(told.map(([type, body]) => [type, { post: toPost(type, body, slug) }]));
}

const toPost = (type: string, body: CallbackBody, slug: string) => ({
  operationId: `on${type.replace(/(?:^|\.)[a-z]/g, (start) => start.replace(".", "").toUpperCase())}`,
  summary: body.summary,
  description:
    "Signed by Standard Webhooks, with the secret and the public key from the creating call. It may come more than once, each time with the same webhook-id.",
  tags: [body.group],
  security: [],
  parameters: [
    header("webhook-id", "Of the event, the same over all attempts"),
    header("webhook-timestamp", "Of this attempt, in seconds"),
    header("webhook-signature", "v1 (HMAC-SHA256) and v1a (Ed25519), separated by blanks"),
    // The confirmation request to an address is not a delivery attempt.
    ...(type === "subscription.confirmation"
      ? [header(`x-${slug}-confirmation-token`, "The token once more")]
      : [header(`x-${slug}-attempt`, "Which attempt it is, from 1 on")]),
  ],
  requestBody: {
    required: true,
    content: { "application/json": { schema: toJsonSchema(callbackBody(type, body), "output") } },
  },
  responses: {
    "2XX": { description: "Received" },
    "410": { description: "Never again: the callback is ended" },
    default: { description: "Anything else is tried again, later and later, for about three days" },
  },
});

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});
