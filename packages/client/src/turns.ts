import type { Call } from './call.ts';
import { ConnectionError, OutcomeUnknownError } from './errors.ts';
import type { Settings } from './options.ts';
import { askTime } from './read.ts';

/** If the service's clock is behind what was expected, it is asked for the time this often, in milliseconds. */
const ASK_AGAIN_MS = 500;

/** The requests about one username whose answers were lost, while they may still take effect. */
interface Lost {
	readonly count: number;
	/** When the last of them expires, in Unix seconds by the service's clock; `undefined` if one of them never does. */
	readonly expires: number | undefined;
	readonly lostAtMs: number;
	/** When the service showed that all of them have expired. */
	shownAtMs: number | undefined;
}

/**
 * What one client object knows of the changes that it has under way, by username. They take turns, and no
 * change that is judged by looking begins while an earlier one may still take effect.
 */
export class Turns {
	readonly #settings: Pick<Settings, 'clock' | 'settleMs' | 'afterExpiryMs'>;
	readonly #tails = new Map<string, Promise<void>>();
	readonly #lost = new Map<string, Lost>();
	readonly #open = new Set<string>();

	constructor(settings: Pick<Settings, 'clock' | 'settleMs' | 'afterExpiryMs'>) {
		this.#settings = settings;
	}

	/** Runs when all earlier calls for that username have ended; a judged one, when what they lost has settled too. */
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
				throw new ConnectionError('the time for this call was over before others for that sub-user had ended');
			}
			return await run();
		} catch (error) {
			if (error instanceof OutcomeUnknownError && error.code === 'outcome_unknown') this.#open.add(username);
			throw error;
		} finally {
			end();
			// A call that was aborted while it waited leaves before those that it waited for.
			void tail.then(() => {
				if (this.#tails.get(username) === tail) this.#tails.delete(username);
			});
		}
	}

	/**
	 * The answer to a request about that username was lost just now. `expires` is when the request expires, in
	 * Unix seconds by the service's clock.
	 */
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

	/** A lost request has been found to have taken effect. If more were lost beside it, those may still be on their way. */
	found(username: string): void {
		if (this.#lost.get(username)?.count === 1) this.#lost.delete(username);
	}

	/**
	 * Whether an earlier change may take effect at any time, because the service itself could not learn its
	 * outcome. From then on no balance or key of that sub-user is evidence.
	 */
	isOpen(username: string): boolean {
		return this.#open.has(username);
	}

	/**
	 * How long, in milliseconds, until no lost request about that username can take effect any more; or, before the
	 * service has shown that they have expired, until it should be asked.
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

	/** Waits until no lost request about that username can take effect any more; `false` if the call has not that long. */
	async settled(username: string, call: Call): Promise<boolean> {
		const { clock } = this.#settings;
		// The first answer may only tell the time. The second is to a request that has an expiry.
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
