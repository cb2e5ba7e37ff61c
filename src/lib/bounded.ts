/** Maps that forget: what a process remembers of its callers must not grow with their number. */

/** Keeps a value as the newest of a map, and drops the oldest beyond `max`. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return;
  const [oldest] = map.keys();
  map.delete(oldest as K);
}
