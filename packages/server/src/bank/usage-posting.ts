import { randomUUID } from 'node:crypto';
import { startOfDayMs, usageDayOf } from '../domain/usage.ts';
import type { Store } from '../store/store.ts';
import type { DueAccount, MeteringReads } from '../store/tables/meters/reads.ts';
import type { Bank } from './bank.ts';

/** How often a process looks for bandwidth to post, in milliseconds. */
const LOOK_MS = 60_000;
/** How long names of accounts are gathered before the store is asked which are overdrawn, in milliseconds. */
const GATHER_MS = 500;
const ACCOUNTS_ON_A_PAGE = 300;
/**
 * A command locks the accounts that it names, for one commit.
 * @bound Accounts whose bandwidth one command posts: the next command has the rest. One command runs at a time.
 */
const NAMES_IN_A_COMMAND = 100;
const NAMES_IN_A_READ = 250;
/**
 * @bound Names of used accounts that wait to be posted, about 10 MB: the next look at all accounts finds further
 * ones.
 */
const MAX_NAMES = 100_000;

/**
 * Posts what accounts owe for bandwidth: once after each UTC day, and within about a second if it is all that their balance
 * has, or more. So a balance that was given away cannot be spent on bandwidth as well. It looks at the accounts that were
 * just used, and at the start and each minute at all of them. It gives one command after the other. No request waits for
 * them: live balances are right without them. If several processes look at once, the first one posts, and the others find
 * nothing due.
 */
export interface UsagePosting {
	/** The bandwidth of these accounts costs more now. */
	used(usernames: readonly string[]): void;
	/** Gives no more commands. */
	close(): void;
}

/** Functions that are called with what became of the commands. */
export interface PostingObserver {
	/** What failed is tried again. */
	failed(cause: unknown): void;
	/** All that was to be posted is posted. */
	done(): void;
}

interface UsagePostingParts {
	readonly store: Pick<MeteringReads, 'listDueAccounts' | 'findOverdrawn'> & Pick<Store, 'nowMs'>;
	readonly bank: Pick<Bank, 'submit'>;
	readonly observer: PostingObserver;
	readonly lookMs?: number | undefined;
}

export function createUsagePosting({ store, bank, observer, lookMs = LOOK_MS }: UsagePostingParts): UsagePosting {
	let isClosed = false;
	const names = new Set<string>();
	let gathering: NodeJS.Timeout | undefined;

	const postAll = oneAtATime(lookAtAll);
	const postUsed = oneAtATime(async () => {
		while (names.size > 0 && !isClosed) await postOverdrawn([...names.values().take(NAMES_IN_A_READ)]);
	});
	const timer = setInterval(look, lookMs);
	timer.unref();
	void look();

	async function look(): Promise<void> {
		const worked = await Promise.all([postAll(), postUsed()]);
		if (worked.every(Boolean) && !isClosed) observer.done();
	}

	/** Does the work, unless it is under way. Resolves to whether it succeeded, and never rejects. */
	function oneAtATime(work: () => Promise<void>): () => Promise<boolean> {
		let isUnderWay = false;
		return async () => {
			if (isUnderWay) return false;
			isUnderWay = true;
			try {
				await work();
				return true;
			} catch (cause) {
				if (!isClosed) observer.failed(cause);
				return false;
			} finally {
				isUnderWay = false;
			}
		};
	}

	/** Goes on behind a failure, and throws it at the end: a locked account delays only itself. */
	async function lookAtAll(): Promise<void> {
		const failures: unknown[] = [];
		let after: DueAccount | undefined;
		do {
			const dueSinceBeforeMs = startOfDayMs(usageDayOf(store.nowMs()));
			const page = await store.listDueAccounts({ dueSinceBeforeMs, after, limit: ACCOUNTS_ON_A_PAGE });
			for (const accounts of commandsOf(page)) {
				if (isClosed) return;
				await post(accounts).catch((cause: unknown) => failures.push(cause));
			}
			after = page.at(-1);
		} while (after && !isClosed);
		if (failures.length > 0) throw failures[0];
	}

	/** Goes on behind a failure, and throws it at the end. The accounts that failed are tried again behind the others. */
	async function postOverdrawn(usernames: readonly string[]): Promise<void> {
		for (const username of usernames) names.delete(username);
		const failures: unknown[] = [];
		const failed = (again: readonly string[], cause: unknown) => {
			for (const username of again) names.add(username);
			failures.push(cause);
		};
		const overdrawn = await store.findOverdrawn(usernames).catch((cause: unknown) => failed(usernames, cause));
		for (const accounts of commandsOf(overdrawn ?? [])) {
			if (isClosed) return;
			const again = accounts.map(({ username }) => username);
			await post(accounts).catch((cause: unknown) => failed(again, cause));
		}
		if (failures.length > 0) throw failures[0];
	}

	async function post(accounts: readonly DueAccount[]): Promise<void> {
		const [{ reseller }] = accounts as readonly [DueAccount];
		const usernames = accounts.map(({ username }) => username);
		const outcome = await bank.submit({
			kind: 'post_usage',
			reseller,
			usernames,
			requestId: `posting-${randomUUID()}`,
		});
		if (!outcome.ok) throw new Error(`the usage of accounts of ${reseller} could not be posted: ${outcome.error}`);
	}

	return {
		used(usernames) {
			for (const username of usernames) if (names.size < MAX_NAMES) names.add(username);
			if (isClosed || names.size === 0) return;
			gathering ??= setTimeout(() => {
				gathering = undefined;
				void postUsed();
			}, GATHER_MS).unref();
		},
		close() {
			isClosed = true;
			clearInterval(timer);
			clearTimeout(gathering);
		},
	};
}

/** The accounts of each command, which is about one reseller. They are sorted by reseller. */
function commandsOf(accounts: readonly DueAccount[]): readonly (readonly DueAccount[])[] {
	const commands: DueAccount[][] = [];
	for (const account of accounts) {
		const last = commands.at(-1);
		if (last?.[0]?.reseller === account.reseller && last.length < NAMES_IN_A_COMMAND) last.push(account);
		else commands.push([account]);
	}
	return commands;
}
