// Generated: npx vitest run test/generated.test.ts -u

export { pubsubCreateTopic } from "./create-topic.js";
export { pubsubDeleteTopic } from "./delete-topic.js";
export { pubsubDeliveries } from "./deliveries.js";
export { pubsubPublish } from "./publish.js";
export { pubsubSubscribe } from "./subscribe.js";
export { pubsubUnsubscribe } from "./unsubscribe.js";
