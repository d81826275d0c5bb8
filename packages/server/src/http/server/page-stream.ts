import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailableError } from '../../store/reading.ts';

/** How long to wait before a page is read again, in milliseconds. */
const AGAIN_MS = [500, 2_000];

/** Reads the next page; `undefined` after the last one. A read that has failed can be repeated. */
export type ReadNext<Page> = () => Promise<Page | undefined>;

export interface PagedText {
	/** What stands before the first page, and after the last one. */
	readonly head: string;
	readonly tail: string;
	readonly readNext: ReadNext<string>;
	/** Called once, when the stream has ended or has never begun. */
	readonly ended: () => void;
	/** How long a client may take to read one page, in milliseconds. */
	readonly pageMs?: number;
	/** How long the whole text may take, in milliseconds. */
	readonly wholeMs?: number;
}

/**
 * Streams a text page by page, as fast as the client reads it. Between two pages nothing is held in the store, and at
 * most two are in memory. The first page is read before the stream begins: if that fails, it can still be said. A later
 * page that cannot be read is tried twice more. Then the connection is cut, because a shorter text would look complete.
 */
export async function streamPages(response: ServerResponse, text: PagedText): Promise<Readable> {
	try {
		const first = await text.readNext();
		const stream = Readable.from(partsOf(first, response, text), { highWaterMark: 1 });
		return stream.once('close', text.ended);
	} catch (cause) {
		text.ended();
		throw cause;
	}
}

async function* partsOf(
	first: string | undefined,
	response: ServerResponse,
	{ head, tail, readNext, pageMs, wholeMs }: PagedText,
): AsyncGenerator<string> {
	const late = cutAfter(wholeMs, response);
	let part = head;
	try {
		for (let page = first; page !== undefined && !response.destroyed; page = await readAgain(readNext)) {
			part += page;
			if (part === '') continue;
			const stalled = cutAfter(pageMs, response);
			try {
				yield part;
			} finally {
				clearTimeout(stalled);
			}
			part = '';
		}
		if (part + tail !== '') yield part + tail;
	} finally {
		clearTimeout(late);
	}
}

function cutAfter(ms: number | undefined, response: ServerResponse): NodeJS.Timeout | undefined {
	return ms === undefined ? undefined : setTimeout(() => response.destroy(), ms);
}

async function readAgain<Page>(read: ReadNext<Page>): Promise<Page | undefined> {
	for (const waitMs of AGAIN_MS) {
		try {
			return await read();
		} catch (cause) {
			if (!(cause instanceof StoreUnavailableError)) throw cause;
			await pause(waitMs);
		}
	}
	return read();
}
