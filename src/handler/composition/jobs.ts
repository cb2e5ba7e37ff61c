/** Calls whose answer is fetched later: whether a host has them, and where their callers find them. */
import type { AnyCapability } from "../../capability/types.js";
import { jobOperation } from "../../discovery/job-operations.js";
import type { Host, HostJobs, HostOptions } from "../../host/host.js";
import type { Service } from "../../host/routes.js";
import { lazy } from "../../lib/lazy.js";
import { onLambda, onWorkers } from "../../lib/packages/platform.js";
import type { Payments } from "../../payment/payments.js";

const PER_PAYER = 32;

const serving = /* @__PURE__ */ lazy(() => import("../../request/jobs/answer-later.js"));

/** Of a job, or of the call of its end. */
export const isJobKey = (key: string): boolean => key.startsWith("job:") || key.startsWith("job-call:");

interface Sources {
  payments: Payments;
  name: string;
  formerNames: readonly string[];
  byId: ReadonlyMap<string, AnyCapability>;
  pathOf(id: string): string;
}

/** Undefined where work ends with its request, or nothing is sold by us. Throws a TypeError for an unknown endpoint. */
export function openJobs(
  { jobs = {} }: HostOptions,
  { payments, name, formerNames, byId, pathOf }: Sources,
): HostJobs | undefined {
  if (jobs === false) return undefined;
  const { always = [], maxPerPayer = PER_PAYER } = jobs;
  const unknown = always.find((id) => !byId.has(id));
  if (unknown !== undefined) throw new TypeError(`jobs.always: "${unknown}" is not mounted.`);
  if (!payments.charges || payments.edge || onLambda() || onWorkers()) return undefined;
  return {
    name,
    names: [name, ...formerNames],
    always: new Set(always.map((id) => pathOf(id))),
    perPayer: maxPerPayer,
  };
}

export function addJobs(host: Host): void {
  const add = (path: "get" | "cancel", method: "GET" | "POST", answer: "answerGet" | "answerCancel") =>
    host.routes.add(`${host.basePath}/jobs/${path}`, {
      kind: "service",
      methods: [method],
      operation: () => jobOperation(path),
      answer: async (...asked: Parameters<Service["answer"]>) => (await serving())[answer](host, ...asked),
    });
  add("get", "GET", "answerGet");
  add("cancel", "POST", "answerCancel");
}
