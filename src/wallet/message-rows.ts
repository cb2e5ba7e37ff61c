/** What a row of a queue keeps sealed. */
import type { Place } from "./seal.js";
import type { View } from "./view.js";

/** Of all messages of a queue: the number of one is not known before it is written. */
export const placeOf = (wallet: string, queue: string): Place => ["messages", wallet, queue];

export const bodyOf = ({ seal, wallet }: View, queue: string, written: string): unknown =>
  JSON.parse(seal.open(placeOf(wallet, queue), written));
