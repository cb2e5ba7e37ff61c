/** APPR-11: a process that dies at any operation of its store in the middle of a call that a person has agreed to. */
import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { open, rested } from "../jobs/job-shop.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { READS, send } from "../support/mcp.js";
import { fated } from "../support/mortal-store.js";

const capabilities = { elicitation: { form: {} }, ...READS };
const DEAR = { name: "test_dear", arguments: { n: 1 } };
const inputResponses = { approve: { action: "accept", content: { pay: true } } };

type Shop = ReturnType<typeof open>;
interface Told {
  requestState?: string;
  taskId?: string;
  resultType?: string;
}

/** One call, which never comes back if its process dies. */
async function call(shop: Shop, meta: Record<string, unknown>, requestState?: string) {
  const params = requestState === undefined ? DEAR : { ...DEAR, requestState, inputResponses };
  const { result, error } = await send(shop, "tools/call", params, { meta, capabilities });
  return { ...(result as Told | undefined), code: error?.code };
}

/** A client that goes on until it has a task: what was used of an agreement is asked about again. */
async function taskOf(shop: Shop, meta: Record<string, unknown>, state?: string): Promise<string> {
  let requestState = state;
  for (let times = 0; times < 20; times++) {
    const told = await call(shop, meta, requestState);
    if (told.taskId !== undefined) return told.taskId;
    requestState = told.requestState;
    await rested(1);
  }
  throw new Error("it never became a task");
}

it("APPR-11 charges a call that was agreed to once, at whatever operation of the store its process dies", async () => {
  let deaths = 0;
  for (const done of [false, true])
    for (let left = 0; ; left++) {
      const clock = fakeClock();
      const store = createMemoryStore({ clock });
      const given = { clock, facilitator: fakeFacilitator(), mcp: { askAboveUsd: "0.10" } };
      const next = open({ ...given, store });
      const payment = await next.payFor("/test/dear?n=1", { authorization: { validBefore: "4102444800" } });
      const meta = { "x402/payment": { ...payment }, "svc/task": true };
      const { requestState } = await call(next, meta);
      expect(given.facilitator.settled.length).toBe(0);
      const mortal = fated(store, { left, done, forGood: true });
      const one = open({ ...given, store: mortal.store });
      const told = await Promise.race([call(one, meta, requestState), mortal.failed]);
      const taken = typeof told === "string" ? undefined : told.taskId;
      const isOver = taken ? await Promise.race([one.ended(taken).then(() => true), mortal.failed]) : false;
      clock.advance(15);
      const id = taken ?? (await taskOf(next, meta, requestState));
      for (let round = 0; round < 40; round++) {
        const { result } = await send(next, "tasks/get", { taskId: id }, { capabilities });
        if (result?.status !== "working") break;
        clock.advance(15);
        await next.handle.reconcile();
        await rested(5);
      }
      const at = `${left} ${done} ${mortal.asked.at(-1)}`;
      const { result } = await send(next, "tasks/get", { taskId: id }, { capabilities });
      expect([at, result?.status, given.facilitator.settled.length]).toEqual([at, "completed", 1]);
      if (isOver === true) break;
      deaths++;
    }
  expect(deaths).toBeGreaterThan(20);
}, 60_000);
