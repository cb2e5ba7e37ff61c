/** JSON with sorted members: equal for equal values, however they were written. */
export const sortedJson = (value: unknown): string =>
  isFlat(value)
    ? JSON.stringify(sorted(value))
    : JSON.stringify(value, (_, inner: unknown) => (isNamed(inner) ? sorted(inner) : inner));

const isNamed = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** Most inputs contain only plain values, which need no check of their members. */
const isFlat = (value: unknown): value is object =>
  isNamed(value) && Object.values(value).every((member) => typeof member !== "object" || member === null);
const sorted = (value: object): object =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
