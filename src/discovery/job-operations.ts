/** Where jobs are fetched and cancelled, for OpenAPI. */
import type { Operation } from "../host/operation.js";

const string = { type: "string" } as const;
const states = ["queued", "running", "done", "failed", "cancelled"];
const properties = {
  ...{ id: string, endpoint: string, state: { ...string, enum: states }, progress: { type: "number" } },
  ...{ createdAt: string, endedAt: string, expiresAt: string, costUsd: string, result: {}, receipt: string, error: { type: "object" } },
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
