/** The encrypted columns of a queue's rows. */
import { ifReadable, type RowKey } from "../database/encryption.js";
import { EXHAUSTED, UNREADABLE } from "../database/own-texts.js";
import type { ReadScope } from "../wallet/scope.js";

interface Message {
  wallet: string;
  queue: string;
  id: string;
}

// guard: wallets: a message opens in its own place alone | - id, | encryption
export const messageKey = ({ wallet, queue, id }: Message, column: "body" | "last_error"): RowKey => [
  "messages",
  column,
  wallet,
  queue,
  id,
];

interface Written {
  id: string;
  body: string;
}

const bodyOf = ({ encryption, wallet }: ReadScope, queue: string, { id, body }: Written): unknown =>
  JSON.parse(encryption.decrypt(messageKey({ wallet, queue, id }, "body"), body));

/** Undefined if it cannot be decrypted; any other value may be a body. */
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
