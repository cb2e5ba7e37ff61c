import { randomBytes } from "node:crypto";
import { DAY_MS } from "../lib/time.js";
import type { Store } from "./store.js";

const TTL_MS = 400 * DAY_MS;
const known = new WeakMap<Store, Promise<string>>();

/** A random key shared by all instances on one store. It is stored there, and each handler reads it once. */
export function storeSecret(store: Store): Promise<string> {
  let secret = known.get(store);
  if (!secret) {
    secret = readOrCreate(store);
    secret.catch(() => known.delete(store));
    known.set(store, secret);
  }
  return secret;
}

async function readOrCreate(store: Store): Promise<string> {
  const fresh = randomBytes(32).toString("hex");
  if ((await store.put("secret", fresh, { ifVersion: 0, ttlMs: TTL_MS })) !== undefined) return fresh;
  const found = await store.get("secret");
  if (!found) throw new Error("the store's secret vanished between two reads");
  return found.value;
}
