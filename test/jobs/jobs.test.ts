/** JOB: pay, leave, and fetch the answer later. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { ASYNC, held, type Job, open, rested, WORK } from "./job-shop.js";

describe("JOB-1 a paid call that is answered later", () => {
  it("is accepted once its payment is held, charged at its end, and gives its result as often as asked", async () => {
    const { get, paid, ended, fetchJob, behaviours, facilitator, clock } = open();
    const work = held();
    behaviours.push(work.run);
    const answer = await get(WORK, { ...(await paid()), ...ASYNC });
    expect(answer.status).toBe(202);
    expect(answer.headers.get("preference-applied")).toBe("respond-async");
    const job = (await answer.json()) as Job;
    expect(answer.headers.get("location")).toBe(`/api/jobs/get?id=${job.id}`);
    expect(job).toEqual({
      ...{ id: expect.stringMatching(/^job_[\w-]{43}$/), endpoint: "test.work", state: "running", progress: 0 },
      createdAt: clock().toISOString(),
      expiresAt: new Date(clock().getTime() + 86_400_000).toISOString(),
    });
    expect(facilitator.calls.map(({ path }) => path)).toEqual(["verify"]);
    expect(await fetchJob(job.id)).toMatchObject({ state: "running" });
    work.letGo();
    const done = await ended(job.id);
    expect(done).toMatchObject({ state: "done", progress: 1, costUsd: "0.001", endpoint: "test.work" });
    expect(done.result).toMatchObject({
      data: { items: [{ n: 1, run: 1 }] },
      meta: { costUsd: "0.001", caller: "paid" },
    });
    expect(done.receipt).toBeTypeOf("string");
    expect(await fetchJob(job.id)).toEqual(done);
    expect(facilitator.settled.length).toBe(1);
  });

  it("is the same job when the same payment comes again, and its result for who does not ask for a job", async () => {
    const { get, take, paid, ended, runs, facilitator } = open();
    const headers = await paid();
    const first = await take(headers);
    await ended(first.id);
    const again = await get(WORK, { ...headers, ...ASYNC });
    expect([again.status, ((await again.json()) as Job).id]).toEqual([202, first.id]);
    const plain = await get(WORK, headers);
    expect([plain.status, plain.headers.get("x-svc-replay")]).toEqual([200, "1"]);
    expect([runs(), facilitator.settled.length]).toEqual([1, 1]);
  });

  it("is answered at once within the time that its caller waits", async () => {
    const { get, paid, behaviours } = open();
    const quick = await get(WORK, { ...(await paid()), prefer: "respond-async, wait=5" });
    expect([quick.status, quick.headers.get("preference-applied")]).toEqual([200, null]);
    const work = held();
    behaviours.push(work.run);
    const slow = await get(WORK, { ...(await paid()), prefer: "wait=1, respond-async" });
    expect([slow.status, slow.headers.get("preference-applied")]).toEqual([202, "respond-async, wait=1"]);
    work.letGo();
  });

  it("is refused before it is a job: unpaid, invalid, or with a payment that does not verify", async () => {
    const { get, paid, facilitator, runs } = open();
    expect((await get(WORK, ASYNC)).status).toBe(402);
    expect((await get("/test/work?n=x", { ...(await paid()), ...ASYNC })).status).toBe(400);
    facilitator.faults.verify.push("refuse");
    expect((await get(WORK, { ...(await paid()), ...ASYNC })).status).toBe(402);
    expect([runs(), facilitator.settled.length]).toEqual([0, 0]);
  });

  it("fails without a charge when its work fails, and its payment is good again", async () => {
    const { take, paid, ended, behaviours, facilitator } = open();
    behaviours.push(async () => {
      throw new Error("broken");
    });
    const headers = await paid();
    const { id } = await take(headers);
    const failed = await ended(id);
    expect(failed).toMatchObject({ state: "failed", costUsd: "0", error: { status: 500, code: "INTERNAL" } });
    expect(facilitator.settled.length).toBe(0);
    expect((await take(headers)).id).toBe(id);
    expect(await ended(id)).toMatchObject({ state: "done", costUsd: "0.001" });
    expect(facilitator.settled.length).toBe(1);
  });
});

describe("JOB-2 a job that is not there", () => {
  it.each(["job_x", `job_${"a".repeat(43)}`, "../secret"])("is 404 for all alike: %s", async (id) => {
    const { get, cancel } = open();
    for (const answer of [await get(`/jobs/get?id=${encodeURIComponent(id)}`), await cancel({ id })])
      expect([answer.status, (await bodyOf(answer)).code]).toEqual([404, "JOB_NOT_FOUND"]);
  });

  it("expires a day after its end", async () => {
    const clock = fakeClock();
    const { get, take, paid, ended } = open({ clock, store: createMemoryStore({ clock }) });
    const { id } = await take(await paid());
    await ended(id);
    clock.advance(86_000);
    expect((await get(`/jobs/get?id=${id}`)).status).toBe(200);
    clock.advance(500);
    expect((await get(`/jobs/get?id=${id}`)).status).toBe(404);
  });
});

it("JOB-23 is in the OpenAPI document of a host that takes jobs, and in no other", () => {
  const pathsOf = (options: Parameters<typeof open>[0]) => Object.keys(open(options).handle.openapi().paths);
  expect(pathsOf({})).toEqual(expect.arrayContaining(["/api/jobs/get", "/api/jobs/cancel"]));
  expect(pathsOf({ jobs: false }).filter((path) => path.includes("jobs"))).toEqual([]);
});

it("JOB-29 has 202 at each operation that may be asked so, and what the call at its end says", () => {
  const accounts = { keys: true, topUp: { minUsd: "1", maxUsd: "9" } };
  const brand = { baseUrl: "http://shop.test" };
  const documentOf = (options: Parameters<typeof open>[0]) => open({ accounts, brand, ...options }).handle.openapi();
  const { paths, components, webhooks } = documentOf({});
  const later = Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).some(({ responses }) => "202" in responses) ? [path] : [],
  );
  expect(later).toContain("/api/test/work");
  for (const path of later) expect(path).not.toMatch(/\/(?:account|jobs|directory|search)\b/);
  expect(components.responses).toHaveProperty("JobAccepted.headers.Location");
  const types = Object.keys(webhooks ?? {}).filter((type) => type.startsWith("job."));
  expect(types).toEqual(["job.done", "job.failed", "job.cancelled"]);
  const without = documentOf({ jobs: false });
  expect(JSON.stringify(without)).not.toMatch(/JobAccepted|"202"|job\.done/);
});

it("JOB-26 tells how far the work is, where it has steps", async () => {
  const works = [held(), held()];
  const steps = defineCapability({
    ...{ id: "test.steps", summary: "Has ten steps.", price: "0.001" },
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.int().describe("Any number") }),
    output: one(z.object({})),
    example: { n: 1 },
    async run(_, ctx) {
      ctx.progress?.(3, 10);
      await works[0]?.run(ctx.signal);
      // Nonsense is not told.
      ctx.progress?.(1, 0);
      ctx.progress?.(10, 10);
      await works[1]?.run(ctx.signal);
      return { item: {} };
    },
  });
  const { take, paid, fetchJob, ended } = open({ capabilities: [steps] });
  const path = "/test/steps?n=1";
  const { id } = await take(await paid(path), path);
  const seen = async (progress: number) => {
    while ((await fetchJob(id)).progress !== progress) await rested(50);
  };
  await seen(0.3);
  works[0]?.letGo();
  await seen(0.99);
  works[1]?.letGo();
  expect(await ended(id)).toMatchObject({ state: "done", progress: 1 });
}, 20_000);
