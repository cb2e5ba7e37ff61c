/**
 * For hosts whose own capabilities read an upstream: its description, its client, and the vocabulary of its answers. A
 * client's reads are limited in time and size, cached and queued, and a failure is an error of the table.
 */
export { defineOwnProvider as defineProvider } from "../capability/own.js";
export type { Provider, ProviderSecret, ProviderSetting } from "../capability/provider.js";
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
