import type { Call } from '../call.ts';
import { UnexpectedAnswerError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { read } from '../read.ts';
import type { Page } from './read-terms.ts';

/** A list that is read page by page. */
export interface List<Item> {
	readonly operation: Exchange<Page<Item>>['operation'];
	/** The body for each page, without `after`. */
	readonly body: Readonly<Record<string, unknown>>;
	readonly readData: Exchange<Page<Item>>['readData'];
	/** Begins the call for a page. */
	beginCall(): Call;
}

/** The items of all pages. The next page is requested when the items of the previous one are used up. */
export async function* itemsOf<Item>({ operation, body, readData, beginCall }: List<Item>): AsyncGenerator<Item> {
	for (let after: string | null = null; ; ) {
		const page: Page<Item> = await read(beginCall(), {
			operation,
			body: { ...body, ...(after !== null && { after }) },
			readData,
		});
		yield* page.items;
		// A page may be empty and have a next one.
		if (page.next === null) return;
		if (page.next === after)
			throw new UnexpectedAnswerError('the list does not go on: a page names itself as the next');
		after = page.next;
	}
}
