import { Readable } from 'node:stream';
import { successEnvelope } from '@bursar/contract';
import type { Account } from '../../domain/account.ts';
import type { ResellerReads } from '../../store/reseller-reads.ts';
import { StoreUnavailableError } from '../../store/store.ts';
import { subUserText } from './views.ts';

/** Small enough that reading and writing a page blocks the event loop for only about a millisecond. */
const PAGE_SIZE = 100;

/** The most lists of one reseller at once. */
const LISTS_AT_ONCE = 32;

/**
 * Streams the envelope with all sub-users of a reseller. `nowMs` is in Unix milliseconds. Rejects with
 * `StoreUnavailableError` if the reseller already has too many lists in progress.
 */
export type SubUserList = (reseller: string, nowMs: number) => Promise<Readable>;

/**
 * Lists sub-users page by page, as fast as the client reads. Each page is a separate query that begins after the last
 * name of the previous page. So a slow client holds nothing in the store, and each sub-user is listed once, even if
 * others are created meanwhile. Resellers take turns in the store.
 */
export function createSubUserList(store: Pick<ResellerReads, 'listSubUsers'>): SubUserList {
	const underWay = new Map<string, number>();

	function begin(reseller: string): void {
		const count = (underWay.get(reseller) ?? 0) + 1;
		if (count > LISTS_AT_ONCE) throw new StoreUnavailableError('the reseller has too many lists in progress');
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
			yield before + accounts.map(subUserText).join();
			before = ',';
			const isLast = accounts.length < PAGE_SIZE;
			accounts = isLast ? [] : await store.listSubUsers(reseller, (accounts.at(-1) as Account).username, PAGE_SIZE);
		}
		yield before === head ? head + tail : tail;
	}

	return async (reseller, nowMs) => {
		begin(reseller);
		try {
			// Read before the answer begins, so that the answer can still be a failure if the store cannot be read.
			const firstPage = await store.listSubUsers(reseller, '', PAGE_SIZE);
			const list = Readable.from(text(reseller, firstPage, nowMs), { highWaterMark: 1 });
			return list.once('close', () => end(reseller));
		} catch (cause) {
			end(reseller);
			throw cause;
		}
	};
}

/** The text before and after the elements of a list. */
function listEnvelope(nowMs: number): [head: string, tail: string] {
	const [head, tail] = JSON.stringify(successEnvelope([], nowMs)).split('[]');
	return [`${head}[`, `]${tail}`];
}
