/** Shared by the operations on topics. */
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

export const topics = /* @__PURE__ */ lazy(() => import("../../state/topics/topics.js"));
export const subscriptions = /* @__PURE__ */ lazy(() => import("../../state/topics/subscriptions.js"));

export const topicId = () => fields.id("top").describe("What pubsub.create-topic gave");
export const subscriptionId = () => fields.id("sub").describe("What pubsub.subscribe gave");
