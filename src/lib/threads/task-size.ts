/** The memory that a task holds, about: more than a walk of so many values counts as large. */
const MAX_VALUES = 2000;
const BYTES_OF_A_VALUE = 16;
const UNKNOWN_BYTES = 1024 * 1024;

export function taskSize(task: unknown): number {
  const left: unknown[] = [task];
  let bytes = 0;
  for (let seen = 0; left.length > 0; seen++) {
    if (seen > MAX_VALUES) return bytes + UNKNOWN_BYTES;
    const value = left.pop();
    bytes += BYTES_OF_A_VALUE;
    if (typeof value === "string") bytes += value.length;
    else if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else if (value instanceof Map || value instanceof Set) bytes += UNKNOWN_BYTES;
    else if (typeof value === "object" && value !== null) bytes += pushAll(left, value);
  }
  return bytes;
}

/** The lengths of names count as well. A list or an object that is longer than the walk is not opened. */
function pushAll(left: unknown[], value: object): number {
  if (Array.isArray(value) && value.length > MAX_VALUES) return UNKNOWN_BYTES;
  let bytes = 0;
  for (const name in value) {
    bytes += name.length;
    left.push((value as Record<string, unknown>)[name]);
    if (left.length > MAX_VALUES) return bytes + UNKNOWN_BYTES;
  }
  return bytes;
}
