/** Where jobs are fetched and cancelled, for OpenAPI. */
import type { AnyCapability } from "../capability/types.js";
import type { Catalogue } from "../host/catalogue.js";
import type { Operation } from "../host/operation.js";
import { isPricedByPurchase } from "../payment/options/accounts.js";

const string = { type: "string" } as const;
const states = ["queued", "running", "done", "failed", "cancelled"];
const properties = {
  ...{ id: string, endpoint: string, state: { ...string, enum: states }, progress: { type: "number" } },
  ...{
    createdAt: string,
    endedAt: string,
    expiresAt: string,
    costUsd: string,
    result: {},
    receipt: string,
    error: { type: "object" },
  },
};
const schema = { type: "object", properties, required: ["id", "endpoint", "state", "progress", "expiresAt"] };
const input = { type: "object", properties: { id: string }, required: ["id"] };

/** The id is the secret of a job, so that no other credential is asked for. */
export const jobOperation = (name: "get" | "cancel"): Operation => ({
  operationId: name === "get" ? "jobsGet" : "jobsCancel",
  summary:
    name === "get"
      ? "A call that was paid with Prefer: respond-async, and its result once it is done."
      : "Cancel such a call before its end: a fixed price is not charged, and by usage what it used.",
  tags: ["discovery"],
  security: [],
  parameters: name === "get" ? [{ name: "id", in: "query", required: true, schema: string }] : [],
  ...(name === "get" ? {} : { requestBody: { required: true, content: { "application/json": { schema: input } } } }),
  responses: {
    "200": { description: "The job.", content: { "application/json": { schema } } },
    "400": { $ref: "#/components/responses/BadRequest" },
    "404": { $ref: "#/components/responses/NotFound" },
  },
});

/** Whether a call of an endpoint may be answered later. Balances and products are bought at once. */
export const mayBeJob = (
  { jobs, paid }: Pick<Catalogue, "jobs" | "paid">,
  { id, ownersOnly }: AnyCapability,
): boolean => jobs !== undefined && paid && !ownersOnly && !isPricedByPurchase(id);

const text = (description: string) => ({ description, schema: string });

/** The 202 of a paid call, as a component. */
export const jobAccepted = (slug: string) => ({
  description: `Asked with \`Prefer: respond-async\`, or with \`wait=5\` beside it: the payment is held and the work goes on. \`X-${slug.toUpperCase()}-Callback\` names an address that is called at its end.`,
  headers: {
    Location: text("Where the job is asked for"),
    "Preference-Applied": text("respond-async"),
    "Retry-After": { description: "Seconds until it is worth asking", schema: { type: "integer" } },
  },
  content: { "application/json": { schema: { ...schema, properties: { ...properties, callback } } } },
});

const callback = {
  ...{ type: "object", description: "The values with which the call at the end is verified" },
  ...{ properties: { url: string, secret: string, publicKey: string }, required: ["url", "secret", "publicKey"] },
};

/** Bodies of the calls at a job's end, by type. */
export const jobCalls = (): Record<string, { summary: string; schema: object }> =>
  Object.fromEntries(["done", "failed", "cancelled"].map((state) => [`job.${state}`, jobCall(state)]));

function jobCall(state: string) {
  const error = {
    ...{ type: "object", properties: { status: { type: "integer" }, code: string, detail: string } },
    required: ["status", "code", "detail"],
  };
  const facts = { id: string, endpoint: string, state: { const: state }, costUsd: string };
  const required = ["id", "endpoint", "state", "costUsd"];
  const data =
    state === "failed"
      ? { type: "object", properties: { ...facts, error }, required }
      : { type: "object", properties: facts, required };
  return {
    summary: `A job is ${state}. Its result is fetched at jobs.get.`,
    schema: {
      type: "object",
      properties: { type: { const: `job.${state}` }, timestamp: { ...string, format: "date-time" }, data },
      required: ["type", "timestamp", "data"],
    },
  };
}
