import { type Command, type OutcomeOf, type Refusal, refuse } from '../domain/command.ts';
import { type ExpiryTime, isExpired } from '../domain/expiry.ts';
import type { UsageReport } from '../domain/usage.ts';
import type { Store } from '../store/store.ts';
import { createExpiryClock, type ExpiryClock } from './expiry-clock.ts';
import { createGroupCommit, type GroupCommitObserver, type GroupCommitOptions, HELD } from './group-commit.ts';
import { createUsageCommit, type UsageCommitOptions, type UsageVerdicts } from './usage-commit.ts';

/** Where every write goes in: each is answered once its effect is durable. */
export interface Bank {
	/** Runs a command. Resolves when its effect is durable or it was refused; never rejects. */
	submit<C extends Command>(command: C): Promise<OutcomeOf<C>>;
	/**
	 * Counts usage reports, `USAGE_STEP` at most. Resolves to a verdict for each, in order, when all that are counted are
	 * durable, or to a refusal of all of them; never rejects. Senders take turns.
	 */
	recordUsage(sender: string, reports: readonly UsageReport[]): Promise<UsageVerdicts | Refusal>;
	/** How many commands wait to be begun. */
	readonly waiting: number;
	/** Since when the oldest batch is under way, in monotonic milliseconds; infinity where none is. */
	readonly underWaySinceMs: number;
	/** Takes nothing more, and resolves when all that was taken has been answered. */
	stop(): Promise<void>;
}

/** For so long after a command was held, in milliseconds, the commands of its reseller go aside. */
const ASIDE_MS = 2_500;

interface BankOptions {
	readonly observer: GroupCommitObserver;
	readonly maxBatch?: number;
	/** Usage waits as long as commands, in one batch at a time, unless said otherwise. */
	readonly usage?: Partial<UsageCommitOptions>;
	/** The clock that answers are made by: where nothing is answered, one of the bank's own. */
	readonly clock?: ExpiryClock;
}

/**
 * Commands are dated by the store's clock. One that has expired when its batch is about to be begun is refused, and never
 * reaches the store. Those of a reseller whose accounts another transaction holds go aside, into batches of that reseller
 * alone, until none of them has been held for a while: the others do not wait for that lock.
 */
export function createBank(
	store: Pick<Store, 'runCommands' | 'recordUsage' | 'nowMs' | 'maxWaitMs' | 'batchesAtOnce'>,
	{ clock = createExpiryClock(() => store.nowMs()), usage: usageOptions, ...options }: BankOptions,
): Bank {
	/** The clock is looked at once for all, and only where something expires. */
	function expiredNow(): (command: Command) => boolean {
		let time: ExpiryTime | undefined;
		return ({ expiresAtMs }) => {
			if (expiresAtMs === undefined) return false;
			time ??= clock.look();
			return isExpired(expiresAtMs, time);
		};
	}

	const common: GroupCommitOptions<Command, OutcomeOf<Command>> = {
		run: (commands, begun) => store.runCommands(commands, store.nowMs(), begun),
		ownerOf: ({ reseller }) => reseller,
		atOnce: store.batchesAtOnce,
		maxWaitMs: store.maxWaitMs,
		expiredNow,
		...options,
	};
	const main = createGroupCommit(common);
	const aside = createGroupCommit({ ...common, atOnce: 1, oneOwner: true });
	const usage = createUsageCommit(store, {
		observer: options.observer,
		maxWaitMs: store.maxWaitMs,
		...usageOptions,
	});
	/** Until when, in monotonic milliseconds, the commands of a reseller go aside. One entry for a reseller at most. */
	const asideUntilMs = new Map<string, number>();

	function isAside(reseller: string): boolean {
		const untilMs = asideUntilMs.get(reseller);
		if (untilMs === undefined || performance.now() < untilMs) return untilMs !== undefined;
		asideUntilMs.delete(reseller);
		return false;
	}

	return {
		async submit<C extends Command>(command: C) {
			const { reseller } = command;
			const sinceMs = performance.now();
			for (;;) {
				const outcome = await (isAside(reseller) ? aside : main).submit(command, sinceMs);
				if (outcome === HELD) asideUntilMs.set(reseller, performance.now() + ASIDE_MS);
				// The store answers each command with an outcome of its own kind.
				else return (!outcome.ok ? refuse(outcome.error) : outcome) as OutcomeOf<C>;
			}
		},
		async recordUsage(sender, reports) {
			const outcome = await usage.submit({ sender, reports });
			if (outcome === HELD) throw new Error('usage waits for no lock that another transaction may hold');
			return outcome;
		},
		get waiting() {
			return main.waiting + aside.waiting;
		},
		get underWaySinceMs() {
			return Math.min(main.underWaySinceMs, aside.underWaySinceMs);
		},
		async stop() {
			await Promise.all([main.stop(), aside.stop(), usage.stop()]);
		},
	};
}
