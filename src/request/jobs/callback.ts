/**
 * Tells of the end of a job: the host by its webhooks, and the caller by a signed call to the address that it named. Both
 * are stored before the end is, so that no crash loses them, and are told at least once.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { createContext } from "../../capability/context.js";
import { CapabilityError } from "../../errors.js";
import type { Host } from "../../host/host.js";
import { BACK_OFF, isDelivered, type Reply, readRetryAfter, waitSeconds } from "../../lib/http/webhook-delivery.js";
import { once } from "../../lib/lazy.js";
import { isInstalled } from "../../lib/packages/installed.js";
import { DAY_MS, MINUTE_MS } from "../../lib/time.js";
import { urlRules } from "../../state/webhooks/callbacks.js";
import { type Keys, keysOf } from "../../state/webhooks/keys.js";
import { storeSecret } from "../../stores/secret.js";
import { assertAllowedUrl, judgeOutbound, postOutbound } from "../../upstream/outbound/outbound.js";
import { jobsOf } from "./held-job.js";
import type { JobRecord } from "./record.js";

const TIMEOUT_MS = 15_000;
const CONTEXT_MS = 20_000;
/** To one origin, over all instances: jobs of many payers may name the same. */
const PER_MINUTE = 60;
/** By this process at a time: receivers that hang keep nothing else waiting. */
const MOST_AT_ONCE = 16;
const CALL_KEPT_MS = 4 * DAY_MS;

const storedCall = once(() =>
  z.object({
    host: z.string(),
    job: z.string(),
    event: z.string(),
    url: z.string(),
    body: z.string(),
    attempts: z.number(),
  }),
);
type StoredCall = z.infer<ReturnType<typeof storedCall>>;

export const JOB_CALL = "job-call:";

const rulesOf = ({ options: { wallets = {} } }: Host) => ({ ...urlRules(wallets), field: "callback" });
const contextOf = ({ options: { wallets: _, ...options }, brand }: Host) =>
  createContext(options, { timeoutMs: CONTEXT_MS, brand });

/** The keys of wallets' callbacks if the host named their secret, else keys of this store. */
const keysFor = async ({ options: { wallets }, store }: Host): Promise<Keys> =>
  keysOf(wallets?.secret === undefined ? [`jobs ${await storeSecret(store)}`] : [wallets.secret].flat());

/** Refuses an address by its text alone. */
export function assertCallback(host: Host, url: string): void {
  assertAllowedUrl(contextOf(host), url, rulesOf(host));
  if (!isInstalled("standardwebhooks"))
    throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "Callbacks need the optional package standardwebhooks.");
}

/** Refuses an address within our network, too. */
export async function judgeCallback(host: Host, url: string): Promise<void> {
  const ctx = contextOf(host);
  // guard: jobs: no address within our network is called back | gone | job-callbacks
  await judgeOutbound(ctx, url, rulesOf(host)).finally(() => ctx.end());
}

/** The values with which the caller verifies a call. */
export async function verifiedBy(host: Host, id: string) {
  const keys = await keysFor(host);
  return { secret: keys.secretOf({ callback: id, secretVersion: 1 }), publicKey: keys.publicKeys[0] };
}

/** Stores that a job ended; resolves to the key of the call to its caller. */
export async function announce(host: Host, id: string, record: JobRecord): Promise<string | undefined> {
  const { endpoint, requestId, payer, state, end, createdAt, callback } = record;
  if (!end || (state !== "done" && state !== "failed" && state !== "cancelled")) return undefined;
  const { costUsd, error } = end;
  const event = `job_${createHash("sha256").update(`${id} ${createdAt}`).digest("hex").slice(0, 24)}`;
  if (state !== "cancelled") {
    const facts = { job: id, endpoint, requestId, payer, costUsd, ...(error ? { code: error.code } : {}) };
    // guard: jobs: the end of a job is told to its host | gone | job-callbacks
    await host.webhooks?.tell(`job.${state}`, facts, { id: event, at: createdAt, happenedAt: end.at });
  }
  if (callback === undefined) return undefined;
  const data = { id, endpoint, state, costUsd, ...(error ? { error } : {}) };
  const body = JSON.stringify({ type: `job.${state}`, timestamp: new Date(end.at).toISOString(), data });
  const key = `${JOB_CALL}${id}:${createdAt}`;
  const call = { host: record.host, job: id, event, url: callback, body, attempts: 0 };
  await write(host, key, { call, version: 0 }, host.now());
  return key;
}

