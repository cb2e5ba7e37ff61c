/** What a process does by itself, on the clock of its machine, without anybody who ticks. */
import { afterEach, expect, it } from "vitest";
import * as schedule from "../../src/capabilities/schedule/index.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { openReceiver } from "../support/callback-receiver.js";
import { confirming, messagesIn, PUBSUB } from "../support/topic-host.js";
import { onBothEngines } from "../support/wallets-engine.js";

onBothEngines("a process that lives long", (engine) => {
  const open: { close(): Promise<unknown> }[] = [];
  const opened = <T extends { close(): Promise<unknown> }>(one: T): T => {
    open.push(one);
    return one;
  };
  const host = () =>
    opened(
      createHandler({
        capabilities: [...PUBSUB, ...Object.values<AnyCapability>(schedule)],
        ...{ payment: false, logger: silent, outbound: { allowPrivate: true }, brand: { slug: "acme" } },
        wallets: engine.options({ httpCallbacks: true }),
      }),
    );
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  const call = async (handle: ReturnType<typeof host>, id: string, input: object) => {
    const { items } = (await handle.call(id as never, input as never, { wallet: "w" })) as { items: unknown[] };
    return items[0] as Record<string, string>;
  };

  it("sends what is published at once, and what comes due", async () => {
    const to = opened(await openReceiver(confirming));
    const handle = host();
    const { topicId } = await call(handle, "pubsub.create-topic", { name: "t" });
    await call(handle, "pubsub.subscribe", { topicId, callbackUrl: to.url });
    await call(handle, "pubsub.publish", { topicId, message: 1 });
    const at = new Date(Date.now() + 1500).toISOString();
    await call(handle, "schedule.create", { at, callbackUrl: `${to.url}/at` });
    await expect.poll(() => messagesIn(to.calls).length, { timeout: 15_000 }).toBe(2);
    // On a slow machine both are due at once.
    expect(
      messagesIn(to.calls)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(["schedule.fired", "topic.message"]);
  });
});
