/** A capability as a tool: its description for a model, and its call, which never throws. */
import { inputSchema, isBinary, type JsonSchema } from "../capability/json-schema.js";
import { aCapability, CALL } from "../capability/option-checks.js";
import type { BinaryResult } from "../capability/output.js";
import type { AnyCapability, CallOptions } from "../capability/types.js";
import { createClient } from "../client/index.js";
import { type ClientOptions, clientOptions } from "../client/options.js";
import type { Answer } from "../client/types.js";
import { toolName } from "../discovery/export-name.js";
import { type Issue, toCapabilityError } from "../errors.js";
import { listOf, shape } from "../lib/options/check.js";
import { func, has } from "../lib/options/kinds.js";

/** Calls endpoints over HTTP: a client of `coinslot/client`. */
export interface Caller {
  $call(id: never, input: never, options?: { signal?: AbortSignal | undefined }): Promise<Answer<unknown>>;
}

/** How tools run: in this process with the options of a call, or over HTTP. */
export interface ToolOptions extends Omit<CallOptions, "signal"> {
  /**
   * Runs them over HTTP: a client, which may pay within its limits, or the options of one. Descriptions then contain
   * prices.
   */
  client?: Caller | ClientOptions;
  /**
   * Gets each file, such as a picture or a code; the model gets the returned text, such as an address. Without it
   * models see pictures if their API allows these in a result, and a description of other files.
   */
  onFile?(file: BinaryResult, id: string): Promise<string | undefined> | string | undefined;
}

export const toolOptions = shape<ToolOptions>({
  ...CALL,
  client: (name, value) => has(value, ["$call"]) || clientOptions(name, value),
  onFile: func("a function of a file"),
});

/** A part of a result for a model. Bytes are in base64. */
export type ToolContent = { type: "text"; text: string } | { type: "image"; mediaType: string; data: string };

/** Result of a failed call. */
export interface ToolFailure {
  error: { code: string; message: string; issues?: Issue[]; retryAfterSeconds?: number };
}

/** A file in JSON. */
export type ToolFile = { contentType: string; base64: string } | { contentType: string; text: string };

export interface CapabilityTool {
  name: string;
  description: string;
  /** Schema of the input: an object. */
  parameters: JsonSchema;
  /** Resolves to JSON: the capability's result, a file, the text of `onFile`, or the reason of a failure. */
  run(input: unknown, signal?: AbortSignal | null): Promise<unknown>;
}

/** Pictures that models see; others, such as SVG, are text or files. */
const VISIBLE = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function toolsOf(capabilities: readonly AnyCapability[], options: ToolOptions = {}): CapabilityTool[] {
  listOf(aCapability)("the first argument of tools", capabilities);
  toolOptions("tool options", options);
  const { client, onFile, ...callOptions } = options;
  const caller = client && ("$call" in client ? client : (createClient(client) as Caller));
  const call = async (capability: AnyCapability, input: unknown, signal: AbortSignal | undefined) => {
    if (caller) return (await caller.$call(capability.id as never, input as never, { signal })).data;
    return capability(input as never, { ...callOptions, ...(signal ? { signal } : {}) });
  };
  return capabilities.map((capability) => ({
    name: toolName(capability.id),
    description: describe(capability, caller !== undefined),
    parameters: inputSchema(capability),
    async run(input, signal) {
      try {
        const result = await call(capability, input ?? {}, signal ?? undefined);
        if (!isBinary(capability)) return result;
        const file = result as BinaryResult;
        return (await onFile?.(file, capability.id)) ?? toToolFile(file);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        return failure(error);
      }
    },
  }));
}

function describe({ summary, price }: AnyCapability, paid: boolean): string {
  if (!paid) return summary;
  const usd = price.mode === "fixed" ? price.usd : `${price.minUsd} to ${price.maxUsd}`;
  return `${summary} Costs ${usd} USD a call.`;
}

function failure(error: unknown): ToolFailure {
  const { code, message, issues, retryAfter } = toCapabilityError(error);
  return {
    error: {
      code,
      message,
      ...(issues ? { issues } : {}),
      ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
    },
  };
}

const toToolFile = ({ contentType, body }: BinaryResult): ToolFile =>
  typeof body === "string"
    ? { contentType, text: body }
    : { contentType, base64: Buffer.from(body).toString("base64") };

/** Content of a tool's result for a model. */
export function contentOf(value: unknown): ToolContent[] {
  if (typeof value === "string") return [{ type: "text", text: value }];
  const { contentType, base64, text } = (value ?? {}) as { contentType?: unknown; base64?: unknown; text?: unknown };
  if (typeof contentType !== "string") return [{ type: "text", text: JSON.stringify(value) }];
  if (typeof text === "string") return [{ type: "text", text }];
  if (typeof base64 !== "string") return [{ type: "text", text: JSON.stringify(value) }];
  const mediaType = contentType.split(";")[0]?.trim() ?? contentType;
  if (VISIBLE.has(mediaType)) return [{ type: "image", mediaType, data: base64 }];
  return [{ type: "text", text: `A file of ${contentType}.` }];
}
