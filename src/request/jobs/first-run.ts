/**
 * A call that goes on when its caller has left. It is an ordinary call: it holds, runs and settles as any other, and its
 * answer is the stored reply of its payment. A job is the note of its request, by which another process sends the same
 * request again if this one dies: whatever was begun of it is then finished by the rules of a payment that is sent again.
 */
import { CapabilityError } from "../../errors.js";
import type { CallInfo } from "../../host/call-info.js";
import type { Host } from "../../host/host.js";
import { MINUTE_MS } from "../../lib/time.js";
import { secretOf } from "../../payment/checkout/buyers-key.js";
import { type Credentials, type Grant, type Order, type ReplyPlace, workMsOf } from "../../payment/order/order.js";
import { pending } from "../../payment/record/pending.js";
import type { Call, CallAsJob } from "../call.js";
import type { AnyResponse, PlainResponse } from "../http/exchange.js";
import { mustFinish } from "../run.js";
import { acceptedAnswer, idFor } from "./answers.js";
import { assertCallback, judgeCallback } from "./callback.js";
import { jobsOf } from "./held-job.js";
import type { NotedRequest } from "./noted-request.js";
import { DUE_MS, type JobRecord, readJob, writeJob, writeJobInput } from "./record.js";
import { COUNTED_MS, openOf, type Running, runningJob } from "./running.js";

/** For the settlement and the last writes. */
const SPARE_MS = 2 * MINUTE_MS;

export interface Asked {
  request: NotedRequest;
  info: CallInfo;
  controller: AbortController;
  waitMs: number;
  /** Whether it is refused if it would be answered at once. */
  isStrict: boolean;
  /** The address to call at its end. */
  callback: string | undefined;
}

/** The refusal of a trial, and of a payment without a secret, where the caller wants no answer at once. */
export const noJob = () =>
  new CapabilityError("INVALID_INPUT", "This call is answered at once here: repeat it without asking for a job.", {
    excused: true,
  });

/** The first run of a job, in the process that took its request. */
export class FirstRun implements CallAsJob {
  readonly isRepeated = false;
  readonly account: undefined;
  /** Resolves once it is a job, whose caller may leave. */
  readonly taken: Promise<PlainResponse>;
  readonly #asked: Asked;
  #take: (answer: PlainResponse) => void = () => {};
  #call: Call | undefined;
  /** The id that it would have, and the version of a job of that name that failed. */
  #place: { id: string; version: number } | undefined;
  #running: Running | undefined;

  constructor(asked: Asked) {
    this.#asked = asked;
    this.taken = new Promise((resolve) => {
      this.#take = resolve;
    });
  }

  get isCancelled(): boolean {
    return this.#running?.isCancelled ?? false;
  }

  get isTaken(): boolean {
    return this.#running !== undefined;
  }

  opened(call: Call): void {
    this.#call = call;
  }

  async known(call: Call, order: Order, credentials: Credentials): Promise<PlainResponse | undefined> {
    const { request, waitMs } = this.#asked;
    const named = nameOf(call.host, order, credentials);
    if (named === undefined || !request.isShort) return undefined;
    const { callback } = this.#asked;
    if (callback !== undefined) assertCallback(call.host, callback);
    const id = await idFor(call.host, `${order.capability.id} ${named} ${request.digest}`);
    const found = await readJob(call.host, id);
    this.#place = { id, version: found?.version ?? 0 };
    const { state } = found?.record ?? {};
    // Nothing was charged for it, so the same payment may begin again.
    if (!found || state === "failed" || state === "cancelled") return undefined;
    Object.assign(call.event, { outcome: "replayed", chargedUsd: "0" });
    return acceptedAnswer(call, id, { record: found.record, waitMs });
  }

  async begin(call: Call, order: Order, grant: Grant): Promise<void> {
    const { reply, caller } = grant;
    if (!this.#place || !reply || (caller !== "paid" && caller !== "account")) {
      // guard: jobs: who wants a job and nothing else is charged for nothing else | gone | job-cancel
      if (this.#asked.isStrict) throw noJob();
      return;
    }
    const { id } = this.#place;
    const payer = grant.wallet?.id ?? "";
    const { callback } = this.#asked;
    if (callback !== undefined) await judgeCallback(call.host, callback);
    await this.#count(call.host, payer, 1);
    try {
      this.#running = await this.#write(call, { order, grant, reply, payer });
    } catch (error) {
      await this.#count(call.host, payer, -1).catch(() => {});
      throw error;
    }
    this.#take(await acceptedAnswer(call, id, { record: this.#running.record, waitMs: this.#asked.waitMs }));
  }

  async #count({ store, jobs }: Host, payer: string, by: number): Promise<void> {
    const most = jobs?.perPayer ?? 0;
    const count = await store.increment(openOf(payer), by, { ttlMs: COUNTED_MS, max: most });
    // guard: jobs: a payer has so many open at a time | gone | job-cancel
    if (count === undefined)
      throw new CapabilityError("RATE_LIMITED", `${most} jobs of this payer are not done yet. Nothing was charged.`, {
        retryAfter: 10,
        excused: true,
      });
  }

  async #write(
    call: Call,
    { order, grant, reply, payer }: { order: Order; grant: Grant; reply: ReplyPlace; payer: string },
  ): Promise<Running> {
    const { host } = call;
    const { request, info, controller, callback } = this.#asked;
    const { id, version: before } = this.#place as { id: string; version: number };
    const lease = await jobsOf(host).owner.take(host.now() + workMsOf(order) + SPARE_MS);
    const { account, wallet } = grant;
    const record: JobRecord = {
      host: host.jobs?.name ?? "",
      endpoint: order.capability.id,
      requestId: call.requestId,
      createdAt: host.now(),
      // Work that cannot be undone is never cancelled.
      state: mustFinish(order) ? "finishing" : "running",
      ...lease,
      attempts: 1,
      reply,
      payer,
      byUsage: order.byUsage,
      ...(callback === undefined ? {} : { callback }),
      ...(account === undefined
        ? {}
        : { account: { id: account, ...(wallet?.key === undefined ? {} : { key: wallet.key }) } }),
    };
    try {
      await writeJobInput(host, id, request.stored(info));
      const version = await writeJob(host, id, { record, version: before }, host.now() + DUE_MS);
      if (version === undefined) throw pending("The same request is being taken.");
      return runningJob(call, id, { record, version }, controller);
    } catch (error) {
      jobsOf(host).owner.end(lease);
      throw error;
    }
  }

  progress(done: number, steps: number): void {
    this.#running?.progress(done, steps);
  }

  async finish(): Promise<void> {
    await this.#running?.finish();
  }

  async ended(answer: AnyResponse): Promise<void> {
    if (this.#call) await this.#running?.end(this.#call, answer, true);
  }
}

/** The purchase in words that only its buyer knows; undefined for a call that is answered at once. */
function nameOf(
  { payments }: Host,
  order: Order,
  { payment, account, signIn, trial, creditToken }: Credentials,
): string | undefined {
  const isOther = trial || creditToken !== undefined || payment?.scheme === "batch-settlement";
  if (isOther || order.streamed || payments.accounts?.sells(order.capability.id)) return undefined;
  const key = order.idempotencyKey ?? "";
  // guard: jobs: a payment that the chain shows names no job | gone | job-secrets
  if (payment && secretOf(order, payment).secretHash === undefined) return undefined;
  if (payment) return `payment ${key} ${JSON.stringify(payment)}`;
  const caller = account?.id ?? signIn;
  return caller === undefined ? undefined : `account ${caller} ${key}`;
}
