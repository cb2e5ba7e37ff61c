/** Bodies arrive before anybody pays: uploads that never end hold little, and nobody else's place. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createRoom } from "../../src/lib/room.js";
import { createUploads } from "../../src/request/http/upload.js";
import { bodyOf } from "../support/body.js";
import { openShop } from "../support/shop.js";

afterEach(() => vi.useRealTimers());

const reading = defineCapability({
  id: "test.read",
  summary: "Reads a text.",
  price: "0.001",
  method: "POST",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ text: z.string().max(2_000_000).describe("Any text") }),
  output: one(z.object({ length: z.number() })),
  example: { text: "a" },
  run: async ({ text }) => ({ item: { length: text.length } }),
});

/** A body that gives these chunks and does not end. */
function endless(chunks: readonly Uint8Array[], onCancel = () => {}) {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[at++];
        if (chunk) controller.enqueue(chunk);
        else return new Promise(() => {});
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
}

function openReader() {
  const { handle } = openShop({ capabilities: [reading] });
  const send = (body: ReadableStream<Uint8Array> | string, clientAddress: string) =>
    handle(
      new Request("http://shop.test/api/test/read", {
        ...{ method: "POST", body, headers: { "content-type": "application/json" } },
        ...({ duplex: "half" } as object),
      }),
      { clientAddress },
    );
  return { send };
}

const BODY = JSON.stringify({ text: "a".repeat(500_000) });

describe("ATK-16 uploads that nobody has paid for", () => {
  it("and that never end hold a few megabytes for each network, whatever addresses of it they come from", async () => {
    const { send } = openReader();
    const half = [new Uint8Array(1_000_000).fill(32)];
    const answers: Response[] = [];
    let cancelled = 0;
    for (let i = 0; i < 600; i++) {
      const body = endless(half, () => cancelled++);
      void send(body, `2001:db8:1:2::${i.toString(16)}`).then((answer) => answers.push(answer));
    }
    await vi.waitUntil(() => answers.length >= 560, { timeout: 20_000 });
    expect(answers.length).toBeLessThan(600);
    expect(cancelled).toBe(answers.length);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
    expect((await bodyOf(answers[0] as Response)).code).toBe("OVERLOADED");
    expect(answers[0]?.headers.get("retry-after")).toBe("5");
    // Neighbours, and another machine in the same network, are read at once.
    for (const address of ["203.0.113.7", "2001:db8:1:3::1", "2001:db8:1:2::ffff:1"])
      expect((await send(BODY, address)).status).toBe(402);
  }, 60_000);

  it("end when they are silent, with 408", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { send } = openReader();
    const answer = send(endless([Buffer.from('{"text":')]), "198.51.100.1");
    await vi.advanceTimersByTimeAsync(9_000);
    await vi.advanceTimersByTimeAsync(2_000);
    const { status } = await answer;
    const problem = await bodyOf(await answer);
    expect([status, problem.status, problem.code]).toEqual([408, 408, "INVALID_INPUT"]);
  });
});

const MIB = 2 ** 20;
const chunkOf = (bytes: number) => new Uint8Array(bytes);

describe("an upload", () => {
  it("that sends a byte now and then ends as well", async () => {
    const uploads = createUploads({ silenceMs: 1000, startMs: 300 });
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await sleep(20);
        if (!cancelled) controller.enqueue(chunkOf(1));
      },
      cancel() {
        cancelled = true;
      },
    });
    const error = await uploads.read(body, { maxBytes: MIB, network: "a" }).catch((reason) => reason);
    expect([error.code, error.status]).toEqual(["INVALID_INPUT", 408]);
    expect(cancelled).toBe(true);
  });

  it("of many small chunks arrives as it was sent, in one buffer", async () => {
    const room = createRoom({ most: MIB, mostOfOne: MIB });
    const uploads = createUploads({ room });
    const text = "0123456789".repeat(500);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const character of text) controller.enqueue(Buffer.from(character));
        controller.close();
      },
    });
    const bytes = await uploads.read(body, { maxBytes: 5000, network: "a" });
    expect(Buffer.from(bytes).toString()).toBe(text);
    expect(await uploads.read(null, { maxBytes: 1, network: "a" })).toHaveLength(0);
  });

  it("larger than its limit is refused as soon as it is", async () => {
    const read = createUploads().read(endless([chunkOf(10), chunkOf(10)]), { maxBytes: 15, network: "a" });
    await expect(read).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });
});

describe("a room", () => {
  function open() {
    const room = createRoom({ most: 100, mostOfOne: 40 });
    const out: string[] = [];
    const enter = (caller: string | undefined, name: string) => room.enter(caller, () => out.push(name));
    return { out, enter };
  }

  it("puts out whichever of a caller's shares was silent for the longest time", () => {
    const { out, enter } = open();
    const [first, second, third] = [enter("a", "first"), enter("a", "second"), enter("a", "third")];
    first.grow(15);
    second.grow(15);
    first.grow(5);
    third.grow(10);
    expect(out).toEqual(["second"]);
    second.grow(50);
    expect(out).toEqual(["second"]);
  });

  it("lets a caller have one share beyond its bound, and anybody alone one beyond all", () => {
    const { out, enter } = open();
    const [large, other] = [enter("a", "large"), enter("b", "other")];
    large.grow(60);
    large.grow(60);
    expect(out).toEqual([]);
    other.grow(1);
    expect(out).toEqual(["large"]);
  });

  it("has room for others when shares leave, and takes it from those who have most", () => {
    const { out, enter } = open();
    for (let i = 0; i < 10; i++) enter(i < 6 ? undefined : `b${i}`, `share ${i}`).grow(10);
    enter("c", "newcomer").grow(10);
    expect(out).toEqual(["share 0"]);
    const left = enter("d", "left");
    left.leave();
    left.grow(1000);
    expect(out).toEqual(["share 0"]);
  });
});

it("ATK-16 an upload that its sender breaks off is no failure of the service", async () => {
  const { send } = openReader();
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at++ === 0) controller.enqueue(Buffer.from("{"));
      else controller.error(new Error("gone"));
    },
  });
  const answer = await send(body, "198.51.100.2");
  expect([answer.status, (await bodyOf(answer)).code]).toEqual([400, "INVALID_INPUT"]);
});
