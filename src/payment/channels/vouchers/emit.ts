/** Events of channels, which the host gets in addition to the events of calls. */

import { fromMicros, type Micros } from "../../../lib/money.js";
import type { Emit } from "../../events/events.js";

export type EmitChannelEvent = (
  outcome: "claimed" | "lost" | "swept",
  amount: Micros,
  facts: { channel?: string; transaction?: string },
) => void;

export const createEmitChannelEvent =
  (emit: Emit, network: string): EmitChannelEvent =>
  (outcome, amount, { channel, transaction }) =>
    emit({
      kind: "channel",
      outcome,
      id: "channels",
      network,
      channelUsd: fromMicros(amount < 0n ? 0n : amount),
      ...(channel ? { channel } : {}),
      ...(transaction ? { transaction } : {}),
    });
