/** What a reader of the command line sees of a stream: text as it comes, the cost at the end, and a quiet end of a pipe. */
import { EventEmitter } from "node:events";
import { afterEach, expect, it, vi } from "vitest";
import { aiChat } from "../../src/capabilities/ai/index.js";
import { run } from "../../src/cli/commands/call.js";
import { createTerminal } from "../../src/cli/terminal.js";

const chunk = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const META = {
  meta: { endpoint: "ai.chat", caller: "paid", costUsd: "0.004", requestId: "1" },
  headers: {},
};

/** A service whose answer goes on for as long as it is read. */
function service(words: string[], endless = false) {
  const state = { sent: 0, left: false };
  const encoder = new TextEncoder();
  const events = words.map((word) => `data: ${JSON.stringify(chunk(word))}\n\n`);
  const end = ["data: [DONE]\n\n", `event: meta\ndata: ${JSON.stringify(META)}\n\n`];
  vi.stubGlobal("fetch", async () => {
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await new Promise((resolve) => setImmediate(resolve));
          const text = endless ? events[state.sent % events.length] : [...events, ...end][state.sent];
          state.sent++;
          if (text === undefined) controller.close();
          else controller.enqueue(encoder.encode(text));
        },
        cancel() {
          state.left = true;
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  return state;
}

function pipe(closesAfter = Number.POSITIVE_INFINITY) {
  const written: string[] = [];
  const notes: string[] = [];
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: false,
    columns: 80,
    hasColors: () => false,
    write(text: string) {
      written.push(text);
      if (written.length === closesAfter) stdout.emit("error", Object.assign(new Error("write"), { code: "EPIPE" }));
      return true;
    },
  });
  const terminal = createTerminal({ stdout, stderr: { write: (text: string) => notes.push(text) } } as never);
  return { terminal, written, notes };
}

const call = ({ terminal }: ReturnType<typeof pipe>, options: object = {}) =>
  run({
    terminal,
    words: ["ai.chat"],
    options: { url: "http://shop.test", input: JSON.stringify(aiChat.example), ...options },
    env: {},
  } as never);

afterEach(() => vi.unstubAllGlobals());

it("STR-16 the text of a stream is written as it comes, and its cost after it", async () => {
  service(["Four", ", of", " course."]);
  const out = pipe();
  expect(await call(out)).toBe(0);
  expect(out.written).toEqual(["Four", ", of", " course.", "\n"]);
  expect(out.notes.join("")).toContain("Paid 0.004 USD");
});

it("STR-16 control characters of a model reach no terminal", async () => {
  service(["a\u001b[2Jb\nc"]);
  const out = pipe();
  await call(out);
  expect(out.written.join("")).toBe("a[2Jb\nc\n");
});

it("STR-16 a reader such as head ends the stream quietly, and the most is told that it may cost", async () => {
  const state = service(["word "], true);
  const out = pipe(3);
  expect(await call(out)).toBe(0);
  expect(out.written.length).toBeLessThan(6);
  await vi.waitFor(() => expect(state.left).toBe(true));
  expect(out.notes.join("")).toMatch(/Left early: what arrived is charged, at most 0 USD/);
});
