import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { successEnvelope } from '@bursar/contract';
import type { Account } from '../domain/account.ts';
import type { AccountReader } from '../store/store.ts';
import { subUserView } from './views.ts';

/** Few enough that reading and writing a page holds the event loop for about a millisecond. */
const PAGE_SIZE = 100;

/** Streams the envelope with all sub-users of a reseller. `nowMs` in Unix milliseconds. */
export type SubUserList = (reseller: string, nowMs: number) => Promise<Readable>;

/**
 * Lists sub-users page by page, as the reader takes them. Each page is a query of its own that begins
 * behind the last name of the one before: nothing is held while the reader is slow, and each sub-user
 * stands in the list once, whatever is created meanwhile. However many lists are being read, one page
 * is made in one turn of the event loop, so that they do not keep everybody else waiting.
 */
export function createSubUserList(store: Pick<AccountReader, 'listSubUsers'>): SubUserList {
	let lastTurn: Promise<unknown> = Promise.resolve();

	async function page(reseller: string, after: string): Promise<readonly Account[]> {
		lastTurn = lastTurn.then(() => setImmediate());
		await lastTurn;
		return store.listSubUsers(reseller, after, PAGE_SIZE);
	}

	async function* text(reseller: string, firstPage: readonly Account[], nowMs: number): AsyncGenerator<string> {
		const [head, tail] = listEnvelope(nowMs);
		let accounts = firstPage;
		let before = head;
		while (accounts.length > 0) {
			yield before + accounts.map((account) => JSON.stringify(subUserView(account))).join();
			before = ',';
			const isLast = accounts.length < PAGE_SIZE;
			accounts = isLast ? [] : await page(reseller, (accounts.at(-1) as Account).username);
		}
		yield before === head ? head + tail : tail;
	}

	return async (reseller, nowMs) => {
		// Read before the answer begins, so that a store that cannot be read is still answered as such.
		const firstPage = await page(reseller, '');
		return Readable.from(text(reseller, firstPage, nowMs), { highWaterMark: 1 });
	};
}

/** What stands before the elements of a list, and behind them. */
function listEnvelope(nowMs: number): [head: string, tail: string] {
	const [head, tail] = JSON.stringify(successEnvelope([], nowMs)).split('[]');
	return [`${head}[`, `]${tail}`];
}
