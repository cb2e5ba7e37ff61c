/** Adds to a stored record what older releases left to be found out. */

/** The stage of a settled record without one: release 0.1.0 told it by which members were there. */
function stageOf(record: Record<string, unknown>): string {
  const has = (member: string) => record[member] !== undefined;
  const isPrepaid = record.prepaid === true;
  if (!has("settledAt") && has("failure")) return "undecided";
  if (has("byCredit") && isPrepaid && !has("outcome") && !has("failure")) return "awaiting-work-on-credit";
  if (!has("receipt") && !isPrepaid) return has("outcome") ? "answered-free" : "unanswered-free";
  if (has("outcome")) return "answered";
  return has("failure") || has("refund") ? "unanswered" : "awaiting-work";
}

/** The endpoint of a record without one: its fingerprint began with it. */
const endpointOf = ({ fingerprint }: Record<string, unknown>): string | undefined =>
  typeof fingerprint === "string" ? fingerprint.split(" ", 1)[0] : undefined;

/** A stored record as this release writes it; damaged ones are left to the schemas. */
export function upgraded(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const record = value as Record<string, unknown>;
  const stage = record.state === "settled" && record.stage === undefined ? { stage: stageOf(record) } : {};
  return record.endpoint === undefined
    ? { ...record, ...stage, endpoint: endpointOf(record) }
    : { ...record, ...stage };
}
