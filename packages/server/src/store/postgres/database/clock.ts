/** The database's clock, as far as this process knows it. */
export interface DatabaseClock {
	/** Unix milliseconds. */
	nowMs(): number;
	/** Takes the time that the database answered. `askedAtMs` is when it was asked, in monotonic milliseconds. */
	set(databaseMs: number, askedAtMs: number): void;
}

/** A slower answer is less exact: it only bounds the offset of the clock. */
const GOOD_ANSWER_MS = 250;

/**
 * All processes use the clock of the database. So a process with a wrong clock still agrees with the others about
 * expiry and timestamps. Between two answers, and while the database cannot be asked, the monotonic clock goes on.
 */
export function createDatabaseClock(monotonicMs: () => number = () => performance.now()): DatabaseClock {
	let offsetMs: number | undefined;
	return {
		nowMs: () => Math.floor(monotonicMs() + (offsetMs ?? Date.now() - monotonicMs())),
		set(databaseMs, askedAtMs) {
			const answeredAtMs = monotonicMs();
			const [least, most] = [databaseMs - answeredAtMs, databaseMs - askedAtMs];
			const isGood = answeredAtMs - askedAtMs <= GOOD_ANSWER_MS;
			if (isGood || offsetMs === undefined) offsetMs = (least + most) / 2;
			else offsetMs = Math.min(Math.max(offsetMs, least), most);
		},
	};
}
