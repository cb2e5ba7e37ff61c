/** What a row of a queue keeps sealed. */
import { ifReadable, type Place } from "./seal.js";
import type { View } from "./view.js";

/** What we say ourselves of a message that is set aside: no wallet's words, so these stand in plain. */
export const EXHAUSTED = "out of attempts";
export const UNREADABLE = "cannot be opened now";

/** Of all messages of a queue: the number of one is not known before it is written. */
export const placeOf = (wallet: string, queue: string): Place => ["messages", wallet, queue];

export const bodyOf = ({ seal, wallet }: View, queue: string, written: string): unknown =>
  JSON.parse(seal.open(placeOf(wallet, queue), written));

/** Undefined where it does not open; a body may be anything else. */
export const readableBody = (view: View, queue: string, { body }: { body: string }): { body: unknown } | undefined =>
  ifReadable(
    () => ({ body: bodyOf(view, queue, body) }),
    () => {},
  );

export const errorOf = ({ seal, wallet }: View, queue: string, written: string | null): string | null => {
  if (written === null || written === EXHAUSTED || written === UNREADABLE) return written;
  return (
    ifReadable(
      () => seal.open(placeOf(wallet, queue), written),
      () => {},
    ) ?? null
  );
};
