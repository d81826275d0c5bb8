import { UnexpectedAnswerError } from '../errors.ts';

/** A page of a list. */
export interface Page<Item> {
	readonly items: readonly Item[];
	/** What to give as `after` for the next page; `undefined` after the last one. A page may be empty and have a next one. */
	readonly next: string | undefined;
	/** Whether there is more to read now, in a list whose last page has a `next` too. */
	readonly more?: boolean;
}

/**
 * A list that is read page by page. Use it with `for await`, which reads each page when it is needed, or take one page.
 * Each page is a call of its own, with the time of one.
 */
export class List<Item, OnePage extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
	readonly #first: string | undefined;
	readonly #readPage: (after: string | undefined) => Promise<OnePage>;

	/** `first`: where the list begins; `undefined`: at its start. */
	constructor(first: string | undefined, readPage: (after: string | undefined) => Promise<OnePage>) {
		this.#first = first;
		this.#readPage = readPage;
	}

	/** The first page, from `after` on if that option was given. */
	page(): Promise<OnePage> {
		return this.#readPage(this.#first);
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
		for (let after = this.#first; ; ) {
			const { items, next, more } = await this.#readPage(after);
			yield* items;
			if (next === undefined || more === false) return;
			if (next === after) {
				throw new UnexpectedAnswerError('the list does not go on: a page names itself as the next');
			}
			after = next;
		}
	}
}
