import { randomUUID } from 'node:crypto';
import type { PostedUsage } from '../domain/command.ts';
import { startOfDayMs, usageDayOf } from '../domain/usage.ts';
import type { DueAccount, MeteringReads } from '../store/reads/metering-reads.ts';
import type { Store } from '../store/store.ts';
import type { Bank } from './bank.ts';

/** How often it is looked whether there is something to post, in milliseconds. */
const LOOK_MS = 60_000;
/** How long an account that has run out waits for others, in milliseconds. */
const GATHER_MS = 500;
const ACCOUNTS_ON_A_PAGE = 300;
/** A command locks the accounts that it names, for one commit. */
const NAMES_IN_A_COMMAND = 100;
/** Names beyond it are posted when they are told again, or after the day. */
const MAX_RAN_OUT = 10_000;

/**
 * Posts what accounts owe for bandwidth: once after each UTC day, and promptly if an account has run out. It gives one
 * command after the other, and nobody waits for them: live balances are right without them. If several processes look at
 * once, the first one posts, and the others find nothing due.
 */
export interface UsagePosting {
	/** The account has run out: what it owes is posted within about a second. It may be told any number of times. */
	ranOut(username: string): void;
	/** Gives no more commands. */
	close(): void;
}

/** Functions that are called with what became of the commands. */
export interface PostingObserver {
	posted(reseller: string, posted: readonly PostedUsage[]): void;
	/** What failed is tried again. */
	failed(cause: unknown): void;
	/** All that was to be posted is posted. */
	done(): void;
}

interface UsagePostingParts {
	readonly store: Pick<MeteringReads, 'listDueAccounts' | 'findDueAccounts'> & Pick<Store, 'nowMs'>;
	readonly bank: Pick<Bank, 'submit'>;
	readonly observer: PostingObserver;
	readonly lookMs?: number | undefined;
}

export function createUsagePosting({ store, bank, observer, lookMs = LOOK_MS }: UsagePostingParts): UsagePosting {
	let isClosed = false;
	let walk: Walk = { day: Number.NEGATIVE_INFINITY, after: undefined, hasFailed: false, isOver: true };
	const outNames = new Set<string>();
	let gathering: NodeJS.Timeout | undefined;

	const postEarlierDays = oneAtATime(async () => {
		const day = usageDayOf(store.nowMs());
		if (walk.day !== day) walk = beginWalk(day);
		while (!walk.isOver && !isClosed) await postPage(walk);
	});
	const postRanOut = oneAtATime(async () => {
		while (outNames.size > 0 && !isClosed) await postNames([...outNames].slice(0, NAMES_IN_A_COMMAND));
	});
	const timer = setInterval(look, lookMs);
	timer.unref();

	async function look(): Promise<void> {
		const worked = await Promise.all([postEarlierDays(), postRanOut()]);
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

	/** Throws at a failure, and then goes on behind it: a locked account delays only itself. */
	async function postPage(walk: Walk): Promise<void> {
		const dueSinceBeforeMs = startOfDayMs(walk.day);
		const page = await store.listDueAccounts({ dueSinceBeforeMs, after: walk.after, limit: ACCOUNTS_ON_A_PAGE });
		for (const accounts of commandsOf(page)) {
			if (isClosed) return;
			walk.after = accounts.at(-1);
			try {
				await post(accounts, dueSinceBeforeMs);
			} catch (cause) {
				walk.hasFailed = true;
				throw cause;
			}
		}
		if (page.length > 0) return;
		if (walk.hasFailed) Object.assign(walk, beginWalk(walk.day));
		else walk.isOver = true;
	}

	async function postNames(usernames: readonly string[]): Promise<void> {
		for (const username of usernames) outNames.delete(username);
		try {
			for (const accounts of commandsOf(await store.findDueAccounts(usernames))) await post(accounts);
		} catch (cause) {
			// Behind the others, which are posted first then.
			for (const username of usernames) outNames.add(username);
			throw cause;
		}
	}

	async function post(accounts: readonly DueAccount[], dueSinceBeforeMs?: number): Promise<void> {
		const [{ reseller }] = accounts as readonly [DueAccount];
		const usernames = accounts.map(({ username }) => username);
		const requestId = `posting-${randomUUID()}`;
		const outcome = await bank.submit({ kind: 'post_usage', reseller, usernames, requestId, dueSinceBeforeMs });
		if (!outcome.ok) throw new Error(`the usage of accounts of ${reseller} could not be posted: ${outcome.error}`);
		observer.posted(reseller, outcome.posted);
	}

	return {
		ranOut(username) {
			if (isClosed || outNames.size >= MAX_RAN_OUT) return;
			outNames.add(username);
			gathering ??= setTimeout(() => {
				gathering = undefined;
				postRanOut();
			}, GATHER_MS).unref();
		},
		close() {
			isClosed = true;
			clearInterval(timer);
			clearTimeout(gathering);
		},
	};
}

/** Walks once through all accounts with something due from before a UTC day, and again if something has failed. */
interface Walk {
	readonly day: number;
	/** The last account that was looked at. */
	after: DueAccount | undefined;
	hasFailed: boolean;
	isOver: boolean;
}

function beginWalk(day: number): Walk {
	return { day, after: undefined, hasFailed: false, isOver: false };
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
