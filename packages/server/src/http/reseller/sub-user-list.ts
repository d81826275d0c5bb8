import { Readable } from 'node:stream';
import { successEnvelope } from '@bursar/contract';
import type { Account } from '../../domain/account.ts';
import type { ResellerReads } from '../../store/reseller-reads.ts';
import { StoreUnavailableError } from '../../store/store.ts';
import { subUserView } from './views.ts';

/** Few enough that reading and writing a page holds the event loop for about a millisecond. */
const PAGE_SIZE = 100;

/** The most lists of one reseller that are under way. */
const LISTS_AT_ONCE = 32;

/**
 * Streams the envelope with all sub-users of a reseller. `nowMs` in Unix milliseconds. Rejects with
 * `StoreUnavailableError` if the reseller has too many lists under way.
 */
export type SubUserList = (reseller: string, nowMs: number) => Promise<Readable>;

/**
 * Lists sub-users page by page, as the reader takes them. Each page is a query of its own that begins
 * behind the last name of the previous one: nothing is held while the reader is slow, and each sub-user
 * stands in the list once, whatever is created meanwhile. The store takes pages in turns over resellers.
 */
export function createSubUserList(store: Pick<ResellerReads, 'listSubUsers'>): SubUserList {
	const underWay = new Map<string, number>();

	function begin(reseller: string): void {
		const count = (underWay.get(reseller) ?? 0) + 1;
		if (count > LISTS_AT_ONCE) throw new StoreUnavailableError('the reseller has too many lists under way');
		underWay.set(reseller, count);
	}

	function end(reseller: string): void {
		const count = (underWay.get(reseller) ?? 0) - 1;
		if (count > 0) underWay.set(reseller, count);
		else underWay.delete(reseller);
	}

	async function* text(reseller: string, firstPage: readonly Account[], nowMs: number): AsyncGenerator<string> {
		const [head, tail] = listEnvelope(nowMs);
		let accounts = firstPage;
		let before = head;
		while (accounts.length > 0) {
			yield before + accounts.map((account) => JSON.stringify(subUserView(account))).join();
			before = ',';
			const isLast = accounts.length < PAGE_SIZE;
			accounts = isLast ? [] : await store.listSubUsers(reseller, (accounts.at(-1) as Account).username, PAGE_SIZE);
		}
		yield before === head ? head + tail : tail;
	}

	return async (reseller, nowMs) => {
		begin(reseller);
		try {
			// Read before the answer begins, so that a store that cannot be read is still answered as such.
			const firstPage = await store.listSubUsers(reseller, '', PAGE_SIZE);
			const list = Readable.from(text(reseller, firstPage, nowMs), { highWaterMark: 1 });
			return list.once('close', () => end(reseller));
		} catch (cause) {
			end(reseller);
			throw cause;
		}
	};
}

/** What stands before the elements of a list, and behind them. */
function listEnvelope(nowMs: number): [head: string, tail: string] {
	const [head, tail] = JSON.stringify(successEnvelope([], nowMs)).split('[]');
	return [`${head}[`, `]${tail}`];
}
