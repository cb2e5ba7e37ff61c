/** The key that answers are signed with, where verifiers look for it: at the origin's root. */
import type { Catalogue } from "../host/catalogue.js";
import type { Signer } from "../signing/signer.js";
import { keysOperation } from "./discovery-operations.js";

export function addKeys({ routes }: Catalogue, { jwk }: Signer): void {
  const text = JSON.stringify({ keys: [jwk] });
  routes.add("/.well-known/jwks.json", {
    kind: "page",
    operation: keysOperation,
    contentType: "application/jwk-set+json",
    read: () => text,
  });
}
