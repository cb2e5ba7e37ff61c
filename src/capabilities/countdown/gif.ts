import { defineCapability } from "../../capability/define.js";
import { binary } from "../../capability/output.js";
import { countdownInput } from "../../engines/countdown/input.js";
import { lazy } from "../../lib/lazy.js";

export const countdownGif = /* @__PURE__ */ defineCapability({
  id: "countdown.gif",
  summary: "An animated GIF that counts down to a date from the moment it is opened, for e-mails and web pages.",
  keywords: ["timer", "clock", "newsletter", "email", "deadline", "launch", "sale ends", "animation", "days left"],
  price: "0.006",
  source: {
    provider: "built-in (gifenc, @napi-rs/canvas)",
    url: "https://fontsource.org",
    license: "MIT; fonts OFL-1.1 and Bitstream Vera",
  },
  input: countdownInput,
  output: binary("image/gif"),
  example: { endDate: "2030-01-01T00:00:00Z", template: "neon" },
  // The largest picture takes a second or two; a full queue of them takes most of this.
  packages: ["@napi-rs/canvas"],
  timeoutMs: 60_000,
  read: async (input) => ({ input, type: (await planning()).chooseFonts(input) }),
  pixels: ({ input: { width, height, seconds, fps } }) => width * height * seconds * fps,
  async run({ input, type }, ctx) {
    const [{ openCountdownDrawing }, { planCountdown }] = await Promise.all([drawing(), planning()]);
    const pool = await ctx.resources.use("countdown.gif", openCountdownDrawing, (opened) => opened.close());
    return {
      contentType: "image/gif",
      body: await pool.run(planCountdown(input, type, ctx.clock()), ctx),
      // Mail clients' image proxies cache pictures, and an old countdown is wrong.
      headers: { "cache-control": "no-store, no-cache, must-revalidate, max-age=0" },
    };
  },
});

const planning = /* @__PURE__ */ lazy(() => import("../../engines/countdown/plan.js"));
const drawing = /* @__PURE__ */ lazy(() => import("../../engines/countdown/drawing.js"));
