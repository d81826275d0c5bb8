import type { UsageCharge } from '../../domain/metering.ts';
import type { SharedStatement } from '../people/person-rows.ts';
import { CHARGES } from '../rows/metering-rows.ts';
import type { ChargesQuery, MovementQuery, MovementReads, StoredMovement } from './movement-reads.ts';
import type { ReadLanes } from './read-lanes.ts';
import { filesOf } from './read-owners.ts';
import { type Bind, pageOf, type RowSearch, type SearchStep, searchRows, statementOf } from './row-search.ts';
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
		async listUsageCharges({ movements, ...query }) {
			const charges: UsageCharge[] = [];
			for (let from = 0; from < movements.length; from += MOVEMENTS_AT_ONCE) {
				const statement = findCharges({ ...query, movements: movements.slice(from, from + MOVEMENTS_AT_ONCE) });
				charges.push(...((await lanes.quick({ owner: query.owner, statement })) as readonly UsageCharge[]));
			}
			return charges;
		},
	};
}

/** For how many movements one statement looks. */
const MOVEMENTS_AT_ONCE = 50;

function findCharges({ reseller, movements }: ChargesQuery): SharedStatement {
	// The number of parameters does not change, so that an engine prepares one statement. No account has an empty name.
	const wanted = Array.from({ length: MOVEMENTS_AT_ONCE }, (_, index) => movements[index] ?? { debit: '', atMs: 0 });
	return statementOf((bind) => {
		const values = wanted.map(({ debit, atMs }) => `(CAST(${bind(debit)} AS text), CAST(${bind(atMs)} AS bigint))`);
		return `WITH wanted (name, settled_at_ms) AS (VALUES ${values.join(', ')})
			${CHARGES} JOIN (SELECT DISTINCT * FROM wanted) AS paid ON paid.name = username AND paid.settled_at_ms = at_ms
			WHERE reseller = ${bind(reseller)} ORDER BY at_ms, username, price`;
	});
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
