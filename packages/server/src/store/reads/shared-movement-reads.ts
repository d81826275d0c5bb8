import type { MovementQuery, MovementReads, StoredMovement } from './movement-reads.ts';
import type { ReadLanes } from './read-lanes.ts';
import { filesOf } from './read-owners.ts';
import { type Bind, pageOf, type RowSearch, type SearchStep, searchRows } from './row-search.ts';
import { onePerNumber, selectMovements } from './shared-request-reads.ts';

/** The reads of movements, for any engine. A search without filters is quick, but not a step of a file. */
export function sharedMovementReads(lanes: ReadLanes): MovementReads {
	return {
		async listMovements({ before, ...query }) {
			return pageOf(
				await findMovements(lanes, {
					...query,
					owner: query.owner ?? query.reseller,
					before,
					descends: true,
				}),
			);
		},
		async listMovementsAfter(query) {
			const heavyOnly = { quick: lanes.heavy, heavy: lanes.heavy };
			const { rows, next } = await findMovements(heavyOnly, {
				...query,
				owner: filesOf(query.reseller),
				descends: false,
			});
			return { rows, nextAfter: next?.number ?? null };
		},
	};
}

type MovementSearch = Omit<RowSearch, 'table' | 'filters' | 'select'> &
	Pick<MovementQuery, 'reseller' | 'kind' | 'username'>;

/** Looks for movements of a reseller's money, in one step. */
async function findMovements(
	lanes: ReadLanes,
	{ reseller, kind, username, ...search }: MovementSearch,
): Promise<SearchStep<StoredMovement>> {
	const { rows, next } = await searchRows<StoredMovement>(lanes, {
		...search,
		table: { name: 'transfers', number: 'id', of: { column: 'reseller', value: reseller } },
		filters: [
			...(kind === undefined ? [] : [(bind: Bind) => `kind = ${bind(kind)}`]),
			...(username === undefined ? [] : [(bind: Bind) => isSide(bind(username))]),
		],
		select: selectMovements,
	});
	return { rows: onePerNumber(rows), next };
}

function isSide(username: string): string {
	return `(debit = ${username} OR credit = ${username} OR wanted_username = ${username})`;
}
