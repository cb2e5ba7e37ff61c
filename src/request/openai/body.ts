/**
 * The body of OpenAI's chat completions as the input of `ai.chat`: what changes nothing is left out, and what this service
 * cannot do is refused by its name.
 */
import { invalid } from "../../errors.js";

type Fields = Record<string, unknown>;

export interface OpenAiRequest {
  input: Fields;
  /** Whether its caller reads events. */
  streamed: boolean;
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);
const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isEmptyObject = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

/** Fields that pass as they are. */
const KEPT = new Set(["model", "temperature", "top_p", "stop"]);

/** Fields that change nothing here for these values; others of their values are refused. */
const HARMLESS: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  user: () => true,
  safety_identifier: () => true,
  prompt_cache_key: () => true,
  prompt_cache_retention: () => true,
  metadata: isObject,
  store: (value) => value === false,
  seed: Number.isInteger,
  service_tier: (value) => value === "auto" || value === "default",
  frequency_penalty: (value) => value === 0,
  presence_penalty: (value) => value === 0,
  logit_bias: isEmptyObject,
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  parallel_tool_calls: (value) => typeof value === "boolean",
  tool_choice: (value) => value === "none" || value === "auto",
  function_call: (value) => value === "none" || value === "auto",
  modalities: (value) => Array.isArray(value) && value.every((one) => one === "text"),
  verbosity: (value) => value === "medium",
  stream_options: isObject,
};

/** Fields of which only nothing is taken: null, or an empty list. */
const NOT_DONE = new Set([
  ...["tools", "functions", "audio", "prediction", "reasoning_effort", "web_search_options", "moderation"],
]);

/** Throws INVALID_INPUT naming a field that cannot be kept. */
export function readOpenAiBody(body: Fields): OpenAiRequest {
  const { stream, max_tokens: most, max_completion_tokens: newer, messages, response_format: format, ...rest } = body;
  const input: Fields = {};
  for (const [name, value] of Object.entries(rest)) {
    if (isNothing(value)) continue;
    if (KEPT.has(name)) input[name] = value;
    else assertHarmless(name, value);
  }
  if (!isNothing(messages)) input.messages = Array.isArray(messages) ? messages.map(readMessage) : messages;
  const limit = readLimit(most, newer);
  if (limit !== undefined) input.max_tokens = limit;
  if (!isNothing(format) && !(isObject(format) && format.type === "text")) input.response_format = format;
  if (!isNothing(stream) && typeof stream !== "boolean") throw invalid("stream", "must be true or false");
  return { input, streamed: stream === true };
}

function assertHarmless(name: string, value: unknown): void {
  if (NOT_DONE.has(name)) throw invalid(name, "is not done here; leave it out");
  const isHarmless = Object.hasOwn(HARMLESS, name) ? HARMLESS[name] : undefined;
  if (!isHarmless) throw invalid(name, "is not known here; leave it out");
  if (!isHarmless(value)) throw invalid(name, "is not done here with this value; leave it out");
}

function readLimit(most: unknown, newer: unknown): unknown {
  if (isNothing(newer)) return isNothing(most) ? undefined : most;
  if (!isNothing(most) && most !== newer)
    throw invalid("max_completion_tokens", "differs from max_tokens; send one of them");
  return newer;
}

/** Members of answers that clients send back as they came, taken where they say nothing. */
const EMPTY_PARTS = ["refusal", "tool_calls", "function_call", "audio", "annotations", "name", "tool_call_id"];

function readMessage(message: unknown, index: number): unknown {
  const at = `messages.${index}`;
  if (!isObject(message)) return message;
  const { role, content, ...rest } = message;
  const filled = Object.keys(rest).find((name) => !isNothing(rest[name]));
  if (filled !== undefined) {
    const known = EMPTY_PARTS.includes(filled) ? "not done" : "not known";
    throw invalid(`${at}.${filled}`, `is ${known} here; leave it out`);
  }
  if (role === "tool" || role === "function") throw invalid(`${at}.role`, `"${role}" is not done here`);
  return { role: role === "developer" ? "system" : role, content: textOf(content, `${at}.content`) };
}

/** Parts of text as one text. */
function textOf(content: unknown, at: string): unknown {
  if (isNothing(content)) return "";
  if (!Array.isArray(content)) return content;
  return content
    .map((part: unknown, index) => {
      if (isObject(part) && part.type === "text" && typeof part.text === "string") return part.text;
      const type = isObject(part) && typeof part.type === "string" ? part.type.slice(0, 40) : "this";
      throw invalid(`${at}.${index}`, `"${type}" is not done here; only parts of type "text" are`);
    })
    .join("\n");
}
