import type { Call } from './call.ts';
import { ConnectionError, OutcomeUnknownError } from './errors.ts';

/**
 * What one client object knows of the changes that it has under way, by username. They take turns, and
 * none that is judged by looking begins while a lost one of before may still take effect.
 */
export class Turns {
	readonly #settleMs: number;
	readonly #tails = new Map<string, Promise<void>>();
	readonly #settledAt = new Map<string, readonly number[]>();
	readonly #open = new Set<string>();

	/** `settleMs` is how long after its answer was lost a request may still take effect. */
	constructor(settleMs: number) {
		this.#settleMs = settleMs;
	}

	/** Runs when all earlier ones for that username have ended; judged ones, when what they lost has settled too. */
	async take<Result>(username: string, call: Call, isJudged: boolean, run: () => Promise<Result>): Promise<Result> {
		const before = this.#tails.get(username) ?? Promise.resolve();
		let end = () => {};
		const own = new Promise<void>((resolve) => {
			end = resolve;
		});
		const tail = before.then(() => own);
		this.#tails.set(username, tail);
		try {
			const hasTurn = await call.waitFor(before);
			if (!hasTurn || (isJudged && !(await call.wait(this.unsettledMs(username))))) {
				throw new ConnectionError('the time for this call was over before others for that sub-user had ended');
			}
			return await run();
		} catch (error) {
			if (error instanceof OutcomeUnknownError && error.code === 'outcome_unknown') this.#open.add(username);
			throw error;
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

	/**
	 * Whether an earlier change may take effect at any time, because the service itself could not learn its
	 * outcome. From then on no balance or key of that sub-user is evidence.
	 */
	isOpen(username: string): boolean {
		return this.#open.has(username);
	}

	/** How long, in milliseconds, until nothing that was lost can still take effect. */
	unsettledMs(username: string): number {
		return Math.max(0, (this.#settledAt.get(username)?.at(-1) ?? 0) - performance.now());
	}
}
