/**
 * One direction of an account, on which only so many bytes a second pass: a token bucket whose senders take turns. Bytes are
 * held back, and none is lost.
 */
export interface SpeedLine {
	/** Those that wait go on at the new speed. `undefined`: all may pass. */
	setSpeed(bytesPerSecond: number | undefined): void;
	/**
	 * Lets bytes of a sender pass: at once, or when it is its turn. A sender asks again only after `pass`. It may get less than it
	 * wants.
	 */
	ask(sender: Sender): void;
	/** The sender does not wait any more, and `pass` is not called. */
	leave(sender: Sender): void;
	/** How many senders have waited since the last call, or wait. */
	takeWaited(): number;
}

export interface Sender {
	/** How many bytes it has to send. */
	readonly wantedBytes: number;
	/** So many may pass now. */
	pass(bytes: number): void;
}

export interface Clock {
	/** Monotonic milliseconds. */
	readonly nowMs: () => number;
	/** Calls back after this time, and returns what gives that up. */
	readonly later: (call: () => void, ms: number) => () => void;
}

/** @bound A line on which nothing passes saves up its speed of this time: more is not saved. */
const BURST_MS = 250;
/** A slow line saves up at least this much, so that a handshake of TLS passes at once. */
export const LEAST_BURST_BYTES = 8_192;
/** One packet: smaller pieces would cost more than they carry. */
export const LEAST_TURN_BYTES = 1_460;
/** Larger pieces cost less, as long as all have a turn within the time of a burst. */
const USUAL_TURN_BYTES = 8_192;
/** While senders wait, what may pass is divided this often. */
const TURN_MS = 20;

export const CLOCK: Clock = {
	nowMs: () => performance.now(),
	later(call, ms) {
		const timer = setTimeout(call, ms);
		return () => clearTimeout(timer);
	},
};

/** @param onWait is called when a sender waits */
export function createSpeedLine({ nowMs, later }: Clock, onWait: () => void): SpeedLine {
	/** Who has passed nothing for a whole round: the answer that opens a tunnel should not wait for all downloads. */
	const first = new Set<Sender>();
	/** The others, in the order in which it is their turn. */
	const others = new Set<Sender>();
	let isFirstNext = true;
	let turns = 0;
	const lastTurns = new WeakMap<Sender, number>();
	let waited = new Set<Sender>();
	let bytesPerMs: number | undefined;
	let savedBytes = 0;
	let savedToMs = nowMs();
	let giveUp: (() => void) | undefined;

	const waiting = () => first.size + others.size;

	function save(perMs: number): void {
		const atMs = nowMs();
		savedBytes = Math.min(mostSaved(perMs), savedBytes + (atMs - savedToMs) * perMs);
		savedToMs = atMs;
	}

	/** Both lists take turns, so that connections that come and go take at most half from those that stay. */
	function nextOf(): Sender | undefined {
		const isFirst = others.size === 0 || (isFirstNext && first.size > 0);
		const [next] = isFirst ? first : others;
		return next;
	}

	function wait(sender: Sender): void {
		const sinceTurns = turns - (lastTurns.get(sender) ?? Number.NEGATIVE_INFINITY);
		(sinceTurns > waiting() ? first : others).add(sender);
		waited.add(sender);
	}

	function give(sender: Sender, bytes: number): void {
		lastTurns.set(sender, ++turns);
		savedBytes -= bytes;
		sender.pass(bytes);
	}

	/** One timer for all that wait. */
	function wake(): void {
		const next = nextOf();
		if (!next || bytesPerMs === undefined || giveUp) return;
		const missingBytes = bytesOf(next, turnBytes(waiting(), bytesPerMs)) - savedBytes;
		giveUp = later(serve, Math.max(TURN_MS, missingBytes / bytesPerMs));
	}

	/** Each gets an equal part of what may pass now. Who asks again meanwhile has its turn after all others. */
	function serve(): void {
		giveUp = undefined;
		if (bytesPerMs === undefined) return;
		save(bytesPerMs);
		const leastBytes = turnBytes(waiting(), bytesPerMs);
		for (let left = waiting(); left > 0; left--) {
			const sender = nextOf();
			if (!sender) break;
			const bytes = bytesOf(sender, Math.max(leastBytes, Math.floor(savedBytes / left)));
			if (bytes > savedBytes) break;
			isFirstNext = !first.delete(sender);
			others.delete(sender);
			give(sender, bytes);
		}
		wake();
	}

	return {
		setSpeed(bytesPerSecond) {
			const next = bytesPerSecond === undefined ? undefined : bytesPerSecond / 1_000;
			if (next === bytesPerMs) return;
			if (bytesPerMs !== undefined) save(bytesPerMs);
			// A line begins with what it can save up.
			else if (next !== undefined) [savedBytes, savedToMs] = [Number.POSITIVE_INFINITY, nowMs()];
			bytesPerMs = next;
			giveUp?.();
			giveUp = undefined;
			if (next !== undefined) {
				save(next);
				return void wake();
			}
			const all = [...first, ...others];
			first.clear();
			others.clear();
			for (const sender of all) sender.pass(sender.wantedBytes);
		},
		ask(sender) {
			if (bytesPerMs === undefined) return void sender.pass(sender.wantedBytes);
			save(bytesPerMs);
			if (waiting() === 0 && savedBytes >= bytesOf(sender, turnBytes(1, bytesPerMs))) {
				return void give(sender, Math.min(sender.wantedBytes, Math.floor(savedBytes)));
			}
			wait(sender);
			wake();
			onWait();
		},
		leave(sender) {
			first.delete(sender);
			others.delete(sender);
			waited.delete(sender);
		},
		takeWaited() {
			const { size } = waited;
			waited = new Set([...first, ...others]);
			return size;
		},
	};
}

function mostSaved(perMs: number): number {
	return Math.max(LEAST_BURST_BYTES, BURST_MS * perMs);
}

/** How large a turn is at least, if so many senders wait. It must fit into what can be saved up, with a small rest. */
function turnBytes(senders: number, perMs: number): number {
	const mostBytes = Math.min(USUAL_TURN_BYTES, mostSaved(perMs) / 2, (BURST_MS * perMs) / senders);
	return Math.max(LEAST_TURN_BYTES, Math.floor(mostBytes));
}

/** What a sender passes in a turn. A rest that is too small for one goes with it. */
function bytesOf({ wantedBytes }: Sender, turnBytes: number): number {
	return wantedBytes < turnBytes + LEAST_TURN_BYTES ? wantedBytes : turnBytes;
}
