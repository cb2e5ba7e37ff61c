/** TASK-1: calls of tools that go on when their caller has left, as the tasks of both eras of the protocol. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { type CallToolResult, CallToolResultSchema, type Task } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { binary } from "../../src/capability/output.js";
import { CapabilityError } from "../../src/errors.js";
import { createMcpServer } from "../../src/mcp/index.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { held, open, rested, WORK } from "../jobs/job-shop.js";
import { legacy, PROTOCOL, READS, type Sent, send, withKey } from "../support/mcp.js";
import type { ShopOptions } from "../support/shop.js";
import { withoutRetryKey } from "../support/wallets.js";

const ACCOUNTS = { accounts: { keys: true } };

type Shop = ReturnType<typeof open>;

const asked = (meta: Record<string, unknown> = {}, name = "test_work") => ({
  name,
  arguments: { n: 1 },
  _meta: meta,
});

const paying = async (shop: Shop) => ({ "x402/payment": { ...(await shop.payFor(WORK)) } });

/** All that the official client hears of a call, in its own words. */
async function heard(client: Client, params: ReturnType<typeof asked>) {
  const messages: { type: string; task?: Task; result?: CallToolResult; error?: Error }[] = [];
  for await (const message of client.experimental.tasks.callToolStream(params, CallToolResultSchema, { task: {} }))
    messages.push(message as (typeof messages)[number]);
  return messages;
}

async function call(shop: Shop, meta: Record<string, unknown> = {}, sent: Sent = {}, name = "test_work") {
  const { result } = await send(shop, "tools/call", { name, arguments: { n: 1 } }, { ...sent, meta });
  return result as Record<string, unknown> & { taskId: string; _meta: Record<string, unknown> };
}

const WISH = { "svc/task": true };

async function settledTask(shop: Shop, taskId: string, sent: Sent = {}) {
  for (;;) {
    const { result } = await send(shop, "tasks/get", { taskId }, sent);
    if (!result) throw new Error(JSON.stringify(await send(shop, "tasks/get", { taskId }, sent)));
    if (result.status !== "working") return result as Record<string, unknown>;
    await rested(5);
  }
}

