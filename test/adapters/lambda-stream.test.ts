/** Lambda where AWS's runtime sends answers as they are made, and where it does not. */
import { PassThrough, type Writable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { lambda } from "../../src/adapters/lambda/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { readEvents } from "../support/events.js";
import { functionUrlEvent } from "../support/lambda-events.js";
import { talker } from "../support/part-buyer.js";

const context = { getRemainingTimeInMillis: () => 60_000 };

/** The runtime's global, as far as it is documented: the head is told before the first byte. */
function runtime() {
  const heads: object[] = [];
  vi.stubGlobal("awslambda", {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: {
      from(out: Writable, head: object) {
        heads.push(head);
        return out;
      },
    },
  });
  return heads;
}

function open(before?: (word: number) => Promise<void>) {
  const { capability, state } = talker(before);
  const handle = createHandler({ capabilities: [capability], payment: false });
  type Streaming = (event: unknown, out: Writable, context: object) => Promise<void>;
  return { state, handle, answer: lambda(handle, { stream: true }) as unknown as Streaming };
}

const asking = (words: number, accept = "text/event-stream") =>
  functionUrlEvent({ method: "GET", target: `/api/test/talk?words=${words}`, headers: { accept } });

afterEach(() => vi.unstubAllGlobals());

describe("STR-17 a Lambda function sends a stream as it is made", () => {
  it("chunk by chunk, with the head before the first", async () => {
    const heads = runtime();
    let goOn = () => {};
    const second = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { answer } = open(async (word) => {
      if (word === 2) await second;
    });
    const out = new PassThrough();
    const done = answer(asking(2), out, context);
    let text = "";
    for await (const chunk of out) {
      text += chunk;
      // The second word waits until the first has arrived.
      if (text.includes('{"word":1}')) goOn();
    }
    await done;
    expect(readEvents(text)).toMatchObject({ chunks: [{ word: 1 }, { word: 2 }], isWhole: true });
    expect(heads).toEqual([
      expect.objectContaining({
        statusCode: 200,
        headers: expect.objectContaining({ "content-type": "text/event-stream" }),
      }),
    ]);
  });

  it("and any other answer whole", async () => {
    const heads = runtime();
    const { answer } = open();
    const out = new PassThrough();
    const done = answer(asking(2, "application/json"), out, context);
    const parts: Buffer[] = [];
    for await (const part of out) parts.push(part as Buffer);
    await done;
    expect(JSON.parse(Buffer.concat(parts).toString())).toEqual({ words: 2 });
    expect(heads).toHaveLength(1);
  });

  it("ends the work when its reader leaves", async () => {
    runtime();
    const { answer, state } = open();
    const out = new PassThrough({ highWaterMark: 1 });
    const done = answer(asking(100), out, context);
    out.once("data", () => out.destroy());
    await expect(done).rejects.toThrow();
    expect(state.made).toBeLessThan(10);
  });

  it("is collected where the runtime offers no streams", async () => {
    const { capability } = talker();
    const handle = createHandler({ capabilities: [capability], payment: false });
    const result = await lambda(handle, { stream: true })(asking(2), context);
    expect(readEvents(result.body).chunks).toHaveLength(2);
  });
});
