/** A host that calls back, whose clock is the test's: schedules are made and rounds are run by hand. */
import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import * as schedule from "../../src/capabilities/schedule/index.js";
import * as webhooks from "../../src/capabilities/webhooks/index.js";
import { type CallbackHostOptions, only, openCallbackHost } from "./callback-host.js";
import type { ReceivedCall } from "./callback-receiver.js";
import { verifiedByKey } from "./verified-by-key.js";

const MOUNTED = [
  schedule.scheduleCreate,
  schedule.scheduleStatus,
  schedule.scheduleList,
  schedule.scheduleCancel,
  webhooks.webhooksRotate,
  webhooks.webhooksRedeliver,
] as const;

export function openScheduler(options: CallbackHostOptions) {
  const wallet = `test:${randomUUID()}`;
  const as = { wallet };
  const host = openCallbackHost(MOUNTED, options);
  const { handle } = host;
  return {
    ...host,
    wallet,
    create: async (input: Parameters<typeof schedule.scheduleCreate>[0]) =>
      only(await handle.call("schedule.create", input, as)),
    status: async (scheduleId: string) => only(await handle.call("schedule.status", { scheduleId }, as)),
    cancel: async (scheduleId: string) => only(await handle.call("schedule.cancel", { scheduleId }, as)),
    redeliver: async (id: string, messageId: string) =>
      only(await handle.call("webhooks.redeliver", { id, messageId }, as)),
    rotate: async (id: string) => only(await handle.call("webhooks.rotate", { id }, as)),
    /** What a receiver finds that holds the secret, or the public key alone. */
    async verify({ secret, publicKey }: { secret: string; publicKey: string }, call: ReceivedCall | undefined) {
      if (!call) throw new Error("nothing was received");
      const headers = call.headers as Record<string, string>;
      const verified = {
        library: byLibrary(secret, call),
        publicKey: verifiedByKey(publicKey, call.body, headers),
        changedBody: verifiedByKey(publicKey, `${call.body} `, headers),
        changedId: verifiedByKey(publicKey, call.body, { ...headers, "webhook-id": "msg_other" }),
        changedTime: verifiedByKey(publicKey, call.body, { ...headers, "webhook-timestamp": "1" }),
      };
      return { verified };
    },
  };
}
export type Scheduler = ReturnType<typeof openScheduler>;

/** The library reads the system's clock and refuses what is older than five minutes, so it gets the test's. */
export function byLibrary(secret: string, call: ReceivedCall | undefined, ageSeconds = 0): boolean {
  if (!call) throw new Error("nothing was received");
  const { headers, body } = call;
  const now = Date.now;
  Date.now = () => (Number(headers["webhook-timestamp"]) + ageSeconds) * 1000;
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = now;
  }
}
