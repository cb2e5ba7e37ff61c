import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { deadline } from "../../src/lib/abort.js";

describe("a deadline", () => {
  it("aborts with a TimeoutError when the time is up", async () => {
    const { signal } = deadline(5);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    expect(signal.reason).toMatchObject({ name: "TimeoutError" });
  });

  it("aborts with the outer signal's reason, also when that aborted before", () => {
    const outer = new AbortController();
    const during = deadline(60_000, outer.signal);
    outer.abort(new Error("left"));
    expect(during.signal.reason).toMatchObject({ message: "left" });
    expect(deadline(60_000, outer.signal).signal.aborted).toBe(true);
  });

  it("never aborts once it is cleared", async () => {
    const outer = new AbortController();
    const { signal, clear } = deadline(5, outer.signal);
    clear();
    outer.abort();
    await sleep(20);
    expect(signal.aborted).toBe(false);
  });
});

describe("a deadline that is combined with another signal", () => {
  const collectGarbage = () => {
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
  };
  /** In a function of its own, so that nothing here refers to the deadline. */
  const late = () => {
    const { signal } = deadline(200, new AbortController().signal);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason.name)));
  };

  it("comes although nothing else refers to it", async () => {
    const fired = late();
    for (let i = 0; i < 5; i++) {
      collectGarbage();
      await sleep(5);
    }
    await expect(fired).resolves.toBe("TimeoutError");
  });
});
