/**
 * Fields of upstreams' answers: one vocabulary for their schemas. Empty values become null, so that results need no
 * `?? null`. Within a `z.object` or a `part` every field may be missing. Most upstreams omit no field and write null
 * for an empty one: describe their objects with `whole`, for which a missing field means a renamed one, and
 * UPSTREAM_SCHEMA instead of null. A fact that a result needs is plain zod, and required; in a list of records it is
 * one of `identifiedRows`, so that one odd record does not take the others with it.
 */
export { chosen, labels, list, maybe, named, oneOrMany, part, whole, wholeOrNone } from "./fields/objects.js";
export { missing, noneRenamed, reaching } from "./fields/renamed.js";
export { identifiedRows, isFilled, rowsInPlace, sparseRows } from "./fields/rows.js";
export { day, instant, toIsoDay, unixTime, usDay } from "./fields/times.js";
export { amount, figure, flag, id, integer, key, label, number, toLabel, toNumber } from "./fields/values.js";