describe("in the era of 2025-11-25", () => {
  it("TASK-1 the official client makes a task of a paid call, looks at it and gets the result", async () => {
    const shop = open();
    const client = await legacy(shop);
    expect(client.getServerCapabilities()?.tasks).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
    const { tools } = await client.listTools();
    const support = Object.fromEntries(tools.map(({ name, execution }) => [name, execution?.taskSupport]));
    expect(support).toMatchObject({ test_work: "optional", call_capability: "optional" });
    expect(support.search_capabilities).toBeUndefined();
    const messages = await heard(client, asked(await paying(shop)));
    expect(messages[0]).toMatchObject({ type: "taskCreated", task: { status: "working", pollInterval: 1000 } });
    const { result } = messages.at(-1) ?? {};
    expect(result?.structuredContent).toMatchObject({ data: { items: [{ n: 1 }] }, meta: { costUsd: "0.001" } });
    const { taskId = "" } = messages[0]?.task ?? {};
    expect(result?._meta).toMatchObject({
      "x402/payment-response": { success: true },
      [`${PROTOCOL}related-task`]: { taskId },
    });
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("TASK-2 the same payment again is the same task, charged once", async () => {
    const shop = open();
    const client = await legacy(shop);
    const params = asked(await paying(shop));
    const [one, other] = await Promise.all([heard(client, params), heard(client, params)]);
    const ids = [one, other].flatMap(([first]) => first?.task?.taskId ?? []);
    // Of two at the same moment one may hear that the payment is being taken.
    expect(new Set(ids).size).toBe(1);
    expect((await heard(client, params))[0]?.task?.taskId).toBe(ids[0]);
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("TASK-3 an unpaid call is a quote as an error, and takes no trial", async () => {
    const shop = open({ trial: { perHour: 1 } });
    const [refused] = await heard(await legacy(shop), asked());
    expect(refused?.error).toMatchObject({ code: 402, data: { accepts: [{ amount: "1000" }] } });
    expect(shop.runs()).toBe(0);
  });

  it("TASK-4 what would be answered at once is refused, and nothing is charged", async () => {
    const shop = open();
    const client = await legacy(shop);
    const bare = { ...withoutRetryKey(await shop.payFor(WORK)) };
    const [refused] = await heard(client, asked({ "x402/payment": bare }));
    expect(refused?.error?.message).toContain("answered at once");
    await expect(
      client.request(
        { method: "tools/call", params: { name: "search_capabilities", arguments: { query: "work" }, task: {} } },
        CallToolResultSchema,
      ),
    ).rejects.toMatchObject({ code: -32_601 });
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([0, 0]);
    // The same payment buys the call with a name of its own for it, or without a task.
    const named = { "x402/payment": bare, "svc/idempotency-key": "0123456789abcdef" };
    expect((await heard(client, asked(named))).at(-1)).toMatchObject({ type: "result" });
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("TASK-5 a failed call is a failed task that charges nothing, with the tool's error as its result", async () => {
    const shop = open();
    shop.behaviours.push(async () => {
      throw new CapabilityError("UPSTREAM_ERROR", "The source is down.");
    });
    const client = await legacy(shop);
    const messages = await heard(client, asked(await paying(shop)));
    expect(messages.at(-1)).toMatchObject({ type: "error" });
    const { taskId = "" } = messages[0]?.task ?? {};
    expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ status: "failed" });
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "UPSTREAM_ERROR", status: 502 } });
    expect(shop.facilitator.settled.length).toBe(0);
  });

  it("TASK-6 is cancelled by the rules of a job, once", async () => {
    const shop = open();
    const work = held();
    shop.behaviours.push(work.run);
    const client = await legacy(shop);
    const params = { ...asked(await paying(shop)), task: {} };
    const { task } = (await client.request({ method: "tools/call", params }, z.looseObject({ task: z.any() }))) as {
      task: Task;
    };
    await work.begun;
    const { tasks } = client.experimental;
    expect(await tasks.cancelTask(task.taskId)).toMatchObject({ taskId: task.taskId, status: "cancelled" });
    await expect(tasks.cancelTask(task.taskId)).rejects.toMatchObject({ code: -32_602 });
    const result = await tasks.getTaskResult(task.taskId, CallToolResultSchema);
    expect(result).toMatchObject({ isError: true, _meta: { "svc/cost-usd": "0" } });
    expect(shop.facilitator.settled.length).toBe(0);
  });

  it("TASK-7 says the same of an unknown task, a strange id and another account's", async () => {
    const shop = open(ACCOUNTS);
    const [ada, bob] = [await withKey(shop, "ada"), await withKey(shop, "bob")];
    const [mine, others, nobodys] = [await legacy(shop, ada), await legacy(shop, bob), await legacy(shop)];
    const messages = await heard(mine, asked());
    const { taskId = "" } = messages[0]?.task ?? {};
    expect(messages.at(-1)).toMatchObject({ result: { structuredContent: { meta: { costUsd: "0.001" } } } });
    const unknown = `job_${"A".repeat(43)}`;
    const told = new Set<string>();
    for (const client of [others, nobodys])
      for (const id of [taskId, unknown, "", "../admin", "job_x", "\ud800", "a&id=b"])
        for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
          await client.request({ method, params: { taskId: id } } as never, z.looseObject({})).then(
            () => expect.unreachable(`${method} ${id}`),
            (error: Error) => told.add(`${(error as { code?: number } & Error).code} ${id === "" || error.message}`),
          );
    expect([...told].sort()).toEqual([expect.stringMatching(/^-32602 MCP.*No task has this id/), "-32602 true"]);
    expect(await mine.experimental.tasks.getTask(taskId)).toMatchObject({ status: "completed" });
    // Whoever has a wrong key learns nothing by it.
    const wrong = await legacy(shop, `${ada}x`);
    const words = await Promise.all(
      [taskId, unknown].map((id) => wrong.experimental.tasks.getTask(id).catch((error: Error) => error.message)),
    );
    expect(words[0]).toBe(words[1]);
  });

  it("TASK-8 gives no tasks where calls are no jobs, and runs nothing for who demands one", async () => {
    const shop = open({ jobs: false });
    const client = await legacy(shop);
    expect(client.getServerCapabilities()?.tasks).toBeUndefined();
    const params = { ...asked(await paying(shop)), task: {} };
    const answered = client.request({ method: "tools/call", params }, z.looseObject({}));
    await expect(answered).rejects.toThrow("task creation");
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([0, 0]);
  });

  it("TASK-9 a server over any transport waits for the job of an endpoint that is always one", async () => {
    const shop = open({ jobs: { always: ["test.work"] } });
    const server = createMcpServer(shop.handle);
    const client = new Client({ name: "test", version: "1" });
    const [one, other] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(one), client.connect(other)]);
    const answered = await client.callTool(asked(await paying(shop)));
    expect(answered.structuredContent).toMatchObject({ data: { items: [{ n: 1 }] } });
    expect(shop.facilitator.settled.length).toBe(1);
  });
});

