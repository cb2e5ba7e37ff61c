/**
 * Freezes plain objects and arrays at any depth, and leaves everything else (bytes, maps, instances) unchanged. An
 * object that is already frozen is assumed to be deeply frozen.
 */
export function deepFreeze<T>(value: T): T {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null || Object.isFrozen(next) || !isPlain(next)) continue;
    Object.freeze(next);
    for (const inner of Object.values(next)) left.push(inner);
  }
  return value;
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
