/**
 * Tasks of 2026-07-28, by the extension `io.modelcontextprotocol/tasks`: for clients that list it the server decides which
 * calls become tasks, and a task that is done has its result within it.
 */
import type { Result, Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Catalogue } from "../host/catalogue.js";
import type { JobDocument } from "../request/jobs/answers.js";
import { asFields } from "./era.js";
import type { StatelessLibrary } from "./library.js";
import { keptMs, POLL_INTERVAL_MS, type Refusal, resultOfJob, TASKS, type Tasks, taskFacts } from "./tasks.js";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** The capabilities of a client, as each of its requests tells them. */
export const capabilitiesOf = (envelope: unknown): Record<string, unknown> =>
  asFields(asFields(envelope)[CAPABILITIES]);

export const readsTasks = (envelope: unknown): boolean => TASKS in asFields(capabilitiesOf(envelope).extensions);

const asTask = (job: JobDocument) => ({
  ...taskFacts(job, false),
  ttlMs: keptMs(job),
  pollIntervalMs: POLL_INTERVAL_MS,
});

export const createdTask = (job: JobDocument) => ({ resultType: "task", ...asTask(job) });

const named = z.looseObject({ taskId: z.string() });

export function serveTasks(
  server: Server,
  { MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode }: StatelessLibrary,
  catalogue: Catalogue,
  tasks: Tasks,
): void {
  type Find = (id: string) => Promise<JobDocument | Refusal>;
  const add = (method: string, find: Find, answer: (job: JobDocument) => Result) =>
    server.setRequestHandler(method, { params: named }, async ({ taskId }, { mcpReq }) => {
      if (!readsTasks(mcpReq.envelope))
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } });
      const job = await find(taskId);
      if ("refused" in job) {
        const { InternalError, InvalidParams } = ProtocolErrorCode;
        throw new ProtocolError(job.isOurs ? InternalError : InvalidParams, job.refused);
      }
      return answer(job);
    });
  add("tasks/get", tasks.get, (job) => {
    const task = asTask(job);
    return task.status === "completed"
      ? { ...task, result: { ...resultOfJob(catalogue, job), resultType: "complete" } }
      : task;
  });
  // No work of ours asks its caller anything, so there is nothing to update.
  add("tasks/update", tasks.get, () => ({}));
  add("tasks/cancel", tasks.cancel, () => ({}));
}
