/** JOB-17: the end of a job is told to its host and to its caller, signed, at least once, and to no internal address. */
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { OpenApiDocument } from "../../src/discovery/openapi.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { ASYNC, held, type Job, open, rested, WORK } from "./job-shop.js";

const TO = "https://buyer.test/done";
const HOST = "https://host.test/hooks";
const hostSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

interface Heard {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What a body has that the OpenAPI document does not say of it, or lacks; undefined if it is as described. */
function flawOf({ webhooks = {} }: OpenApiDocument, body = ""): string | undefined {
  const sent = JSON.parse(body);
  // biome-ignore lint/suspicious/noExplicitAny: a document is looked into by its paths.
  const { schema } = (webhooks[sent.type] as any).post.requestBody.content["application/json"];
  const whole = { ...schema, additionalProperties: false };
  whole.properties = { ...schema.properties, data: { ...schema.properties.data, additionalProperties: false } };
  return z.fromJSONSchema(whole).safeParse(sent).error?.message;
}

/** A shop whose buyer and host listen; `answers` are the buyer's next statuses. */
function listening(options: Parameters<typeof open>[0] = {}) {
  const facilitator = options.facilitator ?? fakeFacilitator();
  const heard: Heard[] = [];
  const answers: number[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (!url.startsWith("https://buyer.test") && !url.startsWith(HOST)) return facilitator.fetch(input, init);
    heard.push({ url, headers: Object.fromEntries(new Headers(init?.headers)), body: String(init?.body) });
    return new Response(null, { status: url.startsWith(HOST) ? 204 : (answers.shift() ?? 204) });
  };
  const lookup = async () => [{ address: "93.184.216.34", family: 4 }];
  const shop = open({ outbound: { lookup }, ...options, facilitator, fetch });
  const toBuyer = () => heard.filter(({ url }) => url === TO);
  const until = async (count: number) => {
    while (toBuyer().length < count) await rested(5);
    return toBuyer();
  };
  return { ...shop, heard, answers, toBuyer, until };
}

describe("JOB-17 a callback", () => {
  it("is signed with the secret that the 202 named, and says how the job ended, without its result", async () => {
    const { get, paid, until, ended, handle } = listening();
    const answer = await get(WORK, { ...(await paid()), ...ASYNC, "x-svc-callback": TO });
    const { id, callback } = (await answer.json()) as Job & {
      callback: { url: string; secret: string; publicKey: string };
    };
    expect(callback).toEqual({
      ...{ url: TO, secret: expect.stringMatching(/^whsec_/), publicKey: expect.stringMatching(/^whpk_/) },
    });
    const [call] = await until(1);
    expect(JSON.parse(call?.body ?? "")).toEqual({
      ...{ type: "job.done", timestamp: expect.any(String) },
      data: { id, endpoint: "test.work", state: "done", costUsd: "0.001" },
    });
    expect(flawOf(handle.openapi(), call?.body)).toBeUndefined();
    const { "webhook-id": event = "", "webhook-timestamp": at, "webhook-signature": signed } = call?.headers ?? {};
    const expected = new Webhook(callback.secret).sign(event, new Date(Number(at) * 1000), call?.body ?? "");
    expect(signed?.split(" ")).toContain(expected);
    expect(await ended(id)).not.toHaveProperty("callback");
  });

  it("is made again after a failure, under the same id, by whichever instance", async () => {
    const clock = fakeClock();
    const kept = createMemoryStore({ clock });
    // Both have read what is due before either writes, and one of them writes much later.
    const slowBy = (ms: number): typeof kept => ({
      ...kept,
      async get(key) {
        const found = await kept.get(key);
        if (key.startsWith("job-call:")) await rested(ms);
        return found;
      },
    });
    const shared = { clock, facilitator: fakeFacilitator() };
    const one = listening({ ...shared, store: slowBy(20) });
    const other = listening({ ...shared, store: slowBy(120) });
    one.answers.push(500);
    const answer = await one.get(WORK, { ...(await one.paid()), ...ASYNC, "x-svc-callback": TO });
    await one.until(1);
    await one.ended(((await answer.json()) as Job).id);
    await rested(20);
    clock.advance(15);
    await Promise.all([one.handle.reconcile(), other.handle.reconcile()]);
    while (one.toBuyer().length + other.toBuyer().length < 2) await rested(5);
    await rested(300);
    const calls = [...one.toBuyer(), ...other.toBuyer()];
    expect(new Set(calls.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(calls.map(({ headers }) => headers["x-svc-attempt"])).toEqual(["1", "2"]);
    clock.advance(86_400);
    await other.handle.reconcile();
    await rested(20);
    expect(one.toBuyer().length + other.toBuyer().length).toBe(2);
  });

  it.each(["http://buyer.test/done", "https://10.0.0.1/", "https://localhost/", "no address", "https://inner.test/"])(
    "is refused for %s before anything runs, and its payment stays good",
    async (url) => {
      const lookup = async (host: string) => [
        { address: host === "inner.test" ? "10.1.2.3" : "93.184.216.34", family: 4 },
      ];
      const { get, paid, runs, facilitator } = listening({ outbound: { lookup } });
      const headers = await paid();
      const refused = await get(WORK, { ...headers, ...ASYNC, "x-svc-callback": url });
      expect([refused.status, (await bodyOf(refused)).code]).toEqual([400, "URL_NOT_ALLOWED"]);
      expect([runs(), facilitator.settled.length]).toEqual([0, 0]);
      expect((await get(WORK, headers)).status).toBe(200);
    },
  );

  it("tells of a job that failed, and of one that was cancelled", async () => {
    const { get, paid, until, behaviours, cancel, handle } = listening();
    behaviours.push(async () => {
      throw new Error("broken");
    });
    await get(WORK, { ...(await paid()), ...ASYNC, "x-svc-callback": TO });
    const work = held();
    behaviours.push(work.run);
    const second = await get(WORK, { ...(await paid()), ...ASYNC, "x-svc-callback": TO });
    await work.begun;
    await cancel({ id: ((await second.json()) as Job).id });
    const told = await until(2);
    const calls = told.map(({ body }) => JSON.parse(body));
    expect(told.map(({ body }) => flawOf(handle.openapi(), body))).toEqual([undefined, undefined]);
    expect(calls).toMatchObject([
      { type: "job.failed", data: { state: "failed", error: { code: "INTERNAL" } } },
      { type: "job.cancelled", data: { state: "cancelled", costUsd: "0" } },
    ]);
  });
});

it("JOB-18 tells the host of what is done and what failed, once each", async () => {
  const clock = fakeClock();
  const webhooks = [{ url: HOST, secret: hostSecret, events: ["job.done", "job.failed"] as const }];
  const { take, paid, ended, behaviours, handle, heard } = listening({ clock, webhooks });
  const done = await take(await paid());
  await ended(done.id);
  behaviours.push(async () => {
    throw new Error("broken");
  });
  const failed = await take(await paid());
  await ended(failed.id);
  await handle.tick();
  expect(heard.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: "job.done", data: { job: done.id, endpoint: "test.work", costUsd: "0.001" } },
    { type: "job.failed", data: { job: failed.id, costUsd: "0", code: "INTERNAL" } },
  ]);
});
