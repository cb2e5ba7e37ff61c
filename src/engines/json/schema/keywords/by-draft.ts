/** The keywords of each draft of JSON Schema in the order in which they are evaluated: the unevaluated ones look at the others. */
import type { Members } from "../../members.js";
import { DRAFTS, type Draft, isAtLeast } from "../model/drafts.js";
import type { Resource } from "../model/registry.js";
import { additionalItems, contains, elementsByPlace, items, unevaluatedItems, uniqueItems } from "./arrays.js";
import { allOf, anyOf, dynamicRef, ifThenElse, not, oneOf, recursiveRef, ref } from "./combinations.js";
import type { Judge } from "./judge.js";
import {
  additionalProperties,
  dependencies,
  dependentRequired,
  dependentSchemas,
  patternProperties,
  properties,
  propertyNames,
  unevaluatedProperties,
} from "./objects.js";
import {
  charactersOf,
  elementsOf,
  format,
  isMultiple,
  membersOf,
  ofNumbers,
  oneOfTypes,
  oneOfValues,
  pattern,
  required,
  sameValue,
  sizeKeyword,
} from "./values.js";

const since = (draft: Draft): Draft[] => DRAFTS.filter((one) => isAtLeast(one, draft));

const ALL = since("draft-04");

const UNTIL_2019: Draft[] = ["draft-04", "draft-06", "draft-07", "2019-09"];

const KEYWORDS: readonly [keyword: string, drafts: readonly Draft[], judge: Judge][] = [
  ["$ref", ALL, ref],
  ["$recursiveRef", ["2019-09"], recursiveRef],
  ["$dynamicRef", ["2020-12"], dynamicRef],
  ["type", ALL, oneOfTypes],
  ["enum", ALL, oneOfValues],
  ["const", since("draft-06"), sameValue],
  ["multipleOf", ALL, ofNumbers((a, b) => !isMultiple(a, b), "a multiple of")],
  ["maximum", ["draft-04"], ofNumbers((a, b, s) => (s.exclusiveMaximum === true ? a >= b : a > b), "at most")],
  ["maximum", since("draft-06"), ofNumbers((a, b) => a > b, "at most")],
  ["exclusiveMaximum", since("draft-06"), ofNumbers((a, b) => a >= b, "less than")],
  ["minimum", ["draft-04"], ofNumbers((a, b, s) => (s.exclusiveMinimum === true ? a <= b : a < b), "at least")],
  ["minimum", since("draft-06"), ofNumbers((a, b) => a < b, "at least")],
  ["exclusiveMinimum", since("draft-06"), ofNumbers((a, b) => a <= b, "more than")],
  ["maxLength", ALL, sizeKeyword(charactersOf, true, "characters")],
  ["minLength", ALL, sizeKeyword(charactersOf, false, "characters")],
  ["pattern", ALL, pattern],
  ["format", ALL, format],
  ["maxItems", ALL, sizeKeyword(elementsOf, true, "elements")],
  ["minItems", ALL, sizeKeyword(elementsOf, false, "elements")],
  ["uniqueItems", ALL, uniqueItems],
  ["maxProperties", ALL, sizeKeyword(membersOf, true, "members")],
  ["minProperties", ALL, sizeKeyword(membersOf, false, "members")],
  ["required", ALL, required],
  ["dependentRequired", since("2019-09"), dependentRequired],
  ["allOf", ALL, allOf],
  ["anyOf", ALL, anyOf],
  ["oneOf", ALL, oneOf],
  ["not", ALL, not],
  ["if", since("draft-07"), ifThenElse],
  ["dependentSchemas", since("2019-09"), dependentSchemas],
  ["dependencies", ALL, dependencies],
  ["prefixItems", ["2020-12"], elementsByPlace],
  ["items", UNTIL_2019, items],
  ["items", ["2020-12"], (call) => (Array.isArray(call.value) ? true : items(call))],
  ["additionalItems", UNTIL_2019, additionalItems],
  ["contains", since("draft-06"), contains],
  ["properties", ALL, properties],
  ["patternProperties", ALL, patternProperties],
  ["additionalProperties", ALL, additionalProperties],
  ["propertyNames", since("draft-06"), propertyNames],
  ["unevaluatedItems", since("2019-09"), unevaluatedItems],
  ["unevaluatedProperties", since("2019-09"), unevaluatedProperties],
];

export type Judged = [keyword: string, value: unknown, judge: Judge];

/** The keywords of a schema that count. Until 2019-09 nothing counts beside a $ref. */
export function keywordsOf(schema: Members, { draft, ignores }: Resource): Judged[] {
  const isAlone = typeof schema.$ref === "string" && !isAtLeast(draft, "2019-09");
  return KEYWORDS.filter(
    ([keyword, drafts]) =>
      Object.hasOwn(schema, keyword) &&
      drafts.includes(draft) &&
      !ignores.has(keyword) &&
      (!isAlone || keyword === "$ref"),
  ).map(([keyword, , judge]) => [keyword, schema[keyword], judge]);
}
