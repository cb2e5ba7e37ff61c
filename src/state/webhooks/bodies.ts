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
        ...{
          scheduleId: id("schedule"),
          fireNumber: z.int().describe("From 1 on"),
          firedAt: at("When it was written"),
        },
        ...{
          dueAt: at("When it was due"),
          missed: z.int().describe("How many before it were missed while nobody ran"),
        },
        ...own(),
      }),
    },
    "topic.message": {
      group: "pubsub",
      summary: "A message was published to a topic.",
      data: z.strictObject({
        ...{ topicId: id("topic"), messageId: id("message, for all subscribers the same") },
        ...{ publishedAt: at("When it was published"), message: z.unknown().describe("Any JSON") },
      }),
    },
    "subscription.confirmation": {
      group: "pubsub",
      summary: "Somebody subscribes this address: answer with the token, alone or as JSON, and messages come.",
      data: z.strictObject({
        ...{ topicId: id("topic"), subscriptionId: id("subscription") },
        token: z.string().describe("What to answer with"),
      }),
    },
    "watcher.fired": {
      group: "watchers",
      summary: "What a watcher watches has changed as it was told to look for.",
      data: z.strictObject({
        ...{ watcherId: id("watcher"), fireNumber: z.int().describe("From 1 on"), firedAt: at("When it was seen") },
        ...{ endpoint: z.string(), conditionType: z.string() },
        previous: z.unknown().describe("What was there before; null where it is too large, or nothing"),
        current: z.unknown().describe("What is there now; null where it is too large"),
        truncated: z.literal(true).optional().describe("Something was too large to be told"),
        items: z.array(z.unknown()).optional().describe("New rows"),
        ...own(),
      }),
    },
    "watcher.failing": {
      group: "watchers",
      summary: "What a watcher watches could not be asked several times in a row; it goes on, less often.",
      data: z.strictObject({
        ...{ watcherId: id("watcher"), failures: z.int(), lastError: z.string(), nextPoll: at("When it asks again") },
        ...own(),
      }),
    },
  }),
);

/** The complete body of a request. */
export const callbackBody = (type: string, { data }: CallbackBody) =>
  z.strictObject({ type: z.literal(type), timestamp: at("When it happened"), data });
