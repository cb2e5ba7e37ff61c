/** Identifies a caller for the trial by a keyed hash of its address prefix, so that no store contains addresses. */
import { createHmac } from "node:crypto";
import { lazy } from "../../lib/lazy.js";
import { storeSecret } from "../../stores/secret.js";
import type { Store } from "../../stores/store.js";

const addressLibrary = lazy(async () => (await import("ipaddr.js")).default);

export interface TrialCaller {
  /** One home or host: an IPv4 address, or an IPv6 /64. */
  key: string;
  /** The /48 around an IPv6 caller, usually owned by one customer of a provider. */
  network?: string;
}

/** Callers without a usable address share one bucket: one trial for all of them, never one for each. */
export async function identify(address: string | undefined, store: Store): Promise<TrialCaller> {
  const [secret, ipaddr] = await Promise.all([storeSecret(store), addressLibrary()]);
  const hash = (text: string) => createHmac("sha256", secret).update(text).digest("hex").slice(0, 32);
  const bare = address?.replace(/%.*$/, "") ?? "";
  if (!ipaddr.isValid(bare)) return { key: hash("unknown") };
  const ip = ipaddr.process(bare);
  if (ip.kind() === "ipv4") return { key: hash(ip.toString()) };
  const bytes = Buffer.from(ip.toByteArray());
  return { key: hash(bytes.toString("hex", 0, 8)), network: hash(bytes.toString("hex", 0, 6)) };
}
