/**
 * For hosts whose own capabilities read an upstream: its description, its client, and the vocabulary of its answers. A
 * client's reads are limited in time and size, cached and queued, and a failure is an error of the table. Values of one
 * field end in `Value` and objects in `Object`, so that they stand beside other names.
 *
 * @example
 * ```ts
 * const schema = z.object({ rows: listValue(wholeObject({ name: labelValue(), size: numberValue() })) });
 * ```
 */
export { defineOwnProvider as defineProvider } from "../capability/own/own.js";
export type { Provider, ProviderSecret, ProviderSetting } from "../capability/provider.js";
export type { Resale, Terms } from "../capability/terms.js";
export {
  type HeaderOptions,
  type PostOptions,
  type ReadOptions,
  /** @deprecated Use `pathSegments`. */
  segments,
  segments as pathSegments,
  type UpstreamClient,
  upstream,
  type WithHeaders,
} from "./client.js";
/** Their first names, for one more minor version. */
export {
  amount as amountValue,
  /** @deprecated Use `amountValue`. */
  amount,
  day as dayValue,
  /** @deprecated Use `dayValue`. */
  day,
  figure as figureValue,
  /** @deprecated Use `figureValue`. */
  figure,
  flag as flagValue,
  /** @deprecated Use `flagValue`. */
  flag,
  id as idValue,
  /** @deprecated Use `idValue`. */
  id,
  instant as instantValue,
  /** @deprecated Use `instantValue`. */
  instant,
  integer as integerValue,
  /** @deprecated Use `integerValue`. */
  integer,
  key as keyValue,
  /** @deprecated Use `keyValue`. */
  key,
  label as labelValue,
  /** @deprecated Use `labelValue`. */
  label,
  list as listValue,
  /** @deprecated Use `listValue`. */
  list,
  maybe as maybeValue,
  /** @deprecated Use `maybeValue`. */
  maybe,
  number as numberValue,
  /** @deprecated Use `numberValue`. */
  number,
  oneOrMany as oneOrManyValue,
  /** @deprecated Use `oneOrManyValue`. */
  oneOrMany,
  part as partObject,
  /** @deprecated Use `partObject`. */
  part,
  unixTime as unixTimeValue,
  /** @deprecated Use `unixTimeValue`. */
  unixTime,
  usDay as usDayValue,
  /** @deprecated Use `usDayValue`. */
  usDay,
  whole as wholeObject,
  /** @deprecated Use `wholeObject`. */
  whole,
  wholeOrNone as wholeObjectOrNone,
  /** @deprecated Use `wholeObjectOrNone`. */
  wholeOrNone,
} from "./fields.js";
