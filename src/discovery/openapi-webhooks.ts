/** Requests that a host posts to the addresses that wallets name, for OpenAPI. */
import { toJsonSchema } from "../capability/json-schema.js";
import { type CallbackBody, callbackBodies, callbackBody } from "../state/webhooks/bodies.js";
import { jobCalls } from "./job-operations.js";

interface Told {
  summary: string;
  tag: string;
  schema: object;
}

/** By type; undefined if none of the groups creates callbacks, and no call has one at its end. */
export function webhooks(
  groups: readonly string[],
  { slug, jobs }: { slug: string; jobs: boolean },
): Record<string, { post: object }> | undefined {
  const told: [string, Told][] = Object.entries(callbackBodies())
    .filter(([, { group }]) => groups.includes(group))
    .map(([type, body]) => [type, toldOf(type, body)]);
  if (jobs) for (const [type, call] of Object.entries(jobCalls())) told.push([type, { ...call, tag: "discovery" }]);
  if (told.length === 0) return undefined;
  return Object.fromEntries(told.map(([type, one]) => [type, { post: toPost(type, one, slug) }]));
}

const toldOf = (type: string, body: CallbackBody): Told => ({
  ...{ summary: body.summary, tag: body.group },
  schema: toJsonSchema(callbackBody(type, body), "output"),
});

const toPost = (type: string, { summary, tag, schema }: Told, slug: string) => ({
  operationId: `on${type.replace(/(?:^|\.)[a-z]/g, (start) => start.replace(".", "").toUpperCase())}`,
  summary,
  description:
    "Signed by Standard Webhooks, with the secret and the public key from the creating call. It may come more than once, each time with the same webhook-id.",
  tags: [tag],
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
    content: { "application/json": { schema } },
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
