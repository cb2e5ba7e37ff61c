/** Answers a request whose caller wants to leave: by 202 once its payment is held, or as any other. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CallInfo } from "../../host/call-info.js";
import type { Host } from "../../host/host.js";
import { openCall } from "../call.js";
import { serviceHeader } from "../headers.js";
import type { AnyResponse, LazyRequest } from "../http/exchange.js";
import { problem } from "../problem.js";
import { callBack, JOB_CALL } from "./callback.js";
import { FirstRun, noJob } from "./first-run.js";
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
  outer?: LazyRequest,
): Promise<AnyResponse> {
  const within = outer === undefined ? {} : { outer };
  const { isAsync, isStrict: isDemand, waitMs } = readPrefer(request.headers.get("prefer"));
  const isStrict = isAsync && isDemand;
  const isAlways = host.jobs?.always.has(request.url.pathname) ?? false;
  // A platform that ends the process with the request leaves no time for a job.
  const isPossible = info.deadline === undefined;
  if (isStrict && !isPossible) return problem(openCall(host, request, info, within), noJob());
  if ((!isAsync && !isAlways) || !isPossible) return answer(host, request, info, within);
  const controller = new AbortController();
  const callback = request.headers.get(serviceHeader(host.brand.slug, "Callback")) ?? undefined;
  const noted = new NotedRequest(request, controller.signal);
  const job = new FirstRun({ request: noted, info, controller, waitMs, isStrict, callback });
  // Until the 202 leaves, a caller who leaves ends the call, as ever.
  const leave = () => {
    if (!job.isTaken) controller.abort(request.signal.reason);
  };
  if (request.signal.aborted) leave();
  request.signal.addEventListener("abort", leave, { once: true });

  const whole = answer(host, noted, info, { ...within, job }).then(async (answered) => {
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
