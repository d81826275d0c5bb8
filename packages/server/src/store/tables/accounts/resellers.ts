import type { Terms } from '../../../domain/terms.ts';
import { OPERATORS, quickReads, type ReadLanes } from '../../reading.ts';
import { statementOf } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';
import type { DaySpan } from '../meters/costs.ts';
import { IS_SIGN_IN_ALLOWED } from '../sign-in/sign-in.ts';
import { mayMatch, namesOfResellers } from './names.ts';
import { REFUSED_SUB_USERS, usedByReseller } from './refused.ts';
import { LISTED, type ListedAccount, type RowPosition } from './sub-users.ts';

/** What pages read of resellers themselves. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface ResellerListReads {
	/** Below this balance, in USD cents, the reseller wants a warning; `null`: never. */
	findLowBalance(reseller: string): Promise<number | null>;
	/** Whether the reseller is suspended, what operators allow and note. `owner` of the read; default: the reseller. */
	findOwnTerms(reseller: string, owner?: string): Promise<OwnTerms>;
	/** A page of the platform's resellers. */
	listResellersBy(query: ResellerQuery): Promise<readonly ListedResellerRow[]>;
}

/** `note` is for operators alone. */
interface OwnTerms extends Pick<Terms, 'suspendedAtMs' | 'note'> {
	/** Whether its sub-users may sign in by address. */
	readonly isSignInAllowed: 0 | 1;
}

export interface ResellerQuery {
	/** The beginning of the name. */
	readonly search: string;
	/** Never used counts as 0. To sort by bandwidth, its days are needed. */
	readonly by: 'name' | 'balance' | 'last_used' | 'created' | 'bandwidth' | 'refused';
	readonly used?: DaySpan | undefined;
	readonly descends: boolean;
	/** `undefined` for the first page. */
	readonly after?: RowPosition | undefined;
	readonly limit: number;
	/** The owner of the read. Default: the operators. */
	readonly owner?: string | undefined;
}

export interface ListedResellerRow extends ListedAccount, OwnTerms {
	/** The value that the list is sorted by, if it is no other column. */
	readonly figure?: number;
	/** When one of its tokens was last used. */
	readonly lastUsedAtMs: number | null;
	/** What it owes, in USD cents. */
	readonly debtCents: number;
	/** The debt beyond which its pairs are refused, in USD cents. */
	readonly debtLineCents: number;
	/** The present price of bandwidth, in micro-dollars a GB; `null`: it costs nothing. */
	readonly microUsdPerGb: number | null;
}

/** The reads of resellers, for any engine. A sort by anything but the name is heavy. */
export function resellerListReads(lanes: ReadLanes): ResellerListReads {
	const read = quickReads(lanes);

	return {
		async findLowBalance(reseller) {
			const sql = 'SELECT low_balance_cents AS cents FROM low_balances WHERE reseller = $1';
			const [row] = await read<{ readonly cents: number }>(reseller, sql, [reseller]);
			return row?.cents ?? null;
		},
		async findOwnTerms(reseller, owner = reseller) {
			const sql = `SELECT ${OWN_TERMS} FROM accounts AS account WHERE reseller = $1 AND username = $1`;
			const [row] = await read<OwnTerms>(owner, sql, [reseller]);
			return row ?? { suspendedAtMs: null, note: '', isSignInAllowed: 0 };
		},
		async listResellersBy({ owner = OPERATORS, ...query }) {
			if (!mayMatch(query.search)) return [];
			const lane = query.by === 'name' ? lanes.quick : lanes.heavy;
			return (await lane({ owner, statement: listResellers(query) })) as readonly ListedResellerRow[];
		},
	};
}

const OWN_TERMS = `suspended_at_ms AS "suspendedAtMs", COALESCE(note, '') AS note, ${IS_SIGN_IN_ALLOWED} AS "isSignInAllowed"`;

const SORTED = {
	name: undefined,
	balance: '"balanceCents"',
	last_used: 'COALESCE("lastUsedAtMs", 0)',
	created: '"createdAtMs"',
	bandwidth: 'figure',
	refused: 'figure',
} as const;

function listResellers({ search, by, used, descends, after, limit }: ResellerQuery): SharedStatement {
	const column = SORTED[by];
	const direction = descends ? ' DESC' : '';
	const debt = (name: string) => `(SELECT ${name} FROM accounts WHERE reseller = found.name AND username = found.name)`;
	if (by === 'bandwidth' && !used) throw new Error('to sort by bandwidth, its days are needed');
	return statementOf((bind) => {
		// By name, only those of the page are looked up. Any other order needs all of them.
		const names = column
			? namesOfResellers({ prefix: search, descends: false }, bind)
			: namesOfResellers({ prefix: search, descends, after: after?.username }, bind, limit);
		const isBehind = descends ? '<' : '>';
		const condition =
			column && after ? `WHERE (${column}, username) ${isBehind} (${bind(after.value)}, ${bind(after.username)})` : '';
		const order = [...(column ? [column] : []), 'username'].map((each) => each + direction).join(', ');
		const figure =
			by === 'refused' ? REFUSED_SUB_USERS : by === 'bandwidth' && used ? usedByReseller(used, bind) : undefined;
		const ofOwn =
			figure && `(SELECT ${figure} FROM accounts AS own WHERE own.reseller = found.name AND own.username = found.name)`;
		return `${names} SELECT * FROM (
				SELECT ${LISTED}, ${OWN_TERMS}, ${ofOwn ? `${ofOwn} AS figure,` : ''}
					(SELECT max(last_used_at_ms) FROM tokens WHERE tokens.reseller = found.name) AS "lastUsedAtMs",
					${debt('debt_cents')} AS "debtCents", ${debt('debt_line_cents')} AS "debtLineCents",
					(SELECT micro_usd_per_gb FROM current_prices WHERE current_prices.reseller = found.name) AS "microUsdPerGb"
				FROM found JOIN live_accounts AS account
					ON account.reseller = found.name AND account.username = found.name) AS listed
			${condition} ORDER BY ${order} LIMIT ${bind(limit)}`;
	});
}
