const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs `abort` when the signal is aborted, or soon if it already is. Returns a function that cancels this. All calls
 * that share a signal share one listener, because Node warns of a leak at the eleventh.
 */
export function onAbort(signal: AbortSignal | undefined, abort: () => void): () => void {
	if (signal === undefined) return () => {};
	if (signal.aborted) {
		// Later, so that the caller has the returned function by then.
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
