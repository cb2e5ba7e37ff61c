/** Topics over real receivers: who gets a message, who waits for whom, and what ends with what. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { storeErase, storeUsage } from "../../src/capabilities/store/index.js";
import { type Answer, openReceiver, type Receiver } from "../support/callback-receiver.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { confirming, messagesIn, openTopicHost, PUBSUB, type TopicHost, tokenOf } from "../support/topic-host.js";
import { verifiedByKey } from "../support/verified-by-key.js";
import { byLibrary } from "../support/wallet-scheduler.js";
import { openWalletShop } from "../support/wallet-shop.js";
import { onBothEngines } from "../support/wallets-engine.js";

const DAY = 86_400;

onBothEngines("topics", (engine) => {
  const open: { close(): Promise<unknown> }[] = [];
  const clock = fakeClock();
  let to: Receiver;
  const receiver = async (answer: Answer = confirming): Promise<Receiver> => {
    const opened = await openReceiver(answer);
    open.push(opened);
    return opened;
  };
  // One for all: opening the embedded database takes a while.
  let shop: TopicHost;
  beforeAll(() => {
    shop = openTopicHost({ wallets: engine.options(), clock });
  });
  afterAll(() => shop.close());
  let number = 0;
  let [owner, reader] = ["", ""];
  beforeEach(async () => {
    number++;
    [owner, reader] = [`owner:${number}`, `reader:${number}`];
    clock.advance(100 * DAY);
    to = await receiver();
  });
  afterEach(async () => {
    // Receivers first: what waits for them is over then.
    for (const one of open.splice(0)) await one.close();
  });

  it("WAL-43 WAL-52 bring each message once to every confirmed subscriber, signed, and under a dedupId only one", async () => {
    const other = await receiver();
    const { topicId, subscribers } = await shop.as(owner).create("prices");
    expect([topicId.slice(0, 4), subscribers]).toEqual(["top_", 0]);
    const made = await shop.as(reader).subscribe(topicId, to.url);
    expect(made).toMatchObject({ confirmed: true, secret: expect.stringMatching(/^whsec_/) });
    expect(made).not.toHaveProperty("reason");
    expect(await shop.as(owner).subscribe(topicId, `${other.url}/own`)).toMatchObject({ confirmed: true });
    const first = await shop.as(owner).publish(topicId, { tea: 4 }, "one");
    expect(first).toEqual({ topicId, messageId: expect.stringMatching(/^msg_/), queued: 2 });
    expect(await shop.as(owner).publish(topicId, { tea: 5 }, "one")).toEqual({
      ...{ topicId, messageId: first.messageId, queued: 0, duplicate: true },
    });
    await shop.tick();
    expect(messagesIn(to.calls)).toEqual([
      {
        type: "topic.message",
        timestamp: clock().toISOString(),
        data: { topicId, messageId: first.messageId, publishedAt: clock().toISOString(), message: { tea: 4 } },
      },
    ]);
    expect(messagesIn(other.calls).length).toBe(1);
    const [question, message] = to.calls;
    for (const call of [question, message]) {
      expect(byLibrary(made.secret, call)).toBe(true);
      expect(verifiedByKey(made.publicKey, call?.body ?? "", call?.headers as Record<string, string>)).toBe(true);
    }
    expect(JSON.parse(question?.body ?? "")).toMatchObject({
      type: "subscription.confirmation",
      data: { topicId, subscriptionId: made.subscriptionId, token: tokenOf(question as never) },
    });
    expect(message?.headers["webhook-id"]).toBe(first.messageId);
    clock.advance(DAY + 1);
    const again = await shop.as(owner).publish(topicId, { tea: 6 }, "one");
    expect(again).not.toHaveProperty("duplicate");
    await shop.tick();
    expect(messagesIn(to.calls).map(({ data }) => data.message.tea)).toEqual([4, 6]);
  });

  it("WAL-52 are published to by their owner alone, and send nothing to who left in between", async () => {
    const { topicId } = await shop.as(owner).create("prices");
    const { subscriptionId } = await shop.as(reader).subscribe(topicId, to.url);
    const strange = await shop
      .as(reader)
      .publish(topicId, 1)
      .catch((error) => error);
    const never = await shop
      .as(reader)
      .publish("top_ffffffffffffffffffffffffffffffff", 1)
      .catch((error) => error);
    expect([strange.code, strange.message]).toEqual(["NOT_FOUND", never.message]);
    expect(await shop.as(owner).publish(topicId, 1)).toMatchObject({ queued: 1 });
    expect(await shop.as(owner).unsubscribe(subscriptionId)).toMatchObject({ removed: false });
    expect(await shop.as(reader).unsubscribe(subscriptionId)).toEqual({ subscriptionId, removed: true });
    expect(await shop.as(reader).unsubscribe(subscriptionId)).toMatchObject({ removed: false });
    await shop.tick();
    expect(messagesIn(to.calls)).toEqual([]);
    expect(await shop.as(owner).publish(topicId, 2)).toMatchObject({ queued: 0 });
  });

  it("WAL-51 reach the one who answers though 99 others hang, and keep their owner waiting for none of them", async () => {
    const { topicId } = await shop.as(owner).create("prices");
    const hanging = await Promise.all(Array.from({ length: 99 }, () => receiver()));
    const all = [...hanging, to];
    const subscribed = await Promise.all(
      all.map(({ url }, i) => shop.as(`${reader}:${i % 25}`).subscribe(topicId, url)),
    );
    expect(subscribed.filter(({ confirmed }) => confirmed).length).toBe(100);
    let givenUp = 0;
    for (const one of hanging) one.turn((_, response) => void response.on("close", () => givenUp++));
    expect(await shop.as(owner).publish(topicId, 1)).toMatchObject({ queued: 100 });
    const round = shop.tick();
    await expect.poll(() => messagesIn(to.calls).length, { timeout: 14_000, interval: 20 }).toBe(1);
    await expect.poll(() => hanging.every(({ calls }) => calls.length === 2), { timeout: 14_000 }).toBe(true);
    expect(await shop.as(owner).publish(topicId, 2)).toMatchObject({ queued: 100 });
    await expect.poll(() => messagesIn(to.calls).length, { timeout: 14_000, interval: 20 }).toBe(2);
    // All this before the first of them was given up.
    expect(givenUp).toBe(0);
    for (const one of hanging) await one.close();
    await round;
  });

  it("WAL-52 tell their owner of each delivery no more than its state, and a subscriber of its own", async () => {
    const { topicId } = await shop.as(owner).create("prices");
    const failing = await receiver();
    const good = await shop.as(reader).subscribe(topicId, to.url);
    const bad = await shop.as("another:reader").subscribe(topicId, failing.url);
    failing.turn((_, response) => void response.writeHead(500).end());
    for (let i = 0; i < 3; i++) await shop.as(owner).publish(topicId, i);
    await shop.tick();
    const seen: Awaited<ReturnType<ReturnType<TopicHost["as"]>["deliveries"]>>["items"] = [];
    for (let after: string | undefined, page = 0; page === 0 || after; page++) {
      const { items, meta } = await shop.as(owner).deliveries({ topicId, limit: 2, ...(after ? { after } : {}) });
      seen.push(...items);
      after = meta?.nextCursor as string | undefined;
    }
    expect(seen.map(({ state }) => state).sort()).toEqual([
      ...["delivered", "delivered", "delivered", "pending", "pending", "pending"],
    ]);
    expect(JSON.stringify(seen)).not.toMatch(/127\.0\.0\.1|sub_|reader/);
    const own = await shop.as(reader).deliveries({ subscriptionId: good.subscriptionId, state: "delivered" });
    expect(own.items).toMatchObject([{ attempts: 1, lastStatus: 204, nextAttemptAt: null }, {}, {}]);
    for (const input of [{ topicId }, { subscriptionId: bad.subscriptionId }])
      await expect(shop.as(reader).deliveries(input)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const [oldest] = own.items.slice(-1);
    expect(await shop.as(reader).redeliver(good.subscriptionId, oldest?.messageId ?? "")).toMatchObject({
      queued: true,
    });
    await shop.tick();
    expect(messagesIn(to.calls).map(({ data }) => data.message)).toHaveLength(4);
    const { secret } = await shop.as(reader).rotate(good.subscriptionId);
    await shop.as(owner).publish(topicId, "signed with both");
    await shop.tick();
    const last = to.calls.at(-1);
    expect([secret, good.secret].map((one) => byLibrary(one, last))).toEqual([true, true]);
    expect(await shop.as(reader).subscribe(topicId, to.url)).toMatchObject({ secret });
  });

  it("WAL-48 give up a subscriber that takes nothing for days, and count it no more until it says yes again", async () => {
    const { topicId } = await shop.as(owner).create("prices");
    const { subscriptionId } = await shop.as(reader).subscribe(topicId, to.url);
    to.turn((_, response) => void response.writeHead(410).end());
    await shop.as(owner).publish(topicId, 1);
    await shop.tick();
    expect(await shop.as(owner).publish(topicId, 2)).toMatchObject({ queued: 0 });
    expect((await shop.as(reader).deliveries({ subscriptionId })).items).toMatchObject([
      { state: "dead", lastStatus: 410 },
    ]);
    to.turn(confirming);
    expect(await shop.as(reader).subscribe(topicId, to.url)).toMatchObject({ subscriptionId, confirmed: true });
    expect(await shop.as(owner).publish(topicId, 3)).toMatchObject({ queued: 1 });
    await shop.tick();
    expect(messagesIn(to.calls).map(({ data }) => data.message)).toEqual([1, 3]);
  });

  it("end with their time, with their owner's word and with its data, and all subscriptions with them", async () => {
    const mine = { wallet: owner, wallets: engine.options(), clock };
    const theirs = { ...mine, wallet: reader };
    const count = async (of: typeof mine) => {
      const [{ topics, subscriptions } = { topics: -1, subscriptions: -1 }] = (await storeUsage({}, of)).items;
      return [topics, subscriptions];
    };
    const { topicId } = await shop.as(owner).create("prices");
    await shop.as(reader).subscribe(topicId, to.url);
    expect([await count(mine), await count(theirs)]).toEqual([
      [1, 0],
      [0, 1],
    ]);
    clock.advance(89 * DAY);
    expect(await shop.as(owner).publish(topicId, 1)).toMatchObject({ queued: 1 });
    clock.advance(89 * DAY);
    expect((await shop.as(owner).create("prices")).topicId).toBe(topicId);
    clock.advance(2 * DAY);
    // What it published renewed its subscribers then, and not its making anew.
    expect([await count(mine), await count(theirs)]).toEqual([
      [1, 1 - 1],
      [0, 1],
    ]);
    clock.advance(90 * DAY);
    await expect(shop.as(reader).subscribe(topicId, to.url)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const anew = await shop.as(owner).create("prices");
    expect(anew.topicId).not.toBe(topicId);
    await shop.as(reader).subscribe(anew.topicId, to.url);
    await shop.as(owner).publish(anew.topicId, 2);
    expect(await shop.as(reader).remove(anew.topicId)).toMatchObject({ deleted: false });
    expect(await shop.as(owner).remove(anew.topicId)).toEqual({ topicId: anew.topicId, deleted: true });
    const { length } = to.calls;
    await shop.tick();
    expect([await count(mine), await count(theirs), to.calls.length]).toEqual([[0, 0], [0, 0], length]);
    const last = await shop.as(owner).create("last");
    await shop.as(reader).subscribe(last.topicId, `${to.url}/last`);
    await shop.as(owner).publish(last.topicId, 3);
    await storeErase({ confirm: "erase everything" }, mine);
    await shop.tick();
    expect([await count(mine), await count(theirs), messagesIn(to.calls)]).toEqual([[0, 0], [0, 0], []]);
  });

  it("refuse one topic, one subscriber and one subscription too many", async () => {
    const { topicId } = await shop.as(owner).create("full");
    await Promise.all(Array.from({ length: 99 }, (_, i) => shop.as(owner).create(`t${i}`)));
    await expect(shop.as(owner).create("one.more")).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    expect((await shop.as(owner).create("full")).topicId).toBe(topicId);
    await Promise.all(Array.from({ length: 100 }, (_, i) => shop.as(reader).subscribe(topicId, `${to.url}/${i}`)));
    const asked = to.calls.length;
    await expect(shop.as("late").subscribe(topicId, `${to.url}/late`)).rejects.toMatchObject({
      ...{ code: "QUOTA_EXCEEDED", message: expect.stringContaining("subscribers") },
    });
    const second = await shop.as("late").create("second");
    await expect(shop.as(reader).subscribe(second.topicId, `${to.url}/late`)).rejects.toMatchObject({
      ...{ code: "QUOTA_EXCEEDED", message: expect.stringContaining("subscriptions") },
    });
    expect([asked, to.calls.length]).toEqual([100, 100]);
  });

  it("cost a quarter of a cent more for each five subscribers, who count when the price is told and when it is paid", async () => {
    const facilitator = fakeFacilitator();
    const shop = openWalletShop({
      ...{ capabilities: PUBSUB, clock, brand: { name: "Acme", slug: "acme" }, facilitator },
      fetch: (input, init) =>
        String(input instanceof Request ? input.url : input).startsWith(to.url)
          ? fetch(input, init)
          : facilitator.fetch(input, init),
      ...{ wallets: engine.options({ runner: false, httpCallbacks: true }), outbound: { allowPrivate: true } },
    });
    open.push(shop.handle);
    const bought = async (id: string, input: object, payment?: string) => {
      const response = await (payment ? shop.pay(id, input, payment) : shop.buy(id, input));
      return { status: response.status, body: JSON.parse(await response.text()) };
    };
    const name = `paid.${number}`;
    const topic = await bought("pubsub.create-topic", { name });
    const { topicId } = topic.body.data.items[0];
    const priceOf = async () => {
      const quote = await (await shop.post("pubsub.publish", { topicId, message: 1 })).json();
      return (quote as { accepts: { amount: string }[] }).accepts[0]?.amount;
    };
    expect(await priceOf()).toBe("2000");
    const early = await shop.payFor("pubsub.publish", { topicId, message: 1 });
    const subscribe = (callbackUrl: string) => bought("pubsub.subscribe", { topicId, callbackUrl });
    for (const path of ["a", "b", "c"])
      expect((await subscribe(`${to.url}/${path}`)).body.data.items).toMatchObject([{ confirmed: true }]);
    expect(await priceOf()).toBe("4500");
    // Who knows the topic's id learns no more of its subscribers than that.
    await subscribe(`${to.url}/d`);
    expect(await priceOf()).toBe("4500");
    expect((await bought("pubsub.publish", { topicId, message: 1 }, early)).status).toBe(402);
    const published = await bought("pubsub.publish", { topicId, message: 1 });
    expect([published.status, published.body.data.items[0].queued]).toEqual([200, 4]);
    expect(published.body.meta.costUsd).toBe("0.0045");
    const unknown = { topicId: "top_ffffffffffffffffffffffffffffffff", message: 1 };
    const settled = shop.facilitator.settled.length;
    expect((await bought("pubsub.publish", unknown)).status).toBe(404);
    expect(shop.facilitator.settled.length).toBe(settled);
    // A count is believed for ten seconds, and no longer: the subscriptions end while it is kept.
    const renewed = await bought("pubsub.create-topic", { name });
    const endsAt = Date.parse(renewed.body.data.items[0].expiresAt);
    clock.advance((endsAt - clock().getTime()) / 1000 - 5);
    expect(await priceOf()).toBe("4500");
    clock.advance(9.999);
    expect(await priceOf()).toBe("4500");
    clock.advance(0.001);
    expect(await priceOf()).toBe("2000");
  });
});
