/** Background work for wallets: sending callbacks with their signatures, and deleting expired data. */
import type { Callbacks, Host } from "../../host/host.js";
import { lazy } from "../../lib/lazy.js";
import { isInstalled } from "../../lib/packages/installed.js";
import { onLambda, onWorkers } from "../../lib/packages/platform.js";

/** Loaded by the first round, or by the first reader of the keys. */
const runners = lazy(() => import("./callback-runner.js"));

/** For the log. */
export const ROUND_FAILED = "callbacks: a round of schedules and deliveries failed; the next one does what is due";

const POLL_MS = 2000;
const CLEAN_MS = 60_000;
const CLEANING_MS = 5000;

/** Undefined if the host keeps no state for wallets. In a long-lived process the rounds start by themselves. */
export function createCallbacks(host: Host): Callbacks | undefined {
  const { wallets } = host.options;
  if (!wallets) return undefined;
  const callsBack = isInstalled("standardwebhooks") && host.capabilities.some(({ wallet }) => wallet?.callsBack);
  let timer: NodeJS.Timeout | undefined;
  let cleaner: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  let cleaning: Promise<unknown> = Promise.resolve();
  let isListening = false;
  let again = false;
  let closed = false;

  const logged = (work: Promise<unknown>) =>
    work.catch((error: unknown) => host.options.logger.error({ error }, ROUND_FAILED));
  const run = async (mayBegin: () => boolean): Promise<number> => {
    const { openRunner } = await runners();
    const [{ runRound }, runner] = await Promise.all([import("../../state/runner.js"), openRunner(host)]);
    return runRound(runner, () => !closed && mayBegin());
  };
  const round = () => {
    timer = undefined;
    again = false;
    // Jitter keeps instances that were started together from running their rounds at the same time.
    underWay = logged(listen().then(() => run(() => true))).finally(() =>
      sleep(again ? 0 : POLL_MS * (0.9 + 0.2 * Math.random())),
    );
  };
  const sleep = (ms: number) => {
    if (!closed) timer = setTimeout(round, ms).unref();
  };
  const listen = async () => {
    if (isListening) return;
    const { openRunner } = await runners();
    const [{ onDue }, { database }] = await Promise.all([
      import("../../state/webhooks/notify-due.js"),
      openRunner(host),
    ]);
    isListening = true;
    onDue(database, () => {
      again = true;
      if (!timer) return;
      clearTimeout(timer);
      sleep(0);
    });
  };
  const clean = () => {
    cleaning = logged(host.cleanUp(performance.now() + CLEANING_MS));
  };
  if (wallets.runner !== false && !onWorkers() && !onLambda()) {
    cleaner = setInterval(clean, CLEAN_MS).unref();
    if (callsBack) sleep(POLL_MS);
  }

  return {
    ...(callsBack ? { publicKeys: async () => (await runners()).publicKeysOf(host) } : {}),
    run: (endsAt) => (closed || !callsBack ? Promise.resolve(0) : run(() => performance.now() < endsAt)),
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(cleaner);
      await Promise.all([underWay, cleaning]);
    },
  };
}
