/** What an answer tells about the service's clock and about expiry. */
export interface TimedAnswer {
	/** `timestamp` of the envelope: Unix seconds of the service's clock. */
	readonly timestamp: number;
	/** When the request was sent, on the clock of `performance.now()`. */
	readonly sentAtMs: number;
	/** Whether the answer repeats the expiry of its request. `undefined`: the answer cannot tell. */
	readonly isHonoured: boolean | undefined;
}

/**
 * The clock of one service, as its answers tell it. A change carries the second at which it expires by that
 * clock, and the service does not begin it later. So an answer with that `timestamp` or a later one proves that
 * a request still on its way will never be begun. The clock of this machine does not matter.
 */
export class ServiceClock {
	#latest: { readonly timestamp: number; readonly sentAtMs: number; readonly receivedAtMs: number } | undefined;
	#isHonoured: boolean | undefined;

	note({ timestamp, sentAtMs, isHonoured }: TimedAnswer): void {
		// If one process of the service ignores expiry, or one proxy removes the header, the next change may reach it. So
		// one such answer decides for good.
		if (isHonoured !== undefined) this.#isHonoured = isHonoured && this.#isHonoured !== false;
		this.#latest = { timestamp, sentAtMs, receivedAtMs: performance.now() };
	}

	/** Whether any answer has told the time. */
	get isKnown(): boolean {
		return this.#latest !== undefined;
	}

	/** Whether the service begins no change that has expired; `undefined` until an answer tells. */
	get isHonoured(): boolean | undefined {
		return this.#isHonoured;
	}

	/**
	 * The expiry, in Unix seconds, for a request that is sent now and may take about `ms`. If the last answer was
	 * long on its way, the clock is ahead of this estimate. Then the service refuses the request, and that answer
	 * tells the time anew.
	 */
	expiryIn(ms: number): number | undefined {
		if (this.#latest === undefined) return undefined;
		const { timestamp, receivedAtMs } = this.#latest;
		return timestamp + 1 + Math.ceil((performance.now() - receivedAtMs + ms) / 1000);
	}

	/**
	 * The second at which every request has expired that any client has sent until now with `expiryIn(ms)` or less.
	 * The service's clock has run on since the last request was sent, and is up to a second ahead of its timestamp.
	 */
	latestExpiryIn(ms: number): number | undefined {
		if (this.#latest === undefined) return undefined;
		const { timestamp, sentAtMs } = this.#latest;
		return timestamp + 3 + Math.ceil((performance.now() - sentAtMs + ms) / 1000);
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
