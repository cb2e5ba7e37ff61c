/** A host with topics, whose clock is the test's: wallets publish and subscribe, and rounds are run by hand. */
import * as pubsub from "../../src/capabilities/pubsub/index.js";
import * as webhooks from "../../src/capabilities/webhooks/index.js";
import type { OutboundOptions } from "../../src/capability/types.js";
import type { WalletOptions } from "../../src/capability/wallets.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import type { Answer, ReceivedCall } from "./callback-receiver.js";
import type { FakeClock } from "./clock.js";

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

interface TopicHostOptions {
  wallets: WalletOptions;
  clock: FakeClock;
  outbound?: OutboundOptions;
}

export function openTopicHost({ wallets, clock, outbound = { allowPrivate: true } }: TopicHostOptions) {
  const handle = createHandler({
    capabilities: PUBSUB,
    brand: { name: "Acme", slug: "acme" },
    payment: false,
    logger: silent,
    wallets: { httpCallbacks: outbound.allowPrivate === true, runner: false, ...wallets },
    ...{ clock, outbound },
  });
  const only = <T>({ items: [item] }: { items: T[] }): T => {
    if (item === undefined) throw new Error("no item");
    return item;
  };
  return {
    handle,
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
    /** However slow the machine is. */
    tick: () => handle.tick({ budgetMs: 60_000 }),
    close: () => handle.close(),
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
