/** Who a caller is to the trial: a keyed hash of its address prefix, so that no store holds an address. */
import { createHmac, randomBytes } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { Store } from "../stores/store.js";

export interface Caller {
  /** One home or host: an IPv4 address, or an IPv6 /64. */
  key: string;
  /** The /48 around an IPv6 caller, which one customer of a provider usually holds whole. */
  network?: string;
}

const SECRET_KEY = "trial-secret";
const SECRET_TTL_MS = 400 * 24 * 3600 * 1000;

/** Callers without a usable address share one bucket: a trial for all of them, never one for each. */
export async function identify(address: string | undefined, store: Store): Promise<Caller> {
  const secret = await secretOf(store);
  const hash = (text: string) => createHmac("sha256", secret).update(text).digest("hex").slice(0, 32);
  const bare = address?.replace(/%.*$/, "") ?? "";
  if (!ipaddr.isValid(bare)) return { key: hash("unknown") };
  const ip = ipaddr.process(bare);
  if (ip.kind() === "ipv4") return { key: hash(ip.toString()) };
  const bytes = Buffer.from(ip.toByteArray());
  return { key: hash(bytes.toString("hex", 0, 8)), network: hash(bytes.toString("hex", 0, 6)) };
}

// Instances on one store must hash alike, so the key lives in the store; each handler reads it once.
const secrets = new WeakMap<Store, Promise<string>>();

function secretOf(store: Store): Promise<string> {
  let secret = secrets.get(store);
  if (!secret) {
    secret = readOrCreate(store);
    secret.catch(() => secrets.delete(store));
    secrets.set(store, secret);
  }
  return secret;
}

async function readOrCreate(store: Store): Promise<string> {
  const fresh = randomBytes(32).toString("hex");
  const created = await store.put(SECRET_KEY, fresh, { ifVersion: 0, ttlMs: SECRET_TTL_MS });
  if (created !== undefined) return fresh;
  const found = await store.get(SECRET_KEY);
  if (!found) throw new Error("the trial secret vanished between two reads");
  return found.value;
}
