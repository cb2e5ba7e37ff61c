/** Tells the host of an upstream that changed, or came back: at once, and by events that no crash loses. */
import { CLOSES_AFTER, type EndpointState, type HealthRecord } from "./health-record.js";
import type { DriftEvent } from "./options.js";

export interface Alerts {
  emit(event: DriftEvent): void;
  /** Stores an event for the host's webhooks, once for its name; absent if there are none. */
  storeEvent?: ((event: DriftEvent, named: { id: string; at: number }) => Promise<void>) | undefined;
}

interface Reporting extends Alerts {
  health: HealthRecord;
}

/** Failures that were stored and not told of, because a process died, are told with the next one. */
export async function tellFailure(
  { emit, storeEvent, health }: Reporting,
  event: Omit<DriftEvent, "outcome">,
  { state, isNews }: { state: EndpointState; isNews: boolean },
): Promise<void> {
  const counted = Math.min(state.failures, CLOSES_AFTER);
  const outcomes = counted === CLOSES_AFTER ? (["noticed", "unavailable"] as const) : (["noticed"] as const);
  if (isNews) for (const outcome of outcomes) emit({ ...event, outcome });
  // guard: drift: failures that nobody lived to tell are told with the next one |
  //   (state.told ?? 0) >= counted -> !isNews | handler/webhook-crashes
  if (!storeEvent || (state.told ?? 0) >= counted) return;
  for (const outcome of outcomes)
    await storeEvent({ ...event, outcome }, { id: `${event.id}${outcome}${counted}`, at: state.since });
  await health.told(event.id, counted);
}

/** Stored before the record of health forgets the failures. */
export async function tellRecovery(
  { emit, storeEvent, health }: Reporting,
  event: DriftEvent,
  provenUntil?: number,
): Promise<boolean> {
  const { id } = event;
  const state = Object.hasOwn(health.known.endpoints, id) ? health.known.endpoints[id] : undefined;
  const wasClosed = state !== undefined && state.failures >= CLOSES_AFTER;
  if (wasClosed) await storeEvent?.(event, { id: `${id}recovered`, at: state.since });
  if (!(await health.pass(id, provenUntil))) return false;
  emit(event);
  return true;
}
