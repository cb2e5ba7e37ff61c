/** Answers a request whose caller wants to leave: by 202 once its payment is held, or as any other. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CallInfo } from "../../host/call-info.js";
import type { Host } from "../../host/host.js";
import { serviceHeader } from "../headers.js";
import type { AnyResponse, LazyRequest } from "../http/exchange.js";
import { callBack, JOB_CALL } from "./callback.js";
import { FirstRun } from "./first-run.js";
import { NotedRequest } from "./noted-request.js";
import { readPrefer } from "./prefer.js";
import { type AnswerJob, takeOver } from "./rerun.js";

export { answerCancel, answerGet } from "./serve.js";

/** Goes on with what a process left: a job, or the call of its end. False if it is another host's. */
export const goOn = (host: Host, key: string, answer: AnswerJob): Promise<boolean> =>
  key.startsWith(JOB_CALL) ? callBack(host, key) : takeOver(host, key, answer);

export async function answerLater(
  host: Host,
  request: LazyRequest,
  info: CallInfo,
  answer: AnswerJob,
): Promise<AnyResponse> {
  const { isAsync, waitMs } = readPrefer(request.headers.get("prefer"));
  const isAlways = host.jobs?.always.has(request.url.pathname) ?? false;
  // A platform that ends the process with the request leaves no time for a job.
  if ((!isAsync && !isAlways) || info.deadline !== undefined) return answer(host, request, info, {});
  const controller = new AbortController();
  const callback = request.headers.get(serviceHeader(host.brand.slug, "Callback")) ?? undefined;
  const noted = new NotedRequest(request, controller.signal);
  const job = new FirstRun({ request: noted, info, controller, waitMs, callback });
  // Until the 202 leaves, a caller who leaves ends the call, as ever.
  const leave = () => {
    if (!job.isTaken) controller.abort(request.signal.reason);
  };
  if (request.signal.aborted) leave();
  request.signal.addEventListener("abort", leave, { once: true });

  const whole = answer(host, noted, info, { job }).then(async (answered) => {
    await job.ended(answered);
    return answered;
  });
  const work = whole.then(
    () => {},
    () => {},
  );
  host.underWay.add(work);
  void work.finally(() => {
    host.underWay.delete(work);
    request.signal.removeEventListener("abort", leave);
  });
  const accepted = job.taken.then(async (later) => {
    if (waitMs === 0) return later;
    const isDone = await Promise.race([work.then(() => true), sleep(waitMs, false, { ref: false })]);
    return isDone ? whole : later;
  });
  return Promise.race([whole, accepted]);
}
