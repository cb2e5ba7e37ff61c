/** The last answers of facilitators to the extensions of payments, kept in the store for `coinslot doctor`. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { ToldExtension } from "./extension-responses.js";

const PREFIX = "extension-told:";
const KEPT_MS = 30 * DAY_MS;
/** Extensions are few, and each has one row for each of these. */
const STATUSES = ["success", "processing", "rejected"];
const MOST = 100;

const stored = once(() =>
  z.object({
    extension: z.string(),
    endpoint: z.string().optional(),
    request: z.string(),
    status: z.string().optional(),
    code: z.string().optional(),
    reason: z.string().optional(),
    rejectedReason: z.string().optional(),
    /** ISO 8601. */
    at: z.string(),
  }),
);
export type KeptExtension = z.infer<ReturnType<typeof stored>>;

/** Keeps an answer in place of the last of its extension and status. Never rejects: it is news, and no money. */
export async function keepExtension(store: Store, told: ToldExtension, now: number): Promise<void> {
  const { status = "" } = told;
  const key = `${PREFIX}${told.extension}:${STATUSES.includes(status) ? status : "other"}`;
  try {
    const { version = 0 } = (await store.get(key)) ?? {};
    const value = JSON.stringify({ ...told, at: new Date(now).toISOString() });
    await store.put(key, value, { ifVersion: version, ttlMs: KEPT_MS });
  } catch {}
}

/** The newest first. What cannot be read is left out. */
export async function keptExtensions(store: Store): Promise<KeptExtension[]> {
  const rows = await store.list(PREFIX, { limit: MOST });
  const kept = rows.flatMap(({ value }) => stored().safeParse(JSON.parse(value)).data ?? []);
  return kept.sort((a, b) => (a.at < b.at ? 1 : -1));
}
