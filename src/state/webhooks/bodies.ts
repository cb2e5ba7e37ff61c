/** Bodies of callbacks by type, for receivers, who find them in the OpenAPI document. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";

const id = (of: string) => z.string().describe(`Id of the ${of}`);
const at = (what: string) => z.iso.datetime().describe(what);
const own = () => ({
  label: z.string().nullable().describe("As it was given"),
  payload: z.record(z.string(), z.unknown()).nullable().describe("As it was given"),
});

export interface CallbackBody {
  /** Group of the operations that cause it. */
  group: string;
  summary: string;
  data: z.ZodObject;
}

/** `data` of each `type`; beside it, `timestamp` is the time of the event. */
export const callbackBodies = once(
  (): Record<string, CallbackBody> => ({
    "schedule.fired": {
      group: "schedule",
      summary: "A schedule is due.",
      data: z.strictObject({
        scheduleId: id("schedule"),
        fireNumber: z.int().describe("From 1 on"),
        firedAt: at("When it was written"),
        dueAt: at("When it was due"),
        missed: z.int().describe("How many earlier times were missed while no process ran"),
        ...own(),
      }),
    },
    "topic.message": {
      group: "pubsub",
      summary: "A message was published to a topic.",
      data: z.strictObject({
        topicId: id("topic"),
        messageId: id("message, the same for all subscribers"),
        publishedAt: at("When it was published"),
        message: z.unknown().describe("Any JSON"),
      }),
    },
    "subscription.confirmation": {
      group: "pubsub",
      summary: "A wallet subscribes this address: answer with the token, alone or as JSON, to receive messages.",
      data: z.strictObject({
        topicId: id("topic"),
        subscriptionId: id("subscription"),
        token: z.string().describe("The token to answer with"),
      }),
    },
    "watcher.fired": {
      group: "watchers",
      summary: "The condition of a watcher was met.",
      data: z.strictObject({
        watcherId: id("watcher"),
        fireNumber: z.int().describe("From 1 on"),
        firedAt: at("When it was seen"),
        endpoint: z.string(),
        conditionType: z.string(),
        previous: z.unknown().describe("The earlier value; null if it is too large, or if there was none"),
        current: z.unknown().describe("The current value; null if it is too large"),
        truncated: z.literal(true).optional().describe("True if a value was too large to be included"),
        items: z.array(z.unknown()).optional().describe("New rows"),
        ...own(),
      }),
    },
    "watcher.failing": {
      group: "watchers",
      summary: "Several polls of a watcher failed in a row; it continues, less often.",
      data: z.strictObject({
        watcherId: id("watcher"),
        failures: z.int(),
        lastError: z.string(),
        nextPoll: at("Time of the next poll"),
        ...own(),
      }),
    },
  }),
);

/** The complete body of a request. */
export const callbackBody = (type: string, { data }: CallbackBody) =>
  z.strictObject({ type: z.literal(type), timestamp: at("When it happened"), data });
