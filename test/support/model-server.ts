/** A model gateway on a real socket: OpenAI-compatible, answering from a script, with the troubles that gateways have. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What one request for a completion is answered with. */
export type Reply =
  | string
  | {
      content?: string | null;
      finish_reason?: string;
      refusal?: string;
      tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
      model?: string;
      /** Undefined: the default; null: the answer has none. */
      usage?: object | null;
    }
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** Nothing is ever answered. */
  | { hang: true }
  /** The connection breaks in the middle of the answer. */
  | { cut: true }
  /** A stream, with the shapes of real gateways; it ends, breaks off, stalls or says that it failed. */
  | {
      /** Texts, or deltas as a gateway sends them. */
      words: (string | object)[];
      ending?: "cut" | "stall" | "error";
      usage?: object | null;
      before?: (word: number) => Promise<void>;
    };

export interface Asked {
  path: string;
  authorization: string | undefined;
  body: {
    model: string;
    messages: { role: string; content: string | { type: string; text?: string; image_url?: { url: string } }[] }[];
    [field: string]: unknown;
  };
}

type Script = (asked: Asked, count: number) => Reply | undefined | Promise<Reply | undefined>;

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, cost: 0.01 };

/** Two prices that are easy to reckon with: a dollar a million tokens in, five out. */
export const MODEL_LIST = [
  modelRow("test/fast", { input: "0.000001", output: "0.000005" }),
  modelRow("test/strong", { input: "0.000001", output: "0.000005" }),
  modelRow("test/dear", { input: "0.00001", output: "0.00005" }),
  modelRow("test/unpriced", {}),
  { ...modelRow("test/painter", { image: "0.04" }), type: "image" },
  {
    ...modelRow("test/tiered", {
      input: "0.000001",
      output: "0.000005",
      input_tiers: [
        { cost: "0.000001", min: 0 },
        { cost: "0.000002", min: 1000 },
      ],
    }),
    max_tokens: 2000,
  },
];

export function modelRow(id: string, pricing: object) {
  return {
    id,
    name: id,
    type: "language",
    context_window: 50_000,
    max_tokens: 8192,
    tags: ["vision"],
    temperature: true,
    pricing,
  };
}

/** `script` gets each request with its number, from 0; what it leaves undefined is answered `{}`. */
export async function modelServer(script: Script | Reply = "{}", { models = MODEL_LIST as unknown[] } = {}) {
  const asked: Asked[] = [];
  let lists = 0;
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      lists++;
      send(response, 200, { object: "list", data: models });
      return;
    }
    const entry = {
      path: request.url ?? "",
      authorization: request.headers.authorization,
      body: await readJson(request),
    } as Asked;
    asked.push(entry);
    const reply = typeof script === "function" ? await script(entry, asked.length - 1) : script;
    answer(response, entry, reply ?? "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    url,
    asked,
    lists: () => lists,
    /** What a host sets to use it. */
    secrets: {
      AI_GATEWAY_API_KEY: "test-key",
      AI_GATEWAY_BASE_URL: url,
      AI_MODEL_FAST: "test/fast",
      AI_MODEL_STRONG: "test/strong",
      AI_MODEL_VISION: "test/fast",
    } as Record<string, string>,
  };
}

function answer(response: ServerResponse, { body }: Asked, reply: Reply): void {
  if (typeof reply === "object" && "hang" in reply) return;
  if (typeof reply === "object" && "cut" in reply) {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"id":"gen-1","choices":[{"mess');
    setImmediate(() => response.destroy());
    return;
  }
  if (typeof reply === "object" && "words" in reply) {
    void stream(response, body.model, reply);
    return;
  }
  if (typeof reply === "object" && "status" in reply) {
    send(response, reply.status, reply.body ?? {}, reply.headers);
    return;
  }
  const {
    content,
    finish_reason = "stop",
    refusal = null,
    usage = USAGE,
    model = `${body.model}-20260101`,
    tool_calls,
  } = typeof reply === "string" ? { content: reply } : reply;
  send(response, 200, {
    id: "gen-1",
    object: "chat.completion",
    created: 1_790_000_000,
    model,
    provider: "A vendor that is nobody's business",
    choices: [
      {
        index: 0,
        finish_reason,
        native_finish_reason: "end",
        message: { role: "assistant", content, refusal, tool_calls },
      },
    ],
    ...(usage === null ? {} : { usage }),
  });
}

/** Chunks as recorded from gateways: the role first, comments between, the usage in a chunk without choices. */
async function stream(
  response: ServerResponse,
  model: string,
  { words, ending, usage = USAGE, before = async () => {} }: Extract<Reply, { words: unknown[] }>,
): Promise<void> {
  const facts = { id: "gen-1", object: "chat.completion.chunk", created: 1_790_000_000, model: `${model}-20260101` };
  const say = (value: object) =>
    response.write(`data: ${JSON.stringify({ ...facts, provider: "Nobody's business", ...value })}\n\n`);
  const choice = (delta: object, reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason: reason, native_finish_reason: reason, logprobs: null }],
  });
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(": OPENROUTER PROCESSING\n\n");
  say(choice({ role: "assistant", content: "" }));
  for (const [index, content] of words.entries()) {
    await before(index);
    say(choice(typeof content === "string" ? { content } : content));
  }
  if (ending === "stall") return;
  if (ending === "cut") {
    setImmediate(() => response.destroy());
    return;
  }
  if (ending === "error") {
    response.end(
      `data: ${JSON.stringify({ ...facts, error: { code: 502, message: "sk-key is broken" }, ...choice({}, "error") })}\n\n`,
    );
    return;
  }
  say(choice({}, "stop"));
  if (usage !== null) say({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}");
}

/** The system prompt and what stands between the tags of a structured question. */
export function promptOf({ body }: Asked): { system: string; user: string } {
  const text = (content: Asked["body"]["messages"][number]["content"] = "") =>
    typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
  return { system: text(body.messages[0]?.content), user: text(body.messages[1]?.content) };
}
