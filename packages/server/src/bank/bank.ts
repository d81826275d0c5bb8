import type { Command, OutcomeOf, Refusal } from '../domain/command.ts';
import { type ExpiryTime, isExpired } from '../domain/expiry.ts';
import type { PersonCommand, PersonOutcomeOf } from '../domain/people/person-command.ts';
import type { ArrivedReport } from '../domain/usage.ts';
import type { Store } from '../store/store.ts';
import { createExpiryClock, type ExpiryClock } from './expiry-clock.ts';
import { createGroupCommit, type GroupCommitObserver, type GroupCommitOptions, HELD } from './group-commit.ts';
import { createPersonCommit } from './person-commit.ts';
import { createUsageCommit, type UsageCommitOptions, type UsageVerdicts } from './usage-commit.ts';

/** Takes every write, and answers it once its effect is durable. */
export interface Bank {
	/** Runs a command. Resolves when its effect is durable or it was refused; never rejects. */
	submit<C extends Command>(command: C): Promise<OutcomeOf<C>>;
	/** Runs a command about a person. Resolves when its effect is durable or it was refused; never rejects. */
	changePerson<C extends PersonCommand>(command: C): Promise<PersonOutcomeOf<C>>;
	/**
	 * Counts usage reports, `USAGE_STEP` at most. Resolves to a verdict for each, in order, when all counted reports are
	 * durable, or to a refusal of all of them. Never rejects. Senders take turns.
	 */
	recordUsage(sender: string, reports: readonly ArrivedReport[]): Promise<UsageVerdicts | Refusal>;
	/** How many commands wait in the queue. */
	readonly waiting: number;
	/** When the oldest unfinished batch started, in monotonic milliseconds; infinity if there is none. */
	readonly underWaySinceMs: number;
	/** Accepts nothing more. Resolves when everything that was accepted has been answered. */
	stop(): Promise<void>;
}

/** How long after a held command all commands of its reseller use the `aside` queue, in milliseconds. */
const ASIDE_MS = 2_500;

interface BankOptions {
	readonly observer: GroupCommitObserver;
	readonly maxBatch?: number;
	/** By default, usage reports wait as long as commands, and as many batches of them run at once. */
	readonly usage?: Partial<UsageCommitOptions>;
	/** The clock that the answers show. A caller that sends no answers may leave it out. */
	readonly clock?: ExpiryClock;
}

/**
 * Commands get their time from the store's clock. A command that has expired when its batch starts is refused, and
 * never reaches the store. If another transaction holds an account, the commands of its reseller wait in batches of
 * their own for a while, so that the other resellers do not wait for that lock.
 */
export function createBank(
	store: Pick<Store, 'runCommands' | 'runPersonCommands' | 'recordUsage' | 'nowMs' | 'maxWaitMs' | 'batchesAtOnce'>,
	{ clock = createExpiryClock(() => store.nowMs()), usage: usageOptions, ...options }: BankOptions,
): Bank {
	/** Reads the clock once for a whole batch, and only if a command can expire. */
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
		ownerOf,
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
		atOnce: store.batchesAtOnce,
		...usageOptions,
	});
	const people = createPersonCommit(store, { observer: options.observer, maxWaitMs: store.maxWaitMs });
	/** Until when each reseller uses `aside`, in monotonic milliseconds. */
	const asideUntilMs = new Map<string, number>();

	function isAside(reseller: string): boolean {
		const untilMs = asideUntilMs.get(reseller);
		if (untilMs === undefined || performance.now() < untilMs) return untilMs !== undefined;
		asideUntilMs.delete(reseller);
		return false;
	}

	/** Calls `answer` once. A held command enters again. */
	function enter(command: Command, sinceMs: number, answer: (outcome: OutcomeOf<Command>) => void): void {
		const { reseller } = command;
		(isAside(reseller) ? aside : main).enter(command, sinceMs, (outcome) => {
			if (outcome !== HELD) return answer(outcome);
			asideUntilMs.set(reseller, performance.now() + ASIDE_MS);
			queueMicrotask(() => enter(command, sinceMs, answer));
		});
	}

	return {
		submit<C extends Command>(command: C): Promise<OutcomeOf<C>> {
			const sinceMs = performance.now();
			// The store answers each command with an outcome of the command's kind.
			return new Promise((answer) => enter(command, sinceMs, answer as (outcome: OutcomeOf<Command>) => void));
		},
		async changePerson<C extends PersonCommand>(command: C) {
			const outcome = await people.submit(command);
			if (outcome === HELD) throw new Error('a command about a person cannot be held');
			// The store answers each command with an outcome of the command's kind.
			return outcome as PersonOutcomeOf<C>;
		},
		async recordUsage(sender, reports) {
			const outcome = await usage.submit({ sender, reports });
			if (outcome === HELD) throw new Error('a batch of usage reports cannot be held');
			return outcome;
		},
		get waiting() {
			return main.waiting + aside.waiting;
		},
		get underWaySinceMs() {
			return Math.min(main.underWaySinceMs, aside.underWaySinceMs);
		},
		async stop() {
			await Promise.all([main.stop(), aside.stop(), people.stop(), usage.stop()]);
		},
	};
}

/**
 * Programs of a reseller cannot give these commands. They have a line of their own, because ending the tokens of a
 * reseller must not wait behind a flood from whoever has stolen one.
 */
const NOT_OF_PROGRAMS: ReadonlySet<Command['kind']> = new Set([
	'create_reseller',
	'credit_reseller',
	'rotate_token',
	'revoke_token',
]);

/** Whose turn a command is part of. */
function ownerOf({ kind, reseller }: Command): string {
	return NOT_OF_PROGRAMS.has(kind) ? `account:${reseller}` : reseller;
}
