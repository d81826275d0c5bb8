/** The database's clock, as far as this process knows it. */
export interface DatabaseClock {
	/** Unix milliseconds. */
	nowMs(): number;
	/** What the database answered to a question about its time that was asked then, in monotonic milliseconds. */
	set(databaseMs: number, askedAtMs: number): void;
}

/** An answer that took longer shows little more than that the time lies between when it was asked for and now. */
const GOOD_ANSWER_MS = 250;

/**
 * All processes go by the clock of the database, so that one whose own is off retires tokens, and dates
 * what it writes, when the others do. Between two looks, and while the database cannot be asked, the
 * monotonic clock goes on.
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
