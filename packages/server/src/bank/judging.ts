import { randomUUID } from 'node:crypto';
import { type JudgedAccount, reasonToTell } from '../domain/events/judging.ts';
import { usageDayOf } from '../domain/usage.ts';
import type { Store } from '../store/store.ts';
import type { EventReads } from '../store/tables/events/events.ts';
import type { JudgingReads } from '../store/tables/events/judged.ts';
import type { Bank } from './bank.ts';

/** How often a process looks for sub-users that have ended, and for new prices, in milliseconds. */
const LOOK_MS = 5_000;
/** How long names of accounts are gathered before the store is asked which have reached a limit, in milliseconds. */
const GATHER_MS = 500;
/** How often a process looks which balances of resellers are low, in milliseconds. */
const WARN_MS = 60_000;
/**
 * How often it looks at all sub-users with a limit of bytes, and at old events, in milliseconds; and when a UTC day begins. So
 * it also finds what another process has counted that could not tell it any more.
 */
const LOOK_AT_ALL_MS = 300_000;
const ACCOUNTS_ON_A_PAGE = 300;
const NAMES_IN_A_READ = 250;
/**
 * A command locks the accounts that it names, for one commit.
 * @bound Accounts that one command judges: the next command has the rest. One command runs at a time.
 */
const NAMES_IN_A_COMMAND = 100;
/**
 * @bound Names of used accounts that wait to be judged, about 10 MB: the next look at all accounts with limits finds
 * further ones.
 */
const MAX_NAMES = 100_000;
/** @bound Steps in which old events are forgotten, and resellers in one of them: the next look has the rest. */
const FORGETTING_STEPS = 200;
const RESELLERS_IN_A_STEP = 100;
/** @bound Pages of sub-users that have ended, in one look: the next look has the rest. */
const PAGES_OF_ENDED = 100;

/**
 * Finds what resellers are to be told that no command brings about: a limit was reached, a new day or month has opened one
 * again, a sub-user has ended, a price has come or gone, a balance is low. It finds candidates by the same rule that answers
 * checks, and gives one command after the other, which judges them within its transaction. A limit is told within a second or
 * two, an end within ten seconds, and what the beginning of a day changes within minutes. If several processes look at once,
 * the first one tells, and the others find it told. Every five minutes, old events are forgotten.
 */
export interface Judging {
	/** The bandwidth of these accounts was counted or corrected. */
	used(usernames: readonly string[]): void;
	/** Gives no more commands. */
	close(): void;
}

export interface JudgingParts {
	readonly store: JudgingReads & Pick<EventReads, 'listForgetful'> & Pick<Store, 'nowMs'>;
	readonly bank: Pick<Bank, 'submit'>;
	/** How long events are kept, in milliseconds. */
	readonly eventsKeptMs: number;
	/** What failed is done at a later look. */
	readonly failed: (cause: unknown) => void;
	/** A look had no failure. */
	readonly done: () => void;
	/** In milliseconds. For tests. All looks take place as often. */
	readonly lookMs?: number | undefined;
}

