import type { Refusal } from '../commands/command.ts';
import {
	type Command,
	type OutcomeOf,
	type PersonCommand,
	type PersonOutcome,
	type PersonOutcomeOf,
	personVerbOf,
	verbOf,
} from '../commands/registry.ts';
import type { BookkeepingRecord, RecordOutcome } from '../domain/bookkeeping/record.ts';
import { type ExpiryTime, isExpired } from '../domain/expiry.ts';
import type { SettledUsage } from '../domain/metering.ts';
import type { ArrivedReport } from '../domain/usage.ts';
import type { BatchAnswer, Store } from '../store/store.ts';
import { createExpiryClock, type ExpiryClock } from './expiry-clock.ts';
import { createGroupCommit, type GroupCommitObserver, type GroupCommitOptions } from './group-commit.ts';
import { createUsageCommit, type UsageCommitOptions, type UsageVerdicts } from './usage-commit.ts';

/** Takes every write, and answers it once its effect is durable. Each kind of write has batches of its own. */
export interface Bank {
	/** Runs a command about accounts. Resolves when its effect is durable or it was refused; never rejects. */
	submit<C extends Command>(command: C): Promise<OutcomeOf<C>>;
	/** Runs a command about a person. Resolves when its effect is durable or it was refused; never rejects. */
	changePerson<C extends PersonCommand>(command: C): Promise<PersonOutcomeOf<C>>;
	/**
	 * Counts usage reports, `USAGE_STEP` at most. Resolves to a verdict for each, in order, when all counted reports are
	 * durable, or to a refusal of all of them. Never rejects. Senders take turns.
	 */
	recordUsage(sender: string, reports: readonly ArrivedReport[]): Promise<UsageVerdicts | Refusal>;
	/** Keeps a record of bookkeeping. Resolves when it is durable or was not written, and may be given again; never rejects. */
	keep(record: BookkeepingRecord): Promise<RecordOutcome>;
	/** How many commands about accounts wait. */
	readonly waiting: number;
	/** When the oldest unfinished batch of them started, in monotonic milliseconds; infinity if there is none. */
	readonly underWaySinceMs: number;
	/** Accepts nothing more. Resolves when everything that was accepted has been answered. */
	stop(): Promise<void>;
}

/** How long after a held command all commands of its reseller wait apart, in milliseconds. */
const APART_MS = 2_500;

/**
 * Each transaction takes milliseconds, so that a command about money never waits long for it.
 * @bound Commands about people in one batch, that wait, and that wait of one person or one stranger: further ones are
 * answered `unavailable`.
 */
const PEOPLE_BOUNDS = { maxBatch: 16, maxWaiting: 512, maxOfOwner: 32 } as const;

const BOOKKEEPING_BOUNDS = {
	/**
	 * A transaction of milliseconds: on SQLite, a command about money that comes meanwhile waits for one of them.
	 * @bound Records of bookkeeping in one batch: the rest waits for the next batch.
	 */
	maxBatch: 256,
	/**
	 * About 16 MB. Many edges may say at once what is open of a thousand accounts each.
	 * @bound Records of bookkeeping that wait: further ones are not written.
	 */
	maxWaiting: 65_536,
	/**
	 * All edges fit, and more tokens than are written at once; and what one request says is open.
	 * @bound Records of bookkeeping of one kind, or of the open connections or the refusals of one edge, that wait:
	 * further ones are not written.
	 */
	maxOfOwner: 1_024,
} as const;

/** What a batch consists of: commands about accounts or people, steps of usage reports, or records of bookkeeping. */
type BatchKind = 'accounts' | 'people' | 'usage' | 'bookkeeping';

export interface BankObserver extends Pick<GroupCommitObserver, 'fault'> {
	batchDone(size: number, durationMs: number, kind: BatchKind): void;
	/** Called for each command about accounts that a reseller gave, and that was committed. */
	changed?(reseller: string): void;
	/** Bandwidth was settled by commands, and that is durable. */
	settled?(settled: readonly SettledUsage[]): void;
	/** The bandwidth of these accounts was counted or corrected, and that is durable. */
	used?(usernames: readonly string[]): void;
	/** The bandwidth of these accounts costs more now, and that is durable. */
	metered?(usernames: readonly string[]): void;
}

interface BankOptions {
	readonly observer: BankObserver;
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
	store: Pick<
		Store,
		'runCommands' | 'runPersonCommands' | 'recordUsage' | 'writeRecords' | 'nowMs' | 'maxWaitMs' | 'batchesAtOnce'
	>,
	{ clock = createExpiryClock(() => store.nowMs()), usage: usageOptions, observer, maxBatch }: BankOptions,
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

