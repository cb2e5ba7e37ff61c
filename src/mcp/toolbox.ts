/** The tools of a catalogue and their calls, whatever release of the protocol's library serves them. */
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { AnyCapability } from "../capability/types.js";
import { listed } from "../discovery/availability.js";
import { toolName } from "../discovery/export-name.js";
import { searchOf } from "../discovery/search.js";
import { CapabilityError, invalid, toCapabilityError } from "../errors.js";
import type { Catalogue } from "../host/catalogue.js";
import type { McpOptions } from "../host/options.js";
import { packageVersion } from "../lib/packages/installed.js";
import type { Approvals } from "../request/agreements/approvals.js";
import { type Asking, agreed, boundOf, type Question } from "./agreement.js";
import { type Accepted, type Ask, callTool, isAccepted, pays, type ToolResult, unpaid } from "./call.js";
import { createTasks, hasTasks, preferenceFor, resultOfJob, type Tasks } from "./tasks.js";
import { BUILT_IN, builtInTools, describeTool, descriptionOf, plainTools } from "./tools.js";

export interface Served {
  catalogue: Catalogue;
  ask: Ask;
  /** The handler's public origin. */
  origin: string;
  version1?: boolean;
  /** Whether the client sent a key of an account, which then pays instead of a trial that nobody asked for. */
  hasKey?: boolean;
  /** Whether the host's own login names an account, which then pays; absent without a login. */
  isKnown?(): Promise<boolean>;
  /** Seals questions about prices, where an answer may come to another instance. */
  approvals?: Approvals;
  /** Credentials of the connection. */
  payer?: string;
  /** Whether each call of an endpoint is a job. */
  isAlwaysJob?(capability: AnyCapability): boolean;
}

type Args = Record<string, unknown>;

interface Progress {
  progressToken: string | number;
  progress: number;
  message: string;
  [name: string]: unknown;
}

/** One call of a tool, as the protocol's library gives it. */
export interface ToolRequest {
  name: string;
  args: Args;
  /** The metadata beside the arguments. */
  meta: Args;
  signal: AbortSignal;
  /** Whether the client reads quotes as results of a type of their own. */
  readsQuotes?: boolean;
  /** `"demanded"`: an answer is wanted as a task and in no other way. `"read"`: the client reads tasks. */
  task?: "demanded" | "read" | undefined;
  /** How its person is asked about a price. */
  asking?(): Promise<Asking>;
  /** Whether an error is one of the protocol, and no answer of a tool. */
  isProtocolError?(error: unknown): boolean;
  notify(notification: { method: "notifications/progress"; params: Progress }): Promise<void>;
}

export interface Toolbox {
  info: { name: string; title: string; version: string };
  /** Text that a model reads before it chooses. */
  instructions: string;
  tools(): Tool[];
  /** Undefined where calls are no jobs. */
  tasks: Tasks | undefined;
  /** Whether a call of it may become a task. */
  mayBeTask(name: string): boolean;
  /** Undefined for an unknown tool. A job only for a client that reads tasks. */
  call(asked: ToolRequest): Promise<Answered | undefined>;
}

export type Answered = ToolResult | Accepted | Question;

