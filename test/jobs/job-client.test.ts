/** JOB-19: the client pays, leaves, waits and cancels; what it may cost counts as spent. */
import { afterEach, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/index.js";
import type { ClientOptions } from "../../src/client/options.js";
import type { Job } from "../../src/client/types.js";
import { payerOf } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { held, open } from "./job-shop.js";

afterEach(() => vi.restoreAllMocks());

type Later = (input: object) => Promise<Job>;

function buyer(options: Partial<ClientOptions> = {}, jobs: Parameters<typeof open>[0] = {}) {
  const shop = open({ clock: fakeClock(new Date().toISOString()), ...jobs });
  const { client: pay } = payerOf();
  const fetch = (async (input, init) => shop.handle(new Request(input, init))) as typeof globalThis.fetch;
  const client = createClient<never>({ baseUrl: "http://shop.test", fetch, pay, ...options });
  const endpoints = client as unknown as { test: { work: { later: Later } } };
  return { ...shop, client, later: (n: number) => endpoints.test.work.later({ n }) };
}

it("JOB-19 waits for a job that it paid and left", async () => {
  const { client, later, behaviours, facilitator } = buyer({ maxTotalUsd: "0.001" });
  const work = held();
  behaviours.push(work.run);
  const job = await later(1);
  expect(job).toMatchObject({ id: expect.stringMatching(/^job_/), state: "running", progress: 0 });
  expect(await client.jobs.get(job.id)).toMatchObject({ state: "running" });
  const waiting = client.jobs.wait(job.id);
  work.letGo();
  expect(await waiting).toMatchObject({ id: job.id, state: "done", result: { data: { items: [{ n: 1 }] } } });
  expect([client.$spending().spentUsd, facilitator.settled.length]).toEqual(["0.001", 1]);
  await expect(later(2)).rejects.toMatchObject({ code: "SPENDING_LIMIT" });
});

it("JOB-20 cancels one, and is told of one that is not there", async () => {
  const { client, later, behaviours, facilitator } = buyer();
  behaviours.push(held().run);
  const { id } = await later(1);
  expect(await client.jobs.cancel(id)).toMatchObject({ id, state: "cancelled", costUsd: "0" });
  expect(await client.jobs.wait(id)).toMatchObject({ state: "cancelled" });
  expect(facilitator.settled.length).toBe(0);
  await expect(client.jobs.get(`job_${"a".repeat(43)}`)).rejects.toMatchObject({ code: "JOB_NOT_FOUND", status: 404 });
});

it("JOB-21 has the answer of a service that takes no jobs, and stops waiting when its caller does", async () => {
  const { later } = buyer({}, { jobs: false });
  expect(await later(1)).toMatchObject({
    id: "",
    state: "done",
    costUsd: "0.001",
    result: { meta: { caller: "paid" } },
  });
  const { client, later: other, behaviours } = buyer();
  behaviours.push(held().run);
  const { id } = await other(1);
  const leaving = new AbortController();
  const waiting = client.jobs.wait(id, { signal: leaving.signal });
  leaving.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await client.jobs.cancel(id);
});

it("JOB-22 pays from an account", async () => {
  const shop = buyer({}, { accounts: { keys: true } });
  await shop.handle.accounts.topUp("ada", "1", { reference: "first" });
  const { key } = await shop.handle.accounts.createKey("ada");
  const fetch = (async (input, init) => shop.handle(new Request(input, init))) as typeof globalThis.fetch;
  const client = createClient<never>({ baseUrl: "http://shop.test", fetch, apiKey: key });
  const { id } = await (client as unknown as { test: { work: { later: Later } } }).test.work.later({ n: 3 });
  expect(await client.jobs.wait(id)).toMatchObject({ state: "done", result: { meta: { caller: "account" } } });
  expect(await shop.handle.accounts.balance("ada")).toMatchObject({ availableUsd: "0.999" });
});