	async function runCommands(
		commands: readonly Command[],
		begun: () => void,
	): Promise<BatchAnswer<OutcomeOf<Command>>> {
		const answer = await store.runCommands(commands, store.nowMs(), begun);
		if (answer.kind !== 'committed') return answer;
		if (answer.settled?.length) observer.settled?.(answer.settled);
		for (const [index, command] of commands.entries()) {
			const isDone = !answer.held?.has(index) && answer.results[index]?.ok;
			if (isDone && verbOf(command).giver !== 'service') observer.changed?.(command.reseller);
		}
		return answer;
	}

	async function runPersonCommands(commands: readonly PersonCommand[]): Promise<BatchAnswer<PersonOutcome>> {
		const answer = await store.runPersonCommands(commands, store.nowMs());
		const used = commands.flatMap((command) => personVerbOf(command).changesUsageOf?.(command) ?? []);
		if (used.length > 0) observer.used?.(used);
		return answer;
	}

	const of = (kind: BatchKind) => ({
		maxWaitMs: store.maxWaitMs,
		observer: {
			batchDone: (size: number, durationMs: number) => observer.batchDone(size, durationMs, kind),
			fault: observer.fault,
		},
	});
	const accountOptions: GroupCommitOptions<Command, OutcomeOf<Command>> = {
		...of('accounts'),
		run: runCommands,
		ownerOf,
		expiredNow,
		maxBatch,
		// A held command goes on waiting, apart.
		onHeld(waiting) {
			apartUntilMs.set(waiting.item.reseller, performance.now() + APART_MS);
			apart.enter(waiting);
		},
	};
	const accounts = createGroupCommit({ ...accountOptions, atOnce: store.batchesAtOnce });
	const apart = createGroupCommit({ ...accountOptions, oneOwner: true });
	const people = createGroupCommit({
		...of('people'),
		...PEOPLE_BOUNDS,
		run: runPersonCommands,
		ownerOf: (command) => personVerbOf(command).owner(command),
	});
	const usage = createUsageCommit(store, {
		...of('usage'),
		atOnce: store.batchesAtOnce,
		onUsed: (usernames) => observer.used?.(usernames),
		onMetered: (usernames) => observer.metered?.(usernames),
		...usageOptions,
	});
	const records = createGroupCommit({
		...of('bookkeeping'),
		...BOOKKEEPING_BOUNDS,
		run: (given: readonly BookkeepingRecord[]) => store.writeRecords(given, store.nowMs()),
		ownerOf: ownerOfRecord,
	});
	/** Until when the commands of each reseller wait apart, in monotonic milliseconds. */
	const apartUntilMs = new Map<string, number>();

	function waitsApart(reseller: string): boolean {
		const untilMs = apartUntilMs.get(reseller);
		if (untilMs === undefined || performance.now() < untilMs) return untilMs !== undefined;
		apartUntilMs.delete(reseller);
		return false;
	}

	return {
		// The store answers each command with an outcome of the command's kind.
		submit: <C extends Command>(command: C) =>
			(waitsApart(command.reseller) ? apart : accounts).submit(command) as Promise<OutcomeOf<C>>,
		changePerson: <C extends PersonCommand>(command: C) => people.submit(command) as Promise<PersonOutcomeOf<C>>,
		recordUsage: (sender, reports) => usage.submit({ sender, reports }),
		keep: records.submit,
		get waiting() {
			return accounts.waiting + apart.waiting;
		},
		get underWaySinceMs() {
			return Math.min(accounts.underWaySinceMs, apart.underWaySinceMs);
		},
		async stop() {
			// A command that is held now is refused: `apart` takes none any more.
			await Promise.all([accounts, apart, people, usage, records].map((each) => each.stop()));
		},
	};
}

/** The owner in whose turn a command runs. A program takes the turn of its reseller, also if people may give the command. */
function ownerOf(command: Command): string {
	const { giver = 'reseller' } = command.program ? {} : verbOf(command);
	return giver === 'reseller' ? command.reseller : `${giver}:${command.reseller}`;
}

/** Each kind of record has its own turn. Refusals have one for each edge, open connections one for each process of it. */
function ownerOfRecord(record: BookkeepingRecord): string {
	if (record.kind === 'refused_on_edge') return `refused on ${record.edge}`;
	if (record.kind === 'open_on_edge') return `open on ${record.edge}`;
	return record.kind === 'open_in_process' ? `open on ${record.edge} in ${record.process}` : record.kind;
}
