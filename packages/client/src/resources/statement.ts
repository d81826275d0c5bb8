import type { StatementOptions } from '../options.ts';
import type { BeginCall } from '../protocol/call.ts';
import { read } from '../protocol/read.ts';
import { readListOptions } from '../read-options.ts';
import { readStatementPage } from '../read-terms.ts';
import type { Movement } from '../sub-user-terms.ts';
import { List } from './list.ts';

/** The movements of money: `bursar.statement`. */
export class StatementResource {
	readonly #begin: BeginCall;

	constructor(begin: BeginCall) {
		this.#begin = begin;
	}

	/**
	 * The movements of the reseller and of its sub-users, the newest first, or with `order: 'oldest'` the oldest first. Bandwidth
	 * that was used since it was last settled is not in a movement yet. With `oldest`, a page always has a `next`: go on there
	 * later. Rejects then with `StatementRewoundError` if the statement does not have the place `after` any more.
	 */
	list(options: StatementOptions = {}): List<Movement> {
		const { after, body, callOptions } = readListOptions(options, {
			from: true,
			to: true,
			order: true,
			reference: true,
		});
		return new List(after, (after) =>
			read(this.#begin(callOptions), {
				operation: 'viewStatementPage',
				body: { ...body, after },
				readData: readStatementPage,
			}),
		);
	}
}
