import { createHash } from "node:crypto";
import { sortedJson } from "../../lib/text/sorted-json.js";

/** Fingerprint of a validated input, independent of the order of its members. */
export const hashOf = (input: unknown): string => createHash("sha256").update(sortedJson(input)).digest("hex");

/** The endpoint and the input of a request; only compared. */
export const fingerprintOf = ({ capability, input }: { capability: { id: string }; input: unknown }): string =>
  `${capability.id} ${hashOf(input)}`;
