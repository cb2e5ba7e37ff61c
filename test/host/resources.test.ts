import { afterEach, expect, test } from "vitest";
import { countdownGif } from "../../src/capabilities/countdown/gif.js";
import { createHandler } from "../../src/handler/handler.js";
import { aliveThreads } from "../support/typescript-workers.js";

const COUNTDOWN = { endDate: "2030-01-01T00:00:00Z", seconds: 1, width: 200, height: 80 };

const host = () => createHandler({ capabilities: [countdownGif], payment: false });

afterEach(() => expect(aliveThreads()).toBe(0));

test("after close() no drawing thread lives", async () => {
  const handle = host();
  await handle.call("countdown.gif", COUNTDOWN);
  expect(aliveThreads()).toBe(1);
  await handle.close();
  await expect(handle.call("countdown.gif", COUNTDOWN)).rejects.toMatchObject({ code: "OVERLOADED" });
});

test("two handlers share no thread: closing one leaves the other's work alone", async () => {
  const [one, other] = [host(), host()];
  await one.call("countdown.gif", COUNTDOWN);
  const running = other.call("countdown.gif", { ...COUNTDOWN, seconds: 60, fps: 5 });
  await one.close();
  expect(aliveThreads()).toBe(1);
  await expect(running).resolves.toMatchObject({ contentType: "image/gif" });
  await other.close();
});

test("close() waits for an in-process call under way", async () => {
  const handle = host();
  const running = handle.call("countdown.gif", COUNTDOWN);
  await handle.close();
  await expect(running).resolves.toMatchObject({ contentType: "image/gif" });
});
