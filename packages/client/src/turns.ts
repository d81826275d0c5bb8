import type { Call } from './call.ts';
import { ConnectionError, OutcomeUnknownError } from './errors.ts';
import type { Settings } from './options.ts';
import { askTime } from './read.ts';

/** While the service's clock is behind the expected time, the client asks for the time this often. */
const ASK_AGAIN_MS = 500;

/** Requests about one username whose answers were lost and which may still take effect. */
interface Lost {
	readonly count: number;
	/** When the last of them expires, in Unix seconds of the service's clock; `undefined` if one never does. */
	readonly expires: number | undefined;
	readonly lostAtMs: number;
	/** When the service showed that all of them have expired. */
	shownAtMs: number | undefined;
}

/**
 * The changes that one client object has in progress, by username. Changes of one username take turns. A change
 * that is judged by looking begins only when no earlier one can still take effect.
 */
export class Turns {
	readonly #settings: Pick<Settings, 'clock' | 'settleMs' | 'afterExpiryMs'>;
	readonly #tails = new Map<string, Promise<void>>();
	readonly #lost = new Map<string, Lost>();
	readonly #open = new Set<string>();

	constructor(settings: Pick<Settings, 'clock' | 'settleMs' | 'afterExpiryMs'>) {
		this.#settings = settings;
	}

	/** Runs when all earlier calls for this username have ended; a judged call also when lost requests have settled. */
	async take<Result>(username: string, call: Call, isJudged: boolean, run: () => Promise<Result>): Promise<Result> {
		const previous = this.#tails.get(username) ?? Promise.resolve();
		let end = () => {};
		const own = new Promise<void>((resolve) => {
			end = resolve;
		});
		const tail = previous.then(() => own);
		this.#tails.set(username, tail);
		try {
			const hasTurn = await call.waitFor(previous);
			if (!hasTurn || (isJudged && !(await this.settled(username, call)))) {
				throw new ConnectionError('the call ran out of time before earlier calls for this sub-user had ended');
			}
			return await run();
		} catch (error) {
			if (error instanceof OutcomeUnknownError && error.code === 'outcome_unknown') this.#open.add(username);
			throw error;
		} finally {
			end();
			// A call that was aborted while it waited ends before the calls that it waited for.
			void tail.then(() => {
				if (this.#tails.get(username) === tail) this.#tails.delete(username);
			});
		}
	}

	/** Notes a lost answer for this username. `expires`: when its request expires, in seconds of the service's clock. */
	lost(username: string, expires: number | undefined): void {
		for (const name of this.#lost.keys()) if (this.unsettledMs(name) === 0) this.#lost.delete(name);
		const others = this.#lost.get(username);
		const isExpiring = expires !== undefined && (others === undefined || others.expires !== undefined);
		this.#lost.set(username, {
			count: (others?.count ?? 0) + 1,
			expires: isExpiring ? Math.max(expires, others?.expires ?? 0) : undefined,
			lostAtMs: performance.now(),
			shownAtMs: undefined,
		});
	}

	/** Notes that a lost request took effect. If more than one was lost, the others may still be on their way. */
	found(username: string): void {
		if (this.#lost.get(username)?.count === 1) this.#lost.delete(username);
	}

	/**
	 * Whether an earlier change may take effect at any time, because the service itself could not learn its
	 * outcome. Then the balance and the key of this sub-user prove nothing.
	 */
	isOpen(username: string): boolean {
		return this.#open.has(username);
	}

	/**
	 * The time, in milliseconds, until no lost request about this username can take effect any more. If the service
	 * has not yet shown that they have expired, the time until the client should ask it.
	 */
	unsettledMs(username: string): number {
		const lost = this.#lost.get(username);
		if (lost === undefined) return 0;
		const { clock, settleMs, afterExpiryMs } = this.#settings;
		const now = performance.now();
		if (lost.expires === undefined || !clock.isHonoured) return Math.max(0, lost.lostAtMs + settleMs - now);
		lost.shownAtMs ??= clock.shownAtMs(lost.expires);
		if (lost.shownAtMs === undefined) return Math.max(ASK_AGAIN_MS, clock.untilMs(lost.expires));
		return Math.max(0, lost.shownAtMs + afterExpiryMs - now);
	}

	/** Waits until no lost request about this username can take effect any more; `false` if the time is too short. */
	async settled(username: string, call: Call): Promise<boolean> {
		const { clock } = this.#settings;
		// The first request may have no expiry, because the time is not yet known. The second has one.
		for (let asked = 0; asked < 2 && clock.isHonoured === undefined && this.unsettledMs(username) > 0; asked++) {
			await askTime(call);
		}
		for (let waitMs = this.unsettledMs(username); waitMs > 0; waitMs = this.unsettledMs(username)) {
			if (!(await call.wait(waitMs))) return false;
			if (clock.isHonoured && this.unsettledMs(username) > 0) await askTime(call);
		}
		return true;
	}
}