export function createJudging({ store, bank, eventsKeptMs, failed, done, lookMs }: JudgingParts): Judging {
	let isClosed = false;
	let isUnderWay = false;
	const names = new Set<string>();
	let gathering: NodeJS.Timeout | undefined;
	let warnedAtMs = Number.NEGATIVE_INFINITY;
	let lookedAtAllMs = Number.NEGATIVE_INFINITY;
	let day = Number.NaN;
	const timer = setInterval(look, lookMs ?? LOOK_MS);
	timer.unref();
	void look();

	/** One look at a time. What fails of one kind delays none of the others. */
	async function look(): Promise<void> {
		if (isUnderWay || isClosed) return;
		isUnderWay = true;
		let hasFailed = false;
		for (const step of [judgeUsed, judgeEnded, judgePrices, warn, lookAtAll]) {
			if (isClosed) break;
			await step().catch((cause: unknown) => {
				hasFailed = true;
				if (!isClosed) failed(cause);
			});
		}
		isUnderWay = false;
		if (hasFailed || isClosed) return;
		done();
		lookSoon();
	}

	/** Looks once names were gathered for a moment, if any wait. */
	function lookSoon(): void {
		if (isClosed || names.size === 0) return;
		gathering ??= setTimeout(() => {
			gathering = undefined;
			void look();
		}, GATHER_MS).unref();
	}

	/** Names that come meanwhile wait for the next look: on a busy service, there would be no end. */
	async function judgeUsed(): Promise<void> {
		const waiting = [...names];
		const failures: unknown[] = [];
		for (let from = 0; from < waiting.length && !isClosed; from += NAMES_IN_A_READ) {
			const some = waiting.slice(from, from + NAMES_IN_A_READ);
			const again = (cause: unknown) => {
				for (const username of some) names.add(username);
				failures.push(cause);
			};
			for (const username of some) names.delete(username);
			const limited = await store.findLimited(some, store.nowMs()).catch(again);
			if (!limited) break;
			await judge(limited).catch(again);
		}
		throwFirst(failures);
	}

	async function judgeEnded(): Promise<void> {
		for (let page = 0; page < PAGES_OF_ENDED && !isClosed; page++) {
			const ended = await store.listEnded(store.nowMs(), ACCOUNTS_ON_A_PAGE);
			await judge(ended);
			if (ended.length < ACCOUNTS_ON_A_PAGE) return;
		}
	}

	async function judgePrices(): Promise<void> {
		const failures: unknown[] = [];
		for (const { reseller, price } of await store.listUnjudgedPrices()) {
			if (isClosed) return;
			await judgePrice(reseller, price).catch((cause: unknown) => failures.push(cause));
		}
		throwFirst(failures);
	}

	async function judgePrice(reseller: string, price: number): Promise<void> {
		await judgePages((after) => store.listSubUsersToJudge({ ...page(after), reseller }));
		if (!isClosed) await submit(reseller, [], price);
	}

	async function warn(): Promise<void> {
		if (performance.now() - warnedAtMs < (lookMs ?? WARN_MS)) return;
		await judgePages((after) => store.listWarned(page(after)));
		warnedAtMs = performance.now();
	}

	async function lookAtAll(): Promise<void> {
		const today = usageDayOf(store.nowMs());
		const isDue = performance.now() - lookedAtAllMs >= (lookMs ?? LOOK_AT_ALL_MS);
		if (!isDue && today === day) return;
		await judgePages((after) => store.listLimited(page(after)));
		await forgetEvents();
		lookedAtAllMs = performance.now();
		day = today;
	}

	const page = (after: JudgedAccount | undefined) => ({ atMs: store.nowMs(), after, limit: ACCOUNTS_ON_A_PAGE });

	/** What has ended is told in between: a reseller may have many sub-users. */
	async function judgePages(
		readPage: (after: JudgedAccount | undefined) => Promise<readonly JudgedAccount[]>,
	): Promise<void> {
		const failures: unknown[] = [];
		let after: JudgedAccount | undefined;
		do {
			const accounts = await readPage(after);
			await judge(accounts).catch((cause: unknown) => failures.push(cause));
			after = accounts.length === ACCOUNTS_ON_A_PAGE ? accounts.at(-1) : undefined;
			if (after) await judgeEnded().catch((cause: unknown) => failures.push(cause));
		} while (after && !isClosed);
		throwFirst(failures);
	}

	/**
	 * Gives commands for those of which something else holds than was told. Goes on behind a failure, and throws it at the
	 * end: a reseller whose account is locked delays no others.
	 */
	async function judge(accounts: readonly JudgedAccount[]): Promise<void> {
		const nowMs = store.nowMs();
		const failures: unknown[] = [];
		const misjudged = accounts.filter((account) => reasonToTell(account, nowMs) !== account.told);
		for (const [reseller, ofReseller] of Map.groupBy(misjudged, (account) => account.reseller)) {
			for (let from = 0; from < ofReseller.length && !isClosed; from += NAMES_IN_A_COMMAND) {
				const some = ofReseller.slice(from, from + NAMES_IN_A_COMMAND);
				const usernames = some.map(({ username }) => username);
				await submit(reseller, usernames).catch((cause: unknown) => failures.push(cause));
			}
		}
		throwFirst(failures);
	}

	async function submit(reseller: string, usernames: readonly string[], judgedAtPrice?: number): Promise<void> {
		const requestId = `judging-${randomUUID()}`;
		const outcome = await bank.submit({ kind: 'judge_usable', reseller, usernames, judgedAtPrice, requestId });
		if (!outcome.ok) throw new Error(`what is usable of ${reseller} could not be judged: ${outcome.error}`);
	}

	/** Resellers take turns. One that fails delays only itself. */
	async function forgetEvents(): Promise<void> {
		const beforeMs = store.nowMs() - eventsKeptMs;
		const failures: unknown[] = [];
		for (let step = 0; step < FORGETTING_STEPS && !isClosed; step++) {
			const resellers = await store.listForgetful(beforeMs, RESELLERS_IN_A_STEP);
			if (resellers.length === 0) break;
			for (const reseller of resellers) {
				const requestId = `forgetting-${randomUUID()}`;
				const outcome = await bank.submit({ kind: 'forget_events', reseller, beforeMs, requestId });
				const failure = `old events of ${reseller} could not be forgotten`;
				if (!outcome.ok) failures.push(new Error(`${failure}: ${outcome.error}`));
			}
			if (failures.length > 0) break;
		}
		throwFirst(failures);
	}

	return {
		used(usernames) {
			for (const username of usernames) if (names.size < MAX_NAMES) names.add(username);
			lookSoon();
		},
		close() {
			isClosed = true;
			clearInterval(timer);
			clearTimeout(gathering);
		},
	};
}

function throwFirst(failures: readonly unknown[]): void {
	if (failures.length > 0) throw failures[0];
}
