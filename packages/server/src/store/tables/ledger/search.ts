import { OPERATORS, type ReadLanes } from '../../reading.ts';
import { type Bind, LAST_CHARACTER, ROWS_IN_A_STEP, statementOf } from '../../search.ts';
import { anywhere, searchedResellers } from '../accounts/names.ts';

/** Whose money it is; `null`: of all resellers, for operators. */
type Whose = string | null;

/**
 * Finds movements, payments and changes by what people have of them. `limit` rows at most. Each read throws
 * `StoreUnavailableError` if the store cannot be asked.
 */
export interface LedgerSearchReads {
	/** The movement with this number; of all resellers one for each. */
	findMovementsByNumber(reseller: Whose, number: number, limit: number): Promise<readonly FoundMovement[]>;
	findMovementsOfRequest(reseller: Whose, requestId: string, limit: number): Promise<readonly FoundMovement[]>;
	/** Looks at the newest `ROWS_IN_A_STEP` movements: changes are forgotten earlier. */
	findMovementsOfChange(reseller: string, changeId: string, limit: number): Promise<readonly FoundMovement[]>;
	/** The movement of a payment with exactly this reference; of all resellers also by the beginning. */
	findPayments(reseller: Whose, reference: string, limit: number): Promise<readonly FoundPayment[]>;
	findChangesById(reseller: Whose, changeId: string, limit: number): Promise<readonly FoundChange[]>;
	/** References that have the text, in lowercase, among the newest `ROWS_IN_A_STEP` movements. */
	searchReferences(query: ReferenceQuery): Promise<FoundReferences>;
}

interface FoundReferences {
	readonly references: readonly string[];
	/** How many movements were looked at, if there are more; otherwise `null`. */
	readonly lookedAt: number | null;
}

interface ReferenceQuery {
	readonly reseller: string;
	readonly text: string;
	readonly limit: number;
	/** The owner of the read. Default: the reseller. */
	readonly owner?: string | undefined;
}

export interface FoundMovement {
	readonly reseller: string;
	readonly number: number;
	readonly kind: string;
	readonly atMs: number;
}

interface FoundPayment extends FoundMovement {
	readonly reference: string;
}

interface FoundChange {
	readonly reseller: string;
	readonly username: string | null;
	readonly error: string | null;
	readonly atMs: number;
	readonly requestId: string;
}

export function ledgerSearchReads(lanes: ReadLanes): LedgerSearchReads {
	const read = async <Row>(lane: keyof ReadLanes, owner: string | null, sql: (bind: Bind) => string) =>
		(await lanes[lane]({ owner: owner ?? OPERATORS, statement: statementOf(sql) })) as readonly Row[];

	return {
		findMovementsByNumber: (reseller, number, limit) =>
			reseller === null
				? read('heavy', null, (bind) => {
						const of = `${searchedResellers(bind)} SELECT ${COLUMNS} FROM found JOIN transfers ON transfers.reseller = found.name`;
						return `${of} WHERE transfers.id = ${bind(number)} ORDER BY transfers.reseller LIMIT ${bind(limit)}`;
					})
				: read('quick', reseller, (bind) => {
						return `SELECT ${COLUMNS} FROM transfers WHERE reseller = ${bind(reseller)} AND id = ${bind(number)}`;
					}),
		findMovementsOfRequest: (reseller, requestId, limit) =>
			read('quick', reseller, (bind) => {
				const isOf = reseller === null ? '' : `AND reseller = ${bind(reseller)}`;
				return `SELECT ${COLUMNS} FROM transfers WHERE request_id = ${bind(requestId)} ${isOf} LIMIT ${bind(limit)}`;
			}),
		findMovementsOfChange: (reseller, changeId, limit) =>
			read('heavy', reseller, (bind) => {
				return `SELECT ${COLUMNS} FROM ${newest(reseller, bind)} WHERE change_id = ${bind(changeId)} LIMIT ${bind(limit)}`;
			}),
		findPayments: (reseller, reference, limit) =>
			read('quick', reseller, (bind) => {
				const isAsked =
					reseller === null
						? `reference >= ${bind(reference)} AND reference < ${bind(reference + LAST_CHARACTER)}`
						: `reference = ${bind(reference)} AND reseller = ${bind(reseller)}`;
				return `SELECT ${COLUMNS}, paid.reference FROM (
						SELECT * FROM top_ups WHERE ${isAsked} ORDER BY reference LIMIT ${bind(limit)}) AS paid
					JOIN transfers ON transfers.request_id = paid.request_id AND transfers.reseller = paid.reseller
						AND transfers.kind IN ('top_up', 'adjustment', 'refund_debt')
					ORDER BY paid.reference LIMIT ${bind(limit)}`;
			}),
		findChangesById: (reseller, changeId, limit) =>
			reseller === null
				? read('heavy', null, (bind) => {
						return `${searchedResellers(bind)} SELECT ${CHANGE} FROM found JOIN changes ON changes.reseller = found.name
							WHERE change_id = ${bind(changeId)} ORDER BY changes.reseller LIMIT ${bind(limit)}`;
					})
				: read('quick', reseller, (bind) => {
						return `SELECT ${CHANGE} FROM changes WHERE reseller = ${bind(reseller)} AND change_id = ${bind(changeId)}`;
					}),
		async searchReferences({ reseller, text, limit, owner = reseller }) {
			const rows = await read<{ readonly reference: string }>('heavy', owner, (bind) => {
				return `SELECT DISTINCT reference FROM ${newest(reseller, bind)}
					WHERE lower(reference) LIKE ${bind(anywhere(text))} ESCAPE '!' ORDER BY reference LIMIT ${bind(limit)}`;
			});
			const further = await read('heavy', owner, (bind) => {
				return `SELECT 1 AS found FROM transfers WHERE reseller = ${bind(reseller)}
					ORDER BY id DESC LIMIT 1 OFFSET ${bind(ROWS_IN_A_STEP)}`;
			});
			return {
				references: rows.map(({ reference }) => reference),
				lookedAt: further.length > 0 ? ROWS_IN_A_STEP : null,
			};
		},
	};
}

const COLUMNS = `transfers.reseller, transfers.id AS number, transfers.kind, transfers.at_ms AS "atMs"`;
const CHANGE =
	'changes.reseller, changes.username, changes.error, changes.at_ms AS "atMs", changes.request_id AS "requestId"';

function newest(reseller: string, bind: Bind): string {
	return `(SELECT reseller, id, kind, at_ms, change_id, reference FROM transfers WHERE reseller = ${bind(reseller)}
		ORDER BY id DESC LIMIT ${bind(ROWS_IN_A_STEP)}) AS transfers`;
}
