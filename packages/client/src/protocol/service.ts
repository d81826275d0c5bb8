/** What an answer tells about the service. */
export interface TimedAnswer {
	/** `timestamp` of the envelope: Unix seconds of the service's clock. */
	readonly timestamp: number;
	/** When the request was sent, on the clock of `performance.now()`. */
	readonly sentAtMs: number;
	/** Whether the answer shows that ids and expiries of changes are honoured. `undefined`: it cannot tell. */
	readonly isHonoured: boolean | undefined;
}

/**
 * What the answers of one service tell: its clock, and whether it honours the ids and expiries of changes. A change carries
 * the second of that clock at which it expires, and the service does not begin it later. So an answer with that
 * `timestamp`, or a later one, proves that a request still on its way will never be begun.
 */
export class Service {
	#latest: { readonly timestamp: number; readonly sentAtMs: number; readonly receivedAtMs: number } | undefined;
	#isHonoured: boolean | undefined;

	note({ timestamp, sentAtMs, isHonoured }: TimedAnswer): void {
		// The next change may reach the same process of the service or the same proxy. So one such answer decides for good.
		if (isHonoured !== undefined) this.#isHonoured = isHonoured && this.#isHonoured !== false;
		this.#latest = { timestamp, sentAtMs, receivedAtMs: performance.now() };
	}

	/** Whether it does each change with one id only once, and none that has expired; `undefined` until an answer tells. */
	get isHonoured(): boolean | undefined {
		return this.#isHonoured;
	}

	/** The time by its clock, in Unix milliseconds, and up to a second behind it; `undefined` until an answer has told it. */
	get nowMs(): number | undefined {
		if (this.#latest === undefined) return undefined;
		const { timestamp, receivedAtMs } = this.#latest;
		return timestamp * 1000 + (performance.now() - receivedAtMs);
	}

	/**
	 * The expiry, in Unix seconds, for a request that is sent now and may take about `ms`. Before the first answer, this
	 * machine's clock stands for the service's. If the estimate is behind the service's clock, the service refuses the
	 * request, and that answer tells the time.
	 */
	expiryIn(ms: number): number {
		if (this.#latest === undefined) return machineSeconds(ms);
		const { timestamp, receivedAtMs } = this.#latest;
		return timestamp + 1 + Math.ceil((performance.now() - receivedAtMs + ms) / 1000);
	}

	/**
	 * The second at which every request has expired that any client on this machine has sent until now with `expiryIn(ms)`
	 * or less. The service's clock has run on since the last request was sent, and is up to a second ahead of its timestamp.
	 */
	latestExpiryIn(ms: number): number {
		if (this.#latest === undefined) return machineSeconds(ms);
		const { timestamp, sentAtMs } = this.#latest;
		const byService = timestamp + 3 + Math.ceil((performance.now() - sentAtMs + ms) / 1000);
		return Math.max(byService, machineSeconds(ms));
	}

	/** When the last answer was received, by `performance.now()`, if it shows this second or a later one. */
	shownAtMs(seconds: number): number | undefined {
		return this.#latest !== undefined && this.#latest.timestamp >= seconds ? this.#latest.receivedAtMs : undefined;
	}

	/** The time until an answer will show this second, in milliseconds, unless the service's clock is set. */
	untilMs(seconds: number): number {
		if (this.#latest === undefined) return 0;
		const { timestamp, receivedAtMs } = this.#latest;
		return Math.max(0, (seconds - timestamp) * 1000 - (performance.now() - receivedAtMs));
	}
}

function machineSeconds(inMs: number): number {
	return 1 + Math.ceil((Date.now() + inMs) / 1000);
}
