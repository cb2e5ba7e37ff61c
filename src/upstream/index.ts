/**
 * For hosts whose own capabilities read an upstream: who it is, the client that asks it, and the vocabulary of what it sends.
 * A client's reads are bounded in time and size, cached, queued, and end in an error of the table where the upstream fails.
 */
export {
  defineProvider,
  type Provider,
  type ProviderSecret,
  type ProviderSetting,
} from "../capability/provider.js";
export type { Resale, Terms } from "../capability/terms.js";
export {
  type HeaderOptions,
  type PostOptions,
  type ReadOptions,
  segments,
  type UpstreamClient,
  upstream,
  type WithHeaders,
} from "./client.js";
export {
  amount,
  day,
  figure,
  flag,
  id,
  instant,
  integer,
  key,
  label,
  list,
  maybe,
  number,
  oneOrMany,
  part,
  unixTime,
  usDay,
  whole,
  wholeOrNone,
} from "./fields.js";
