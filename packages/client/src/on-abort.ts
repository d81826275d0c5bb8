const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs `abort` when the signal is aborted, or soon if it is already. Returns a function that takes it back. However many calls share a
 * signal, it has one listener: Node warns of a leak at the eleventh.
 */
export function onAbort(signal: AbortSignal | undefined, abort: () => void): () => void {
	if (signal === undefined) return () => {};
	if (signal.aborted) {
		// After this, so that the caller has what this returns.
		queueMicrotask(abort);
		return () => {};
	}
	const all = listeners.get(signal) ?? listenTo(signal);
	all.add(abort);
	return () => all.delete(abort);
}

function listenTo(signal: AbortSignal): Set<() => void> {
	const all = new Set<() => void>();
	listeners.set(signal, all);
	signal.addEventListener('abort', () => {
		for (const abort of all) abort();
	});
	return all;
}
