/** A host with topics, whose clock is the test's: wallets publish and subscribe, and rounds are run by hand. */
import * as pubsub from "../../src/capabilities/pubsub/index.js";
import * as webhooks from "../../src/capabilities/webhooks/index.js";
import { type CallbackHostOptions, only, openCallbackHost } from "./callback-host.js";
import type { Answer, ReceivedCall } from "./callback-receiver.js";

export const PUBSUB = [
  pubsub.pubsubCreateTopic,
  pubsub.pubsubDeleteTopic,
  pubsub.pubsubDeliveries,
  pubsub.pubsubPublish,
  pubsub.pubsubSubscribe,
  pubsub.pubsubUnsubscribe,
  webhooks.webhooksRotate,
  webhooks.webhooksRedeliver,
] as const;

export function openTopicHost({ wallets, ...options }: CallbackHostOptions) {
  const host = openCallbackHost(PUBSUB, { wallets: { runner: false, ...wallets }, ...options });
  const { handle } = host;
  return {
    ...host,
    as: (wallet: string) => ({
      create: async (name: string) => only(await handle.call("pubsub.create-topic", { name }, { wallet })),
      remove: async (topicId: string) => only(await handle.call("pubsub.delete-topic", { topicId }, { wallet })),
      publish: async (topicId: string, message: unknown, dedupId?: string) =>
        only(await handle.call("pubsub.publish", { topicId, message, dedupId }, { wallet })),
      subscribe: async (topicId: string, callbackUrl: string) =>
        only(await handle.call("pubsub.subscribe", { topicId, callbackUrl }, { wallet })),
      unsubscribe: async (subscriptionId: string) =>
        only(await handle.call("pubsub.unsubscribe", { subscriptionId }, { wallet })),
      deliveries: (input: Parameters<typeof pubsub.pubsubDeliveries>[0]) =>
        handle.call("pubsub.deliveries", input, { wallet }),
      redeliver: async (id: string, messageId: string) =>
        only(await handle.call("webhooks.redeliver", { id, messageId }, { wallet })),
      rotate: async (id: string) => only(await handle.call("webhooks.rotate", { id }, { wallet })),
    }),
  };
}
export type TopicHost = ReturnType<typeof openTopicHost>;

export const tokenOf = ({ headers }: ReceivedCall): string | undefined =>
  headers["x-acme-confirmation-token"] as string | undefined;

/** Says yes to every question, and takes what comes then. */
export const confirming: Answer = (call, response) => {
  const token = tokenOf(call);
  if (token === undefined) response.writeHead(204).end();
  else response.writeHead(200).end(token);
};

/** What a receiver got beside questions. */
export const messagesIn = (calls: readonly ReceivedCall[]) =>
  calls.filter((call) => tokenOf(call) === undefined).map(({ body }) => JSON.parse(body));
