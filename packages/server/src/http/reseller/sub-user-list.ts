import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { successEnvelope } from '@bursar/contract';
import { CallerBusyError } from '../../store/reading.ts';
import type { ResellerReads } from '../../store/tables/accounts/reads.ts';
import { type ReadNext, streamPages } from '../server/page-stream.ts';
import { subUserText } from './views.ts';

/**
 * Small enough that reading and writing a page blocks the event loop for only about a millisecond.
 * @bound Sub-users of a list that are read at once: the next step has the rest.
 */
const PAGE_SIZE = 100;

/** @bound Lists of one reseller at once: a further one is refused. */
const LISTS_AT_ONCE = 32;

/**
 * Streams the envelope with all sub-users of a reseller. `nowMs` is in Unix milliseconds. Rejects with
 * `CallerBusyError` if the reseller already has too many lists in progress.
 */
export type SubUserList = (reseller: string, response: ServerResponse, nowMs: number) => Promise<Readable>;

/**
 * Lists sub-users page by page. Each page is a separate query that begins after the last name of the previous page, so
 * each sub-user is listed once, even if others are created meanwhile. Resellers take turns in the store.
 */
export function createSubUserList(store: Pick<ResellerReads, 'listSubUsers'>): SubUserList {
	const underWay = new Map<string, number>();

	function begin(reseller: string): void {
		const count = (underWay.get(reseller) ?? 0) + 1;
		if (count > LISTS_AT_ONCE) throw new CallerBusyError('the reseller has too many lists in progress');
		underWay.set(reseller, count);
	}

	function end(reseller: string): void {
		const count = (underWay.get(reseller) ?? 0) - 1;
		if (count > 0) underWay.set(reseller, count);
		else underWay.delete(reseller);
	}

	/** Reads the list page by page, each after the last name of the previous one. */
	function pagesOf(reseller: string): ReadNext<string> {
		let after: string | undefined = '';
		return async () => {
			if (after === undefined) return undefined;
			const accounts = await store.listSubUsers(reseller, after, PAGE_SIZE);
			const comma = after === '' || accounts.length === 0 ? '' : ',';
			after = accounts.length < PAGE_SIZE ? undefined : accounts.at(-1)?.username;
			return comma + accounts.map(subUserText).join();
		};
	}

	return async (reseller, response, nowMs) => {
		begin(reseller);
		const [head, tail] = listEnvelope(nowMs);
		return streamPages(response, { head, tail, readNext: pagesOf(reseller), ended: () => end(reseller) });
	};
}

/** The text before and after the elements of a list. */
function listEnvelope(nowMs: number): [head: string, tail: string] {
	const [head, tail] = JSON.stringify(successEnvelope([], nowMs)).split('[]');
	return [`${head}[`, `]${tail}`];
}
