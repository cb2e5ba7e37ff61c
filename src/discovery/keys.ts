/** Public keys that verify answers and callbacks, free for everybody. */
import type { Catalogue } from "../host/catalogue.js";
import type { Signer } from "../signing/signer.js";
import { callbackKeysOperation, keysOperation } from "./discovery-operations.js";

/** At the origin's root, where verifiers look for it. */
export function addKeys({ routes }: Catalogue, { jwk }: Signer): void {
  const text = JSON.stringify({ keys: [jwk] });
  routes.add("/.well-known/jwks.json", {
    kind: "page",
    operation: keysOperation,
    contentType: "application/jwk-set+json",
    read: () => text,
  });
}

export function addCallbackKeys({ routes, basePath }: Catalogue, read: () => Promise<object>): void {
  routes.add(`${basePath}/webhooks/keys`, {
    kind: "page",
    operation: callbackKeysOperation,
    read: async () => JSON.stringify(await read()),
  });
}
