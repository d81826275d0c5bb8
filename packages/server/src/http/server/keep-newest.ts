/** Puts an entry at the end of a map, and drops the first one, the oldest, if the map then has more than `most`. */
export function keepNewest<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value, most: number): void {
	entries.delete(key);
	entries.set(key, value);
	if (entries.size > most) entries.delete(entries.keys().next().value as Key);
}
