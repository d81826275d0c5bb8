import type { Call } from './call.ts';
import { ConnectionError } from './errors.ts';

/**
 * What one client object knows of the changes that it has under way, by username. Changes that are
 * judged by looking take turns, and none begins while a lost one of before may still take effect.
 */
export class Turns {
	readonly #settleMs: number;
	readonly #tails = new Map<string, Promise<void>>();
	readonly #settledAt = new Map<string, readonly number[]>();

	/** `settleMs` is how long after its answer was lost a request may still take effect. */
	constructor(settleMs: number) {
		this.#settleMs = settleMs;
	}

	/** Runs when all earlier ones for that username have ended. */
	async take<Result>(username: string, call: Call, run: () => Promise<Result>): Promise<Result> {
		const before = this.#tails.get(username) ?? Promise.resolve();
		let end = () => {};
		const own = new Promise<void>((resolve) => {
			end = resolve;
		});
		const tail = before.then(() => own);
		this.#tails.set(username, tail);
		try {
			await call.unlessAborted(before);
			if (!(await call.wait(this.unsettledMs(username)))) {
				throw new ConnectionError('the time for this call was too short to wait for what was lost before it');
			}
			return await run();
		} finally {
			end();
			// One that was aborted while it waited leaves before those that it waited for.
			void tail.then(() => {
				if (this.#tails.get(username) === tail) this.#tails.delete(username);
			});
		}
	}

	/** The answer to a request about that username was lost just now. */
	lost(username: string): void {
		const now = performance.now();
		for (const name of this.#settledAt.keys()) if (this.unsettledMs(name) === 0) this.#settledAt.delete(name);
		const others = this.#settledAt.get(username)?.filter((settledAt) => settledAt > now) ?? [];
		this.#settledAt.set(username, [...others, now + this.#settleMs]);
	}

	/** What was lost has been found to have taken effect. Where more was lost beside it, that may still be on its way. */
	found(username: string): void {
		if (this.#settledAt.get(username)?.length === 1) this.#settledAt.delete(username);
	}

	/** How long, in milliseconds, until nothing that was lost can still take effect. */
	unsettledMs(username: string): number {
		return Math.max(0, (this.#settledAt.get(username)?.at(-1) ?? 0) - performance.now());
	}
}
