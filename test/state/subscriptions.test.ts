/** Whom a topic's messages go to: URLs that were asked and said yes, and nobody else's. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Answer, openReceiver, type Receiver } from "../support/callback-receiver.js";
import { fakeClock } from "../support/clock.js";
import { scriptedLookup } from "../support/outbound.js";
import { confirming, openTopicHost, type TopicHost, tokenOf } from "../support/topic-host.js";
import { onBothEngines } from "../support/wallets-engine.js";

const DAY = 86_400;

onBothEngines("subscriptions", (engine) => {
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

  it("WAL-50 ask a URL first, and take for a yes nothing but the token, as text or as JSON", async () => {
    const { topicId } = await shop.as(owner).create("prices");
    const answers: Record<string, [Answer, string | undefined]> = {
      text: [confirming, undefined],
      json: [(call, response) => void response.writeHead(201).end(JSON.stringify({ token: tokenOf(call) })), undefined],
      space: [(call, response) => void response.end(`${tokenOf(call)} `), "refused"],
      otherToken: [(_, response) => void response.end("A".repeat(43)), "refused"],
      nothing: [(_, response) => void response.writeHead(204).end(), "refused"],
      inside: [(call, response) => void response.end(JSON.stringify({ a: { token: tokenOf(call) } })), "refused"],
      status: [(call, response) => void response.writeHead(400).end(tokenOf(call)), "refused"],
      redirect: [(_, response) => void response.writeHead(307, { location: to.url }).end(), "refused"],
      endless: [(call, response) => void response.write(`${tokenOf(call)}${"x".repeat(100_000)}`), "refused"],
      cut: [(_, response) => void response.destroy(), "unreachable"],
      // Ten seconds: once is enough.
      ...(engine.name === "PGlite" ? { late: [() => {}, "unreachable"] } : {}),
    };
    const asked = await Promise.all(
      Object.entries(answers).map(async ([name, [answer, reason]]) => {
        const made = await shop.as(reader).subscribe(topicId, (await receiver(answer)).url);
        expect([name, made.confirmed, made.reason]).toEqual([name, reason === undefined, reason]);
        return made;
      }),
    );
    expect(to.calls).toEqual([]);
    expect(new Set(asked.map(({ subscriptionId }) => subscriptionId)).size).toBe(asked.length);
    expect(await shop.as(owner).publish(topicId, 1)).toMatchObject({ queued: 2 });
    expect(await shop.as(owner).create("prices")).toMatchObject({ topicId, subscribers: 2 });
  });

  it("WAL-50 know a URL again: the same subscription, asked anew; another wallet's is taken", async () => {
    const { topicId } = await shop.as(owner).create("prices");
    to.turn((_, response) => void response.writeHead(500).end());
    const first = await shop.as(reader).subscribe(topicId, to.url);
    expect(first).toMatchObject({ confirmed: false, reason: "refused" });
    to.turn(confirming);
    const { subscriptionId } = first;
    expect(await shop.as(reader).subscribe(topicId, `${to.url}/#there`)).toMatchObject({
      ...{ subscriptionId, confirmed: true },
    });
    expect(to.calls.length).toBe(2);
    const late = await shop.as("another").subscribe(topicId, to.url);
    expect(late).toMatchObject({ confirmed: false, reason: "taken" });
    expect(to.calls.length).toBe(2);
    to.turn((_, response) => void response.writeHead(500).end());
    const kept = await shop.as(reader).subscribe(topicId, to.url);
    expect(kept).toMatchObject({ subscriptionId, confirmed: true, reason: "refused" });
    expect((await shop.as(owner).publish(topicId, 1)).queued).toBe(1);
    await shop.as(reader).unsubscribe(subscriptionId);
    to.turn(confirming);
    expect(await shop.as("another").subscribe(topicId, to.url)).toMatchObject({ confirmed: true });
  });

  it("WAL-49 ask somebody else's URL five times an hour, whoever subscribes it however often, and send it nothing", async () => {
    to.turn((_, response) => void response.writeHead(404).end());
    const { topicId } = await shop.as(owner).create("prices");
    const wallets = Array.from({ length: 100 }, (_, i) => `${reader}:${i}`);
    const reasons = new Map<string | undefined, number>();
    const subscribeAll = (times: number) =>
      Promise.all(
        wallets.map(async (wallet) => {
          for (let i = 0; i < times; i++) {
            const { reason } = await shop.as(wallet).subscribe(topicId, `${to.url}/theirs?n=${i % 3}`);
            reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
          }
        }),
      );
    await subscribeAll(3);
    expect(to.calls.length).toBe(5);
    expect(Object.fromEntries(reasons)).toEqual({ refused: 5, limited: 295 });
    expect(await shop.as(owner).publish(topicId, 1)).toMatchObject({ queued: 0 });
    await shop.tick();
    clock.advance(3599);
    await shop.as(reader).subscribe(topicId, `${to.url}/theirs`);
    expect(to.calls.length).toBe(5);
    clock.advance(1);
    await shop.as(reader).subscribe(topicId, `${to.url}/theirs`);
    expect(to.calls.length).toBe(6);
  });

  it("WAL-49 ask one resource five times an hour however its URL is spelled, and an origin a hundred times", async () => {
    to.turn((_, response) => void response.writeHead(404).end());
    const { topicId } = await shop.as(owner).create("prices");
    clock.advance(3600);
    const reasons: unknown[] = [];
    let asked = 0;
    const subscribe = async (url: string) =>
      reasons.push((await shop.as(`${reader}:spelled:${asked++}`).subscribe(topicId, url)).reason);
    const before = to.calls.length;
    for (const path of [
      ...["/hooks/one", "/hooks/one/", "/hooks//one", "/HOOKS/one", "/hooks/%6fne", "/hooks/%256Fne", "/hooks;a=1/one"],
      ...[
        "/hooks/one;b",
        "/hooks/./one",
        "/hooks/x/../one",
        "/hooks/one?a=1",
        "/hooks/one#f",
        "/hooks/one%3Fa",
        "//hooks/one",
      ],
    ])
      await subscribe(to.url + path);
    expect(to.calls.length - before).toBe(5);
    expect(reasons.filter((reason) => reason === "limited")).toHaveLength(asked - 5);
    for (let i = 0; i < 110; i++) await subscribe(`${to.url}/other/${i}`);
    expect(to.calls.length - before).toBe(100);
    clock.advance(3601);
    await subscribe(`${to.url}/other/1`);
    expect(to.calls.length - before).toBe(101);
  });

  it("WAL-44 WAL-45 ask no URL that may not be reached, nor one that became private since", async () => {
    const { lookup, asked } = scriptedLookup({ "rebind.example": [["93.184.215.14"], ["127.0.0.1"]] });
    const guarded = openTopicHost({ wallets: engine.options(), clock, outbound: { lookup } });
    open.push(guarded);
    const { topicId } = await guarded.as(owner).create("prices");
    for (const callbackUrl of [
      "http://example.com/",
      "https://127.0.0.1/",
      "https://[::1]/",
      "https://169.254.169.254/latest/meta-data",
      "https://localhost/",
      "https://user:pw@example.com/",
      "https://example.com:8443/",
      "https://rebind.example/",
    ])
      expect([
        callbackUrl,
        await guarded
          .as(reader)
          .subscribe(topicId, callbackUrl)
          .catch((error) => error),
      ]).toEqual([
        callbackUrl,
        expect.objectContaining({
          code: "URL_NOT_ALLOWED",
          issues: [expect.objectContaining({ path: "callbackUrl" })],
        }),
      ]);
    expect(asked.length).toBe(2);
  });
});
