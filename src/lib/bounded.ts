/** Bounded maps, because the memory of a process must not grow with the number of its callers. */

/** Sets a value as the newest entry of a map, and drops the oldest beyond `max`. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return;
  const [oldest] = map.keys();
  map.delete(oldest as K);
}
