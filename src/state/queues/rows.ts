/** What a row of a queue keeps sealed. */
import { ifReadable, type RowKey } from "../database/encryption.js";
import type { ReadScope } from "../scope.js";

/** What we say ourselves of a message that is set aside: no wallet's words, so these stand in plain. */
export const EXHAUSTED = "out of attempts";
export const UNREADABLE = "cannot be opened now";

interface Message {
  wallet: string;
  queue: string;
  id: string;
}

export const messageKey = ({ wallet, queue, id }: Message, column: "body" | "last_error"): RowKey => [
  ...(["messages", column] as const),
  ...[wallet, queue, id],
];

interface Written {
  id: string;
  body: string;
}

export const bodyOf = ({ encryption, wallet }: ReadScope, queue: string, { id, body }: Written): unknown =>
  JSON.parse(encryption.decrypt(messageKey({ wallet, queue, id }, "body"), body));

/** Undefined where it does not open; a body may be anything else. */
export const readableBody = (scope: ReadScope, queue: string, written: Written): { body: unknown } | undefined =>
  ifReadable(() => ({ body: bodyOf(scope, queue, written) }));

export function errorOf(
  { encryption, wallet }: ReadScope,
  queue: string,
  { id, lastError }: { id: string; lastError: string | null },
): string | null {
  if (lastError === null || lastError === EXHAUSTED || lastError === UNREADABLE) return lastError;
  return ifReadable(() => encryption.decrypt(messageKey({ wallet, queue, id }, "last_error"), lastError)) ?? null;
}
