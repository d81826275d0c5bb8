/** A clock that only a test moves. */
export interface FakeClock {
	readonly nowMs: () => number;
	readonly later: (call: () => void, ms: number) => () => void;
	/** How many calls are to come. */
	readonly timers: number;
	/** Moves on by this time. What is due then is called when it is due. */
	pass(ms: number): void;
}

export function createFakeClock(): FakeClock {
	const due = new Set<{ readonly atMs: number; readonly call: () => void }>();
	let nowMs = 0;
	return {
		nowMs: () => nowMs,
		later(call, ms) {
			const timer = { atMs: nowMs + ms, call };
			due.add(timer);
			return () => void due.delete(timer);
		},
		get timers() {
			return due.size;
		},
		pass(ms) {
			const untilMs = nowMs + ms;
			for (;;) {
				const [next] = [...due].sort((one, other) => one.atMs - other.atMs);
				if (!next || next.atMs > untilMs) break;
				due.delete(next);
				nowMs = next.atMs;
				next.call();
			}
			nowMs = untilMs;
		},
	};
}