/** Throws INVALID_INPUT for unknown tools. */
export function createToolbox(served: Served, options: McpOptions = {}): Toolbox {
  const { catalogue } = served;
  const plain = plainTools(catalogue, options.tools);
  const byTool = new Map(plain.map((capability) => [toolName(capability.id), capability]));
  const search = (query: string, limit?: number) => searchOf(catalogue)(query, limit, catalogue);

  const tasks = hasTasks(catalogue) ? createTasks(catalogue, served.ask, served.origin) : undefined;

  async function run(capability: AnyCapability, input: Args, asked: ToolRequest): Promise<Answered> {
    const answered = await agreedCall(capability, input, asked);
    if (!isAccepted(answered) || asked.task !== undefined || !tasks) return answered;
    const ended = await tasks.ended(answered.job.id, asked.signal);
    return resultOfJob(catalogue, "refused" in ended ? answered.job : ended);
  }

  /** The call, after a person's agreement where it costs more than may be charged without one. */
  async function agreedCall(capability: AnyCapability, input: Args, asked: ToolRequest): Promise<Answered> {
    const { meta, signal, readsQuotes = false, task } = asked;
    const call = (paying: Args, maxUsd?: string) =>
      callTool(catalogue, served.ask, {
        capability,
        input,
        meta: paying,
        signal,
        readsQuotes,
        origin: served.origin,
        version1: served.version1 ?? false,
        prefer: tasks && preferOf(capability, asked),
        maxUsd,
        // A trial is answered at once, and who asks for the price of a signed call wants none.
        trial: options.trial !== "asked" && !served.hasKey && task !== "demanded" && paying === meta,
      });
    const plain = async () => (await call(meta)) as ToolResult | Accepted;
    const isSigned = pays(catalogue, meta);
    const bound = catalogue.paid ? boundOf(catalogue, options, meta) : undefined;
    // A call that nothing pays for is answered by its price.
    if (bound === undefined || !(isSigned || (await mayCharge()))) return plain();
    return agreed(
      {
        limited: (maxUsd) => call(isSigned ? unpaid(catalogue, meta) : meta, maxUsd),
        signed: isSigned ? plain : undefined,
      },
      { bound, endpoint: capability.id, seller: catalogue.brand.name, asking: (await asked.asking?.()) ?? {} },
    );
  }

  /** Whether an account may pay. */
  const mayCharge = async (): Promise<boolean> => served.hasKey || ((await served.isKnown?.()) ?? false);

  function preferOf(capability: AnyCapability, { task, meta }: ToolRequest): string | undefined {
    // guard: MCP: who can read only a task is charged for nothing else |
    //   , handling=strict -> , wait=0 | mcp/tasks
    if (task === "demanded") return "respond-async, handling=strict";
    if (task === undefined) return undefined;
    const wish = served.isAlwaysJob?.(capability) || meta[`${catalogue.brand.slug}/task`];
    return preferenceFor(capability.timeoutMs, wish);
  }

  async function find(args: Args): Promise<AnyCapability> {
    const id = asText(args, "id");
    const known = catalogue.byId.get(id) ?? catalogue.capabilities.find((capability) => toolName(capability.id) === id);
    if (known) return known;
    const { results } = await search(id.replace(/[._-]/g, " ").trim() || id, 3);
    const like = results.map((result) => result.id).join(", ");
    throw new CapabilityError("NOT_FOUND", `Unknown capability "${id}".${like ? ` Near it: ${like}.` : ""}`);
  }

  async function answerOf(asked: ToolRequest): Promise<Answered | undefined> {
    const { name, args } = asked;
    const capability = byTool.get(name);
    if (capability) return run(capability, args, asked);
    if (name === BUILT_IN.SEARCH) return answer({ ...(await search(asText(args, "query"), limitOf(args))) });
    if (name === BUILT_IN.DESCRIBE) return answer(descriptionOf(catalogue, await find(args)));
    if (name === BUILT_IN.CALL) return run(await find(args), inputOf(args), asked);
    return undefined;
  }

  return {
    info: { name: catalogue.brand.slug, title: catalogue.brand.name, version: packageVersion() ?? "0" },
    instructions: options.instructions ?? instructions(catalogue),
    tools: () => [...builtInTools(catalogue), ...plain.map((capability) => describeTool(catalogue, capability))],
    tasks,
    mayBeTask: (name) =>
      tasks !== undefined && (name === BUILT_IN.CALL || (byTool.has(name) && !byTool.get(name)?.ownersOnly)),
    async call(asked) {
      const stop = reportProgress(asked);
      try {
        return await answerOf(asked);
      } catch (error) {
        if (asked.isProtocolError?.(error)) throw error;
        return refusal(error);
      } finally {
        stop();
      }
    },
  };
}

function asText(args: Args, name: string): string {
  const parsed = z.string().min(1).max(500).safeParse(args[name]);
  if (parsed.success) return parsed.data;
  throw invalid(name, "must be a text of 1 to 500 characters");
}

/** The search itself reports an invalid number. */
const limitOf = ({ limit }: Args): number | undefined => (limit === undefined ? undefined : Number(limit));

function inputOf({ input = {} }: Args): Args {
  const parsed = z.record(z.string(), z.unknown()).safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalid("input", "must be an object, as shown by describe");
}

const answer = (value: Record<string, unknown>): ToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
});

/** Errors that a model can correct are results; only others are protocol errors. */
function refusal(thrown: unknown): ToolResult {
  const { code, message } = toCapabilityError(thrown);
  return { isError: true, content: [{ type: "text", text: `${code}: ${message}` }] };
}

const token = z.union([z.string(), z.number()]);

/** Progress is told after one second, two, five, and then every five. */
const nextAfter = (seconds: number): number => (seconds < 2 ? seconds + 1 : (Math.floor(seconds / 5) + 1) * 5);

/** Sends progress to a client that asked for it; the returned function ends it. */
function reportProgress({ meta, notify }: ToolRequest): () => void {
  const progressToken = token.safeParse(meta.progressToken).data;
  if (progressToken === undefined) return () => {};
  let timer: NodeJS.Timeout;
  const plan = (seconds: number) => {
    const next = nextAfter(seconds);
    timer = setTimeout(
      () => {
        const params = { progressToken, progress: next, message: `At work for ${next} s` };
        notify({ method: "notifications/progress", params }).catch(() => {});
        plan(next);
      },
      (next - seconds) * 1000,
    );
  };
  plan(0);
  return () => clearTimeout(timer);
}

function instructions(catalogue: Catalogue): string {
  const { brand, paid, trialsPerHour } = catalogue;
  const capabilities = listed(catalogue);
  const groups = [...new Set(capabilities.map(({ group }) => group))].join(", ");
  const trial = trialsPerHour > 0 ? " A call without payment uses the free trial if one is left." : "";
  return [
    `${brand.name}${brand.description ? `: ${brand.description}` : ""} has ${capabilities.length} capabilities: ${groups}.`,
    "Find one with search_capabilities, read its input with describe, run it with call_capability.",
    paid
      ? `Prices are in the descriptions, paid by x402: an unpaid call answers with a quote, and is paid in _meta["x402/payment"].${trial}`
      : "",
  ]
    .filter(Boolean)
    .join("\n");
}
