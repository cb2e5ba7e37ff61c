/** Sample messages of a trial, in the queue of the operations' examples. */

import { HOUR_MS } from "../../lib/time.js";
import { insertInto } from "../database/insert.js";
import { SAMPLE_TOKEN } from "../wallet/fields.js";
import type { WriteScope } from "../wallet/scope.js";
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
    ...insertInto("@messages", {
      wallet,
      queue: "jobs",
      id,
      body: encryption.encrypt(messageKey({ wallet, queue: "jobs", id: String(id) }, "body"), JSON.stringify({ task })),
      bytes: 0,
      state: dead ? "dead" : "ready",
      attempts: dead ? 10 : lease ? 1 : 0,
      max_attempts: 10,
      visible_at: lease ? hour : now,
      lease: lease ?? null,
      leased_since: now,
      last_error: dead ? "sample failure" : null,
      dead_at: dead ? now : null,
      created_at: now,
      expires_at: hour,
    }),
  );
}

export async function putMessages(scope: WriteScope): Promise<void> {
  await Promise.all(MESSAGES.map((message) => addMessage(scope, message)));
}
