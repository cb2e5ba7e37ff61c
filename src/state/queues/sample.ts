/** Sample messages of a trial, in the queue of the operations' examples. */
import { HOUR_MS } from "../../lib/time.js";
import { SAMPLE_TOKEN } from "../fields.js";
import type { WriteScope } from "../scope.js";
import { messageKey } from "./rows.js";

/** One leased, two waiting and one set aside. Numbers below 1001 are reserved for samples. */
const MESSAGES = [
  { id: 1, task: "resize", lease: SAMPLE_TOKEN },
  { id: 2, task: "crop" },
  { id: 3, task: "upload" },
  { id: 4, task: "explode", dead: true },
];

async function addMessage(
  { wallet, now, encryption, query }: WriteScope,
  { id, task, lease, dead }: (typeof MESSAGES)[number],
) {
  const hour = new Date(now.getTime() + HOUR_MS);
  await query(
    `insert into @messages (wallet, queue, id, body, bytes, state, attempts, max_attempts, visible_at, lease, leased_since,
       last_error, dead_at, created_at, expires_at)
     overriding system value values ($1, 'jobs', $2::bigint, $3, 0, $4, $5::int, 10, $6, $7, $8, $9, $10, $8, $11)`,
    [
      wallet,
      id,
      encryption.encrypt(messageKey({ wallet, queue: "jobs", id: String(id) }, "body"), JSON.stringify({ task })),
      dead ? "dead" : "ready",
      dead ? 10 : lease ? 1 : 0,
      lease ? hour : now,
      lease ?? null,
      now,
      dead ? "sample failure" : null,
      dead ? now : null,
      hour,
    ],
  );
}

export async function putSample(scope: WriteScope): Promise<void> {
  for (const message of MESSAGES) await addMessage(scope, message);
}
