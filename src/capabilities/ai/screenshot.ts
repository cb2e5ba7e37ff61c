import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { clamped, uri } from "../../capability/fields.js";
import { binary } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import type { BrowserSettings } from "../../engines/browser/chromium.js";
import { MAX_PIXELS, MAX_SIDE } from "../../engines/browser/shot.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { chromium } from "../../providers/chromium/provider.js";
import { assertAllowedUrl, resolveAllowed } from "../../upstream/outbound/allowed-url.js";

export const aiScreenshot = /* @__PURE__ */ defineCapability({
  id: "ai.screenshot",
  method: "POST",
  summary: "A picture of a web page as a browser shows it: PNG, JPEG or WebP, of any viewport or the whole page.",
  keywords: [
    "capture",
    "webpage image",
    "render",
    "thumbnail",
    "headless browser",
    "puppeteer",
    "site preview",
    "snap",
  ],
  price: "0.0075",
  origins: [chromium],
  source: {
    provider: "the page itself, drawn by Chromium",
    url: chromium.url,
    license: "the page's own; Chromium is BSD-3-Clause",
  },
  // A page may take 15 s, and wait for others before it.
  packages: ["puppeteer-core"],
  timeoutMs: 60_000,
  input: () =>
    z.strictObject({
      url: uri(2048).describe(
        "Address of the page (HTTPS); one that takes more than 1 GB of memory, or sends more than 4 MB out, is not drawn",
      ),
      width: clamped(320, 3840).default(1280).describe("Of the viewport, in CSS pixels; clamped to 320-3840"),
      height: clamped(320, 2160).default(720).describe("Of the viewport, in CSS pixels; clamped to 320-2160"),
      fullPage: z
        .boolean()
        .default(false)
        .describe("Whether to draw the page in its whole height, up to 16,383 pixels"),
      format: z.enum(["png", "jpeg", "webp"]).default("png").describe("Of the picture"),
      quality: z.int().min(1).max(100).optional().describe("Of JPEG and WebP; ignored for PNG"),
      waitUntil: z
        .enum(["load", "domcontentloaded", "networkidle0", "networkidle2"])
        .default("networkidle2")
        .describe("What the page must have reached; networkidle: at most 0 or 2 connections for half a second"),
      timeoutMs: clamped(1000, 15_000)
        .default(8000)
        .describe("How long to wait for that before the page is drawn as it is; clamped to 1000-15000"),
      deviceScaleFactor: z.int().min(1).max(3).default(1).describe("Pixels of the picture per CSS pixel"),
      blockAds: z.boolean().default(true).describe("Whether to leave hosts of advertisements and trackers unasked"),
    }),
  output: binary("image/png", "image/jpeg", "image/webp"),
  example: { url: "https://example.com", width: 1280, height: 720, format: "webp" },
  live: false,
  check({ url, width, height, deviceScaleFactor }, ctx) {
    assertAllowedUrl(ctx, url, { httpsOnly: true });
    const pixels = width * height * deviceScaleFactor ** 2;
    if (pixels > MAX_PIXELS)
      throw invalid("deviceScaleFactor", `makes ${pixels} pixels of this viewport; at most ${MAX_PIXELS} are drawn`);
  },
  pixels: ({ width, height, deviceScaleFactor, fullPage }) =>
    Math.min(MAX_PIXELS, width * (fullPage ? MAX_SIDE : height) * deviceScaleFactor ** 2),
  async run({ url, blockAds, ...rest }, ctx) {
    const address = assertAllowedUrl(ctx, url, { httpsOnly: true });
    // The proxy checks every connection again; this check tells the caller before a browser starts.
    await resolveAllowed(ctx, address, { httpsOnly: true });
    const { adHosts, openBrowser, openScreens } = await browser();
    const settings = browserSettings(ctx);
    const screens = await ctx.resources.use(
      "browser",
      () => openScreens({ open: () => openBrowser(settings) }),
      (opened) => opened.close(),
    );
    const isUnwanted = blockAds ? await adHosts(address.href) : undefined;
    const { bytes, renderMs } = await screens.draw(
      { ...rest, url: address.href, userAgent: ctx.userAgent },
      { outbound: ctx.outbound, ...(isUnwanted && { isUnwanted }) },
      ctx.signal,
    );
    return {
      contentType: `image/${rest.format}`,
      body: bytes,
      headers: { "Render-Ms": String(renderMs), "Image-Bytes": String(bytes.byteLength) },
    };
  },
});

const browser = /* @__PURE__ */ lazy(async () => ({
  ...(await import("../../engines/browser/ads.js")),
  ...(await import("../../engines/browser/chromium.js")),
  ...(await import("../../engines/browser/screens.js")),
}));

const browserSettings = (ctx: Context): BrowserSettings => ({
  endpoint: ctx.setting("BROWSER_WS_ENDPOINT"),
  path: ctx.setting("CHROMIUM_PATH") ?? ctx.setting("PUPPETEER_EXECUTABLE_PATH"),
  args: ctx.setting("CHROMIUM_ARGS"),
  dataDir: ctx.dataDir,
});
