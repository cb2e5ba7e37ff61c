/** What the README tells a receiver to do who has the public key alone. */
import { createPublicKey, verify } from "node:crypto";

export function verifiedByKey(publicKey: string, body: string, headers: Record<string, string>): boolean {
  const raw = Buffer.from(publicKey.replace("whpk_", ""), "base64");
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  const signed = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
  const signatures = (headers["webhook-signature"] ?? "").split(" ").filter((one) => one.startsWith("v1a,"));
  return signatures.some((one) => verify(null, signed, key, Buffer.from(one.slice(4), "base64")));
}