describe("in the era of 2026-07-28", () => {
  it("TASK-10 offers the extension, and a task to a client that lists it and asks for one", async () => {
    const shop = open();
    const discovered = await send(shop, "server/discover", {});
    expect(discovered.result?.capabilities).toEqual({ tools: {}, extensions: { [`${PROTOCOL}tasks`]: {} } });
    const created = await call(shop, { ...(await paying(shop)), ...WISH });
    expect(created).toMatchObject({ resultType: "task", status: "working", pollIntervalMs: 1000 });
    expect(created.ttlMs).toBe(86_400_000);
    const done = await settledTask(shop, created.taskId);
    expect(done).toMatchObject({ resultType: "complete", status: "completed" });
    expect(done.result).toMatchObject({
      resultType: "complete",
      structuredContent: { data: { items: [{ n: 1 }] } },
      _meta: { "x402/payment-response": { success: true }, "svc/cost-usd": "0.001" },
    });
    expect(shop.facilitator.settled.length).toBe(1);
  });

  it("TASK-11 gives no task to a client that does not list it, whatever it asks, nor by the older parameter", async () => {
    const shop = open();
    const plain = await call(shop, { ...(await paying(shop)), ...WISH }, { capabilities: {} });
    expect(plain).toMatchObject({ resultType: "complete", structuredContent: { data: { items: [{ n: 1 }] } } });
    const params = { name: "test_work", arguments: { n: 1 }, task: { ttl: 1000 } };
    const { result } = await send(shop, "tools/call", params, { meta: await paying(shop) });
    expect(result).toMatchObject({ resultType: "complete" });
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const { error } = await send(shop, method, { taskId: "job_x", inputResponses: {} }, { capabilities: {} });
      expect(error).toMatchObject({ code: -32_021, data: { requiredCapabilities: READS } });
    }
    expect((await send(shop, "tasks/get", { taskId: "job:x" })).error?.code).toBe(-32_602);
    for (const method of ["tasks/result", "tasks/list"])
      expect((await send(shop, method, { taskId: "job_x" })).error?.code).toBe(-32_601);
    const wrong = await send(shop, "tasks/get", { taskId: "job_x" }, { name: "job_y" });
    expect(wrong.error?.code).toBe(-32_020);
  });

  it("TASK-12 decides by itself: a call that may take long is a task unless its answer comes soon", async () => {
    const long = (timeoutMs: number) =>
      defineCapability({
        id: "test.long",
        summary: "Takes its time.",
        price: "0.001",
        timeoutMs,
        source: { provider: "test", url: "", license: "MIT" },
        input: () => z.strictObject({ n: z.int().describe("Any number") }),
        output: binary("image/png"),
        example: { n: 1 },
        async run() {
          return { contentType: "image/png", body: Buffer.from([1, 2, 3]) };
        },
      });
    const shop = open({ capabilities: [long(60_000)], ...ACCOUNTS });
    const key = await withKey(shop, "ada");
    const soon = await call(shop, {}, { key }, "test_long");
    expect(soon).toMatchObject({ resultType: "complete", content: [{ type: "image", data: "AQID" }] });
    const { result: created } = await send(
      shop,
      "tools/call",
      { name: "test_long", arguments: { n: 2 } },
      { key, meta: WISH },
    );
    const done = await settledTask(shop, created?.taskId as string, { key });
    expect(done.result).toMatchObject({ content: [{ type: "image", data: "AQID", mimeType: "image/png" }] });
    const always = open({ jobs: { always: ["test.work"] } });
    expect(await call(always, await paying(always))).toMatchObject({ resultType: "task" });
  });

  it("TASK-13 a tool's error is the result of a task, which then has charged nothing", async () => {
    const shop = open();
    shop.behaviours.push(async () => {
      throw new CapabilityError("NOT_FOUND", "Nothing there.");
    });
    const { taskId } = await call(shop, { ...(await paying(shop)), ...WISH });
    const done = await settledTask(shop, taskId);
    expect(done).toMatchObject({ status: "completed", result: { isError: true } });
    expect(done.result).toMatchObject({ structuredContent: { code: "NOT_FOUND" }, _meta: { "svc/cost-usd": "0" } });
    expect(shop.facilitator.settled.length).toBe(0);
  });

  it("TASK-14 is cancelled by another instance, acknowledged again, and unknown to other accounts", async () => {
    const shared: ShopOptions = { store: createMemoryStore(), ...ACCOUNTS };
    const shop = open(shared);
    const other = open({ ...shared, facilitator: shop.facilitator });
    const [ada, bob] = [await withKey(shop, "ada"), await withKey(shop, "bob")];
    const work = held();
    shop.behaviours.push(work.run);
    const { taskId } = await call(shop, WISH, { key: ada });
    await work.begun;
    for (const sent of [{ key: bob }, {}])
      for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
        expect((await send(other, method, { taskId, inputResponses: {} }, sent)).error?.code).toBe(-32_602);
    expect((await send(other, "tasks/get", { taskId }, { key: ada })).result).toMatchObject({ status: "working" });
    for (let times = 0; times < 2; times++) {
      const { result } = await send(other, "tasks/cancel", { taskId }, { key: ada });
      expect(Object.keys(result ?? {}).sort()).toEqual(["_meta", "resultType"]);
    }
    expect(await settledTask(other, taskId, { key: ada })).toMatchObject({ status: "cancelled" });
    // The id alone still serves over HTTP, as for any job.
    expect(await shop.fetchJob(taskId)).toMatchObject({ state: "cancelled", costUsd: "0" });
  });
});
