import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { defineCapability } from "../../capability/define.js";
import { binary } from "../../capability/output.js";
import type { CountdownTask } from "../../engines/countdown/design.js";
import { countdownInput } from "../../engines/countdown/input.js";
import { planCountdown } from "../../engines/countdown/plan.js";
import { createWorkerPool } from "../../lib/worker-pool.js";

export const countdownGif = /* @__PURE__ */ defineCapability({
  id: "countdown.gif",
  summary: "An animated GIF that counts down to a date from the moment it is opened, for e-mails and web pages.",
  keywords: ["timer", "clock", "newsletter", "email", "deadline", "launch", "sale ends", "animation", "days left"],
  price: "0.006",
  source: {
    provider: "built-in (gifenc, @napi-rs/canvas)",
    url: "https://dejavu-fonts.github.io",
    license: "MIT; fonts Bitstream Vera",
  },
  input: countdownInput,
  output: binary("image/gif"),
  example: { endDate: "2030-01-01T00:00:00Z", template: "neon" },
  // The largest picture takes a second or two; a full queue of them takes most of this.
  timeoutMs: 60_000,
  async run(input, ctx) {
    return {
      contentType: "image/gif",
      body: await pool.run(planCountdown(input, ctx.clock()), ctx.signal),
      // Mail clients' image proxies keep pictures, and an old countdown is a wrong one.
      headers: { "cache-control": "no-store, no-cache, must-revalidate, max-age=0" },
    };
  },
});

const pool = /* @__PURE__ */ createWorkerPool<CountdownTask, Uint8Array>({
  name: "countdown.gif",
  start: () => new Worker(new URL("../../engines/countdown/worker.js", import.meta.url)),
  // One core is left to the event loop.
  size: Math.min(4, Math.max(1, availableParallelism() - 1)),
  maxQueued: 32,
});
