/** A warm browser that renders pages: a few at once, a few more waiting, and a new browser if it hangs or dies. */
import { availableParallelism, totalmem } from "node:os";
import type { Browser, BrowserContext } from "puppeteer-core";
import { CapabilityError } from "../../errors.js";
import { abortError, beforeAbort, deadline, within } from "../../lib/abort.js";
import { lazy } from "../../lib/lazy.js";
import type { OutboundRules } from "../../upstream/outbound/allowed-url.js";
import { type EgressProxy, openEgressProxy } from "../../upstream/outbound/egress-proxy.js";
import { usualMemory, watchMemory } from "./memory.js";
import { openContext, type Shot, type ShotRequest, takeShot } from "./shot.js";

export interface Screens {
  /**
   * Renders a page within `timeoutMs` and a little more, counted from its turn. Rejects with OVERLOADED if too many
   * wait.
   */
  draw(request: ShotRequest, rules: PageRules, signal: AbortSignal): Promise<Shot>;
  /** Ends the browser, and refuses waiting requests. */
  close(): Promise<void>;
}

export interface PageRules extends OutboundRules {
  isUnwanted?: (host: string) => boolean;
}

export interface ScreensOptions {
  open: () => Promise<Browser>;
  /** Concurrent pages. */
  size?: number;
  maxQueued?: number;
  /** Memory of all processes of the browser; above it the largest process is ended. */
  maxMemory?: number;
}

/** Time for drawing after a page used its full time. */
const DRAWING_MS = 1_500;
/** Time for a context to end before its browser is ended. */
const ENDING_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;
const LIMITS = { maxBytes: 64 * 1024 * 1024, maxTunnels: 500 };
/** Then the browser is replaced, with everything it accumulated. */
const PAGES_PER_BROWSER = 500;

const queues = lazy(() => import("p-queue"));

/** Two pages per gigabyte, and two per processor. */
export const usualSize = (): number =>
  Math.max(1, Math.min(2 * Math.floor(totalmem() / 1024 ** 3), 2 * availableParallelism()));

export async function openScreens({
  open,
  size = usualSize(),
  maxQueued = 4 * size,
  maxMemory = usualMemory(size),
}: ScreensOptions): Promise<Screens> {
  const { default: PQueue } = await queues();
  const queue = new PQueue({ concurrency: size });
  const warm = warmBrowser(open, maxMemory);
  const closing = new AbortController();

  async function drawNow(
    request: ShotRequest,
    rules: PageRules,
    signal: AbortSignal,
    done: (shot: Promise<Shot>) => void,
  ) {
    const lease = await warm.lease();
    const proxy = await openEgressProxy(rules, {
      ...LIMITS,
      ...(rules.isUnwanted && { isUnwanted: rules.isUnwanted }),
    });
    const { signal: late, clear } = deadline(request.timeoutMs + DRAWING_MS, signal);
    const ending = AbortSignal.any([late, proxy.broken]);
    const context = openContext(lease.browser, proxy);
    const shot = context.then((opened) => takeShot(opened, proxy, request));
    const inTime = beforeAbort(shot, ending)
      .catch((error: unknown) => {
        throw toCallerError(error, ending);
      })
      .finally(clear);
    done(inTime);
    await inTime.catch(() => {});
    await end(lease, proxy, context);
  }

  /** The caller has its answer, so closing delays only the next in the queue. */
  async function end(lease: Lease, proxy: EgressProxy, context: Promise<BrowserContext>): Promise<void> {
    try {
      await within(ENDING_MS, async () => (await context).close());
      lease.end();
    } catch {
      lease.giveUp();
    } finally {
      proxy.close();
    }
  }

  return {
    draw(request, rules, signal) {
      if (closing.signal.aborted) return Promise.reject(shuttingDown());
      if (queue.size >= maxQueued) return Promise.reject(overloaded());
      const leaving = AbortSignal.any([signal, closing.signal]);
      return new Promise<Shot>((resolve, reject) => {
        const run = () => drawNow(request, rules, leaving, resolve);
        queue.add(run, { signal: leaving }).catch((error: unknown) => reject(toCallerError(error, leaving)));
      });
    },
    async close() {
      closing.abort(shuttingDown());
      await warm.close();
    },
  };
}

interface Lease {
  browser: Browser;
  end(): void;
  /** For a browser that does not answer: it is ended at once, and the next lease starts another. */
  giveUp(): void;
}

interface Running {
  browser: Browser;
  leases: number;
  served: number;
  /** Set while pages are rendered. */
  watch?: { stop(): void } | undefined;
}

function warmBrowser(open: () => Promise<Browser>, maxMemory: number) {
  let current: Promise<Running> | undefined;

  function start(): Promise<Running> {
    const starting = open().then((browser) => ({ browser, leases: 0, served: 0 }));
    const forget = () => {
      if (current === starting) current = undefined;
    };
    starting.then(({ browser }) => browser.once("disconnected", forget), forget);
    return starting;
  }

  return {
    async lease(): Promise<Lease> {
      current ??= start();
      const mine = current;
      const running = await mine;
      running.leases++;
      running.served++;
      const pid = running.browser.process()?.pid;
      if (pid !== undefined) running.watch ??= watchMemory(pid, maxMemory);
      const left = () => {
        if (--running.leases > 0) return false;
        running.watch?.stop();
        running.watch = undefined;
        return true;
      };
      if (running.served >= PAGES_PER_BROWSER && current === mine) current = undefined;
      const retire = () => {
        if (left() && current !== mine) void running.browser.close().catch(() => {});
      };
      return {
        browser: running.browser,
        end: retire,
        giveUp() {
          if (current === mine) current = undefined;
          left();
          kill(running.browser);
        },
      };
    },
    async close(): Promise<void> {
      const last = current;
      current = undefined;
      const running = await last?.catch(() => undefined);
      if (running) await endBrowser(running.browser);
    },
  };
}

/** Only the connection to a browser that runs elsewhere is ours to close. */
async function endBrowser(browser: Browser): Promise<void> {
  if (!browser.process()) return browser.disconnect();
  const closing = browser.close().catch(() => {});
  await within(ENDING_MS, () => closing).catch(() => kill(browser));
}

function kill(browser: Browser): void {
  const pid = browser.process()?.pid;
  if (pid === undefined) return void browser.disconnect();
  try {
    // The whole group, whose leader is the browser.
    process.kill(-pid, "SIGKILL");
  } catch {
    browser.process()?.kill("SIGKILL");
  }
}

function toCallerError(error: unknown, signal: AbortSignal): unknown {
  if (CapabilityError.is(error)) return error;
  if (CapabilityError.is(signal.reason)) return signal.reason;
  if (signal.aborted) return abortError(signal, "The page");
  return new CapabilityError("UPSTREAM_ERROR", "url: the page could not be drawn", { cause: error });
}

const shuttingDown = () => new CapabilityError("OVERLOADED", "The browser is being shut down.");

const overloaded = () =>
  new CapabilityError(
    "OVERLOADED",
    `Too many pages wait for the browser: try again in ${RETRY_AFTER_SECONDS} seconds.`,
    {
      retryAfter: RETRY_AFTER_SECONDS,
    },
  );
