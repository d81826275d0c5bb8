/** What an answer tells of the service's clock, and how it treats changes that expire. */
export interface TimedAnswer {
	/** `timestamp` of the envelope: Unix seconds by the service's clock. */
	readonly timestamp: number;
	/** When the request was sent, on the clock of `performance.now()`. */
	readonly sentAtMs: number;
	/** Whether the answer repeats the expiry that its request carried. `undefined`: the answer cannot tell. */
	readonly isHonoured: boolean | undefined;
}

/**
 * The clock of one service, as its answers tell it. A change carries the second at which it expires, by that
 * clock: the service does not begin it later. So an answer with that `timestamp`, or a later one, proves that
 * a request which is still on its way will never be begun. No clock of this machine has a part in that.
 */
export class ServiceClock {
	#latest: { readonly timestamp: number; readonly sentAtMs: number; readonly receivedAtMs: number } | undefined;
	#isHonoured: boolean | undefined;

	note({ timestamp, sentAtMs, isHonoured }: TimedAnswer): void {
		// If one process of a service does not honour expiry, or one way to it strips the header, no other answer
		// tells which of them the next change will meet.
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
	 * The second at which a request expires that is sent now, in Unix seconds, so that it has about that many
	 * milliseconds. The clock may be further on than this takes it to be, if the last answer was long on its way:
	 * then the service refuses the request, and that answer tells the time anew.
	 */
	expiryIn(ms: number): number | undefined {
		if (this.#latest === undefined) return undefined;
		const { timestamp, receivedAtMs } = this.#latest;
		return timestamp + 1 + Math.ceil((performance.now() - receivedAtMs + ms) / 1000);
	}

	/**
	 * The second at which every request has expired that any client has sent until now with `expiryIn` of that many
	 * milliseconds, or fewer. The service's clock runs on since the last request, and is up to a second further.
	 */
	latestExpiryIn(ms: number): number | undefined {
		if (this.#latest === undefined) return undefined;
		const { timestamp, sentAtMs } = this.#latest;
		return timestamp + 3 + Math.ceil((performance.now() - sentAtMs + ms) / 1000);
	}

	/** When an answer was received that shows that second or a later one, on the clock of `performance.now()`. */
	shownAtMs(seconds: number): number | undefined {
		return this.#latest !== undefined && this.#latest.timestamp >= seconds ? this.#latest.receivedAtMs : undefined;
	}

	/** How long until an answer will show that second, in milliseconds, if nobody sets the service's clock. */
	untilMs(seconds: number): number {
		if (this.#latest === undefined) return 0;
		const { timestamp, receivedAtMs } = this.#latest;
		return Math.max(0, (seconds - timestamp) * 1000 - (performance.now() - receivedAtMs));
	}
}
