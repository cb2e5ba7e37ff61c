/** A shop whose callers fetch their answers later. */
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { type SignOptions, toHeader } from "../support/wallets.js";

export const WORK = "/test/work?n=1";
export const ASYNC = { prefer: "respond-async" };

export type Job = Record<string, unknown> & { id: string; state: string };
export const isOpen = ({ state }: Job) => state === "queued" || state === "running";
export const rested = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function open(options: ShopOptions = {}) {
  const shop = openShop({ store: createMemoryStore(), trial: false, ...options });
  const paid = async (path = WORK, signing: Partial<SignOptions> = {}) => ({
    "payment-signature": toHeader(await shop.payFor(path, signing)),
  });
  const fetchJob = async (id: string) => (await (await shop.get(`/jobs/get?id=${id}`)).json()) as Job;
  const take = async (headers: Record<string, string>, path = WORK) =>
    (await (await shop.get(path, { ...headers, ...ASYNC })).json()) as Job;
  const cancel = (body: unknown) =>
    shop.handle(new Request("http://shop.test/api/jobs/cancel", { method: "POST", body: JSON.stringify(body) }));
  const cancelled = async (id: string) => (await (await cancel({ id })).json()) as Job;
  const ended = async (id: string) => {
    for (let job = await fetchJob(id); ; job = await fetchJob(id)) {
      if (!isOpen(job)) return job;
      await rested(5);
    }
  };
  return { ...shop, paid, take, fetchJob, cancel, cancelled, ended };
}

/** A run that lasts until it is let go, or ended. */
export function held() {
  let letGo = () => {};
  let begin = () => {};
  const over = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const run = async (signal: AbortSignal) => {
    begin();
    await new Promise<void>((resolve, reject) => {
      void over.then(resolve);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  };
  return { letGo: () => letGo(), begun, run };
}
