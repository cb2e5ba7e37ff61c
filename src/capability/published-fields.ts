/**
 * Input fields for hosts' own capabilities, under names that stand beside others in one file. Each explains in its message
 * which values are valid, shows its bounds and default in JSON Schema, and yields the canonical form of its value.
 *
 * @example
 * ```ts
 * z.strictObject({ country: countryCodeField(), limit: limitField(10, 100) });
 * ```
 */
/** The names of version 0.1, for one more minor version. */
export {
  type CodeListOptions,
  clamped as clampedField,
  /** @deprecated Use `clampedField`. */
  clamped,
  codeList as codeListField,
  /** @deprecated Use `codeListField`. */
  codeList,
  codePoints,
  countryCode as countryCodeField,
  /** @deprecated Use `countryCodeField`. */
  countryCode,
  currencyCode as currencyCodeField,
  /** @deprecated Use `currencyCodeField`. */
  currencyCode,
  digits as digitsField,
  /** @deprecated Use `digitsField`. */
  digits,
  identifier as identifierField,
  /** @deprecated Use `identifierField`. */
  identifier,
  isoDate as isoDateField,
  /** @deprecated Use `isoDateField`. */
  isoDate,
  isoDateTime as isoDateTimeField,
  /** @deprecated Use `isoDateTimeField`. */
  isoDateTime,
  latitude as latitudeField,
  /** @deprecated Use `latitudeField`. */
  latitude,
  lazySchema,
  limit as limitField,
  /** @deprecated Use `limitField`. */
  limit,
  listOf as listField,
  /** @deprecated Use `listField`. */
  listOf,
  longitude as longitudeField,
  /** @deprecated Use `longitudeField`. */
  longitude,
  offset as offsetField,
  /** @deprecated Use `offsetField`. */
  offset,
  type TextListOptions,
  text as textField,
  /** @deprecated Use `textField`. */
  text,
  textList as textListField,
  /** @deprecated Use `textListField`. */
  textList,
  ticker as tickerField,
  /** @deprecated Use `tickerField`. */
  ticker,
  type UsStateOptions,
  uri as uriField,
  /** @deprecated Use `uriField`. */
  uri,
  usState as usStateField,
  /** @deprecated Use `usStateField`. */
  usState,
  usStateOrName as usStateOrNameField,
  /** @deprecated Use `usStateOrNameField`. */
  usStateOrName,
  words as wordsField,
  /** @deprecated Use `wordsField`. */
  words,
  zipCode as zipCodeField,
  /** @deprecated Use `zipCodeField`. */
  zipCode,
} from "./fields.js";