const write = (
  { store }: Host,
  key: string,
  { call, version }: { call: StoredCall; version: number },
  dueAt: number,
): Promise<number | undefined> =>
  store.put(key, JSON.stringify(call), { ifVersion: version, ttlMs: CALL_KEPT_MS, dueAt });

/** Makes a call that is due; false if it is another host's. Resolves when it has begun. */
export async function callBack(host: Host, key: string): Promise<boolean> {
  const found = await host.store.get(key);
  if (!found) return true;
  const call = storedCall().parse(JSON.parse(found.value));
  if (!host.jobs?.names.includes(call.host)) return false;
  const jobs = jobsOf(host);
  if (jobs.calling >= MOST_AT_ONCE) return true;
  const isFree = await mayCall(host, call.url);
  const taken = isFree ? { ...call, attempts: call.attempts + 1 } : call;
  const { version: before } = found;
  // guard: jobs: one process makes a call at a time |
  //   version: before } -> version: (await host.store.get(key))?.version ?? 0 } | job-callbacks
  const version = await write(host, key, { call: taken, version: before }, host.now() + MINUTE_MS);
  if (version === undefined || !isFree) return true;
  jobs.calling++;
  const work = send(host, taken)
    .then((reply) => settle(host, key, { call: taken, version, reply }))
    .catch((error: unknown) => host.options.logger.error({ error }, "jobs: a callback is made again later"))
    .finally(() => {
      jobs.calling--;
      host.underWay.delete(work);
    });
  host.underWay.add(work);
  return true;
}

async function mayCall({ store, now }: Host, url: string): Promise<boolean> {
  const minute = Math.floor(now() / MINUTE_MS);
  const origin = createHash("sha256").update(new URL(url).origin).digest("hex").slice(0, 24);
  const options = { ttlMs: 2 * MINUTE_MS, max: PER_MINUTE };
  return (await store.increment(`job-calls:${origin}:${minute}`, 1, options)) !== undefined;
}

async function send(host: Host, { job, event, url, body, attempts }: StoredCall): Promise<Reply> {
  const ctx = contextOf(host);
  const sentAt = new Date(host.now());
  const receiver = { callback: job, secretVersion: 1, rotatedAt: null };
  const { slug } = host.brand;
  const headers = {
    "content-type": "application/json",
    "user-agent": `${slug}-Webhooks`,
    ...(await (await keysFor(host)).headersFor(receiver, { id: event, sentAt, body })),
    [`x-${slug}-attempt`]: String(attempts),
  };
  try {
    const options = { headers, body, timeoutMs: TIMEOUT_MS, maxBytes: 0, ...rulesOf(host) };
    const { status, header } = await postOutbound(ctx, url, options);
    const retryAfterSeconds = readRetryAfter(header("retry-after"), sentAt);
    return { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  } catch {
    return {};
  } finally {
    ctx.end();
  }
}

async function settle(
  host: Host,
  key: string,
  { call, version, reply }: { call: StoredCall; version: number; reply: Reply },
): Promise<void> {
  if (isDelivered(reply) || call.attempts >= BACK_OFF.length) await host.store.remove(key, version);
  else {
    const waitMs = Math.ceil(waitSeconds(call.attempts, reply, Math.random()) * 1000);
    await write(host, key, { call, version }, host.now() + waitMs);
  }
}
