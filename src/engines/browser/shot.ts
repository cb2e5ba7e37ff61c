/** Opens one page in its own context and draws it. */
import type { Browser, BrowserContext, HTTPRequest, Page } from "puppeteer-core";
import { CapabilityError } from "../../errors.js";
import { isUrl } from "../../lib/http/url.js";
import type { EgressProxy } from "../../upstream/outbound/egress-proxy.js";

export interface ShotRequest {
  url: string;
  width: number;
  height: number;
  deviceScaleFactor: number;
  fullPage: boolean;
  format: "png" | "jpeg" | "webp";
  /** From 1 to 100, for JPEG and WebP. */
  quality?: number | undefined;
  waitUntil: "load" | "domcontentloaded" | "networkidle0" | "networkidle2";
  /** Time for the page to reach that state; then it is drawn as it is. */
  timeoutMs: number;
  /** Added to the browser's own name. */
  userAgent: string;
}

export interface Shot {
  bytes: Uint8Array;
  renderMs: number;
}

/** Bounds memory, which is four bytes a pixel, several times. */
export const MAX_PIXELS = 40_000_000;
/** The largest side of a WebP, one less than the size at which Chromium repeats the picture. */
export const MAX_SIDE = 16_383;

/**
 * Isolation is the proxy's task; this saves resources: service workers would outlive the page within the context, and
 * windows cost memory.
 */
const NO_WORKERS_NO_WINDOWS = `
  Object.defineProperty(globalThis, "open", { value: () => null });
  if (globalThis.ServiceWorkerContainer)
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("Not allowed", "SecurityError"));
`;

/** A context that shares nothing with others and whose only connection is the proxy. */
export const openContext = (browser: Browser, proxy: EgressProxy): Promise<BrowserContext> =>
  browser.createBrowserContext({
    proxyServer: proxy.url,
    // Without this, Chromium sends loopback and link-local addresses past a proxy.
    proxyBypassList: ["<-loopback>"],
    downloadBehavior: { policy: "deny" },
  });

/** Rejects with URL_NOT_ALLOWED, UPSTREAM_ERROR or UPSTREAM_TIMEOUT without a page to draw. */
export async function takeShot(context: BrowserContext, proxy: EgressProxy, request: ShotRequest): Promise<Shot> {
  const page = await openPage(context, request);
  const startedAt = performance.now();
  const crash = new Promise<never>((_, reject) => {
    page.once("error", () => reject(tooLarge()));
  });
  crash.catch(ignore);
  return Promise.race([draw(page, proxy, request, startedAt), crash]);
}

/** Memory is the usual reason why a page's process ends, and the page can cause that. */
const tooLarge = () =>
  new CapabilityError("UPSTREAM_ERROR", "url: the page took more memory than a page may have, and was ended");

async function draw(page: Page, proxy: EgressProxy, request: ShotRequest, startedAt: number): Promise<Shot> {
  await visit(page, proxy, request);
  const { format, quality, fullPage } = request;
  const bytes = await page.screenshot({
    type: format,
    ...(format === "png" || quality === undefined ? {} : { quality }),
    ...(fullPage ? { clip: await wholePage(page, request), captureBeyondViewport: true } : {}),
  });
  return { bytes, renderMs: Math.round(performance.now() - startedAt) };
}

async function openPage(context: BrowserContext, request: ShotRequest): Promise<Page> {
  const page = await context.newPage();
  context.on("targetcreated", (target) => {
    if (target.type() === "page" && target !== page.target()) target.page().then((popup) => popup?.close(), ignore);
  });
  page.on("dialog", (dialog) => dialog.dismiss().catch(ignore));
  const { width, height, deviceScaleFactor } = request;
  const agent = (await context.browser().userAgent()).replace("Headless", "");
  await Promise.all([
    page.setBypassServiceWorker(true),
    page.evaluateOnNewDocument(NO_WORKERS_NO_WINDOWS),
    page.setViewport({ width, height, deviceScaleFactor }),
    page.setUserAgent({ userAgent: `${agent} ${request.userAgent}` }),
  ]);
  return page;
}

async function visit(page: Page, proxy: EgressProxy, { url, waitUntil, timeoutMs }: ShotRequest): Promise<void> {
  const main = page.mainFrame();
  const isMain = (request: HTTPRequest) => request.isNavigationRequest() && request.frame() === main;
  let heading = url;
  let answered = false;
  let arrived = false;
  page.on("request", (request) => {
    if (isMain(request)) heading = request.url();
  });
  page.on("response", (response) => {
    answered ||= isMain(response.request());
  });
  page.on("framenavigated", (frame) => {
    arrived ||= frame === main && frame.url().startsWith("https:");
  });
  try {
    await page.goto(url, { waitUntil, timeout: timeoutMs });
  } catch (error) {
    const timedOut = error instanceof Error && error.name === "TimeoutError";
    if (timedOut && !answered)
      throw new CapabilityError("UPSTREAM_TIMEOUT", `url: did not answer within ${timeoutMs} ms`);
    if (!timedOut && !arrived) throw refusalOf(heading, proxy) ?? notLoaded(error);
    // Otherwise the page was slow, or redirected itself: it is drawn as it is.
  }
  if (page.url().startsWith("chrome-error:")) throw notLoaded();
}

function refusalOf(url: string, proxy: EgressProxy): CapabilityError | undefined {
  return isUrl(url) ? proxy.refusalOf(new URL(url).hostname) : undefined;
}

const notLoaded = (cause?: unknown) => new CapabilityError("UPSTREAM_ERROR", "url: could not be loaded", { cause });

/** As wide as the viewport, and as tall as the page or the limit. */
async function wholePage(page: Page, { width, height, deviceScaleFactor }: ShotRequest) {
  const session = await page.createCDPSession();
  const { cssContentSize } = await session.send("Page.getLayoutMetrics");
  const scale = deviceScaleFactor;
  const tallest = Math.floor(Math.min(MAX_SIDE / scale, MAX_PIXELS / (width * scale ** 2)));
  return { x: 0, y: 0, width, height: Math.min(Math.max(height, Math.ceil(cssContentSize.height)), tallest) };
}

const ignore = () => {};
