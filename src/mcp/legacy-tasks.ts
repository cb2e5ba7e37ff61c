/**
 * Tasks of 2025-11-25, an experimental part of that version: a client asks for one beside the arguments of a call, looks at
 * it, and fetches its result. They are not listed, because the id of a task is its secret.
 */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CreateTaskResult, Result, Task, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { Catalogue } from "../host/catalogue.js";
import type { JobDocument } from "../request/jobs/answers.js";
import { isAccepted } from "./call.js";
import type { Library } from "./library.js";
import { isOpen, keptMs, POLL_INTERVAL_MS, type Refusal, resultOfJob, type Tasks, taskFacts } from "./tasks.js";
import type { Answered, Toolbox } from "./toolbox.js";

export const LEGACY_TASKS = { cancel: {}, requests: { tools: { call: {} } } };
const RELATED = "io.modelcontextprotocol/related-task";

const asTask = (job: JobDocument): Task => ({
  ...taskFacts(job, true),
  ttl: keptMs(job),
  pollInterval: POLL_INTERVAL_MS,
});

/** The tools, with those named that may be tasks. */
export const withTaskSupport = (toolbox: Toolbox): Tool[] =>
  toolbox
    .tools()
    .map((tool) => (toolbox.mayBeTask(tool.name) ? { ...tool, execution: { taskSupport: "optional" } } : tool));

/** Throws if a tool gives no tasks, before it runs. */
export function assertTask({ McpError, ErrorCode }: Library, toolbox: Toolbox, name: string): void {
  // guard: MCP: a tool that gives no tasks is not run for who can read only a task | gone | mcp/tasks
  if (!toolbox.mayBeTask(name)) throw new McpError(ErrorCode.MethodNotFound, `"${name}" gives no tasks here.`);
}

/** The task that a call became. Throws what it answered instead, for a client that reads only a task. */
export function legacyTaskFor({ McpError, ErrorCode }: Library, answered: Answered): CreateTaskResult {
  if (isAccepted(answered)) return { task: asTask(answered.job) };
  const { content, _meta, ...others } = answered;
  const structuredContent = others.structuredContent as Record<string, unknown> | undefined;
  if (structuredContent && "accepts" in structuredContent)
    throw new McpError(402, "Payment required", { ...structuredContent, _meta });
  // An answer that was bought before comes at once, whatever was asked for.
  const [first] = content as { text?: string }[];
  throw new McpError(ErrorCode.InvalidRequest, first?.text ?? "It is answered at once.", { result: answered });
}

export function serveLegacyTasks(server: Server, library: Library, catalogue: Catalogue, tasks: Tasks): void {
  const { McpError, ErrorCode } = library;
  const known = (job: JobDocument | Refusal): JobDocument => {
    if ("refused" in job)
      throw new McpError(job.isOurs ? ErrorCode.InternalError : ErrorCode.InvalidParams, job.refused);
    return job;
  };
  server.setRequestHandler(library.GetTaskRequestSchema, async ({ params }) =>
    asTask(known(await tasks.get(params.taskId))),
  );
  server.setRequestHandler(library.GetTaskPayloadRequestSchema, async ({ params: { taskId } }, { signal }) => {
    const job = known(await tasks.ended(taskId, signal));
    if (isOpen(job)) throw new McpError(ErrorCode.RequestTimeout, "It is not done yet: ask again.");
    const { _meta, ...result } = resultOfJob(catalogue, job);
    return { ...result, _meta: { ...(_meta as object), [RELATED]: { taskId } } } as Result;
  });
  server.setRequestHandler(library.CancelTaskRequestSchema, async ({ params: { taskId } }) => {
    const before = known(await tasks.get(taskId));
    if (!isOpen(before)) throw new McpError(ErrorCode.InvalidParams, `It is ${before.state} already.`);
    const job = known(await tasks.cancel(taskId));
    if (job.state !== "cancelled") throw new McpError(ErrorCode.InvalidRequest, "It cannot be cancelled any more.");
    return asTask(job);
  });
}
