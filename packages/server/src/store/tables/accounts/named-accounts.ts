import type { PairBounds } from '../../../domain/pair-state.ts';
import type { Bytes } from '../../../domain/usage.ts';
import type { ReadLanes } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';
import { boundsOf, type FindingPairs, opensAtMs, type PairRow, pairDays } from './pair.ts';
import type { UsedBytes } from './terms-reads.ts';

/** What is read about accounts of a reseller that are named. All of it follows an index, in parts of bounded size. */
export interface NamedReads {
	/** What decides whether the proxies accept accounts of a reseller, by username. Its own may be one of them. */
	readPairBounds(query: PairBoundsQuery): Promise<ReadonlyMap<string, AccountBounds>>;
	/** Which of these names sub-users of the reseller had that were deleted. */
	findDeletedNames(reseller: string, usernames: readonly string[]): Promise<readonly string[]>;
	/** What each of these accounts has used now. An account without usage is missing. */
	readUsed(query: PairBoundsQuery): Promise<ReadonlyMap<string, UsedBytes>>;
	/** What each of these accounts used from `firstDay` to `lastDay`. An account without usage is missing. */
	sumUsage(span: UsageSpan): Promise<ReadonlyMap<string, Bytes>>;
}

export interface PairBoundsQuery {
	readonly reseller: string;
	readonly usernames: readonly string[];
	/** Now, in Unix milliseconds. */
	readonly atMs: number;
	/** The owner of the read. Default: the reseller. */
	readonly owner?: string | undefined;
}

interface AccountBounds extends PairBounds {
	/** Whether its balance has ever paid for bandwidth. */
	readonly hasPaid: boolean;
	/** When a limit that is reached opens again by itself, in Unix milliseconds. `null`: never, or none is reached. */
	readonly opensAtMs: number | null;
	/** Its balance, in USD cents. */
	readonly liveCents: number;
}

export interface UsageSpan {
	readonly reseller: string;
	/** The owner of the read. Default: the reseller. */
	readonly owner?: string | undefined;
	readonly usernames: readonly string[];
	readonly firstDay: number;
	readonly lastDay: number;
}

export function namedReads(lanes: ReadLanes, findingPairs: FindingPairs): NamedReads {
	const read = async <Row>(owner: string, statement: SharedStatement) =>
		(await lanes.quick({ owner, statement })) as readonly Row[];

	return {
		async readPairBounds({ reseller, usernames: wanted, atMs, owner = reseller }) {
			const bounds = new Map<string, AccountBounds>();
			for (const usernames of inParts(wanted)) {
				const rows = await read<PairRow>(owner, findingPairs(usernames, atMs));
				for (const row of rows) {
					if (row.reseller !== reseller) continue;
					const { username, liveCents, hasPaid } = row;
					const opens = opensAtMs(row, atMs);
					bounds.set(username, { ...boundsOf(row), hasPaid: Boolean(hasPaid), liveCents, opensAtMs: opens });
				}
			}
			return bounds;
		},
		async findDeletedNames(reseller, wanted) {
			const found: string[] = [];
			for (const usernames of inParts(wanted)) {
				const rows = await read<{ readonly username: string }>(reseller, findDeleted(reseller, usernames));
				found.push(...rows.map(({ username }) => username));
			}
			return found;
		},
		async readUsed({ reseller, usernames: wanted, atMs, owner = reseller }) {
			const used = new Map<string, UsedBytes>();
			for (const usernames of inParts(wanted, USED_AT_ONCE)) {
				const rows = await read<UsedRow>(owner, findUsed(reseller, usernames, atMs));
				for (const { username, ...bytes } of rows) used.set(username, bytes);
			}
			return used;
		},
		async sumUsage(span) {
			const sums = new Map<string, Bytes>();
			for (const usernames of inParts(span.usernames)) {
				const statement = sumUsage({ ...span, usernames });
				const rows = await read<SumRow>(span.owner ?? span.reseller, statement);
				for (const { username, bytesUp, bytesDown } of rows) sums.set(username, { bytesUp, bytesDown });
			}
			return sums;
		},
	};
}

/** How many accounts one statement looks up. */
const NAMES_AT_ONCE = 50;
/**
 * All days of an account are added up: about a millisecond of an embedded store if each was used every day for a year.
 * @bound Accounts of which one read adds up all days of usage: the next read has the rest.
 */
const USED_AT_ONCE = 10;

function inParts(usernames: readonly string[], most = NAMES_AT_ONCE): readonly (readonly string[])[] {
	const count = Math.ceil(usernames.length / most);
	return Array.from({ length: count }, (_, part) => usernames.slice(part * most, (part + 1) * most));
}

/** The number of parameters does not change, so that an engine prepares one statement. No account has an empty name. */
function namesOf(usernames: readonly string[], bind: Bind, most = NAMES_AT_ONCE): string {
	return Array.from({ length: most }, (_, index) => bind(usernames[index] ?? '')).join(', ');
}

function findDeleted(reseller: string, usernames: readonly string[]): SharedStatement {
	return statementOf(
		(bind) => `SELECT username FROM deleted_accounts
			WHERE reseller = ${bind(reseller)} AND username IN (${namesOf(usernames, bind)})`,
	);
}

type UsedRow = UsedBytes & { readonly username: string };

function findUsed(reseller: string, usernames: readonly string[], atMs: number): SharedStatement {
	return statementOf((bind) => {
		const [firstOfMonth, today] = pairDays(atMs).map(bind);
		// As in `usedOn`.
		const sum = (days: string) => `CAST(COALESCE(sum(CASE WHEN ${days}
			THEN CAST(bytes_up + bytes_down AS double precision) END), 0) AS bigint)`;
		return `SELECT username, ${sum(`day = ${today}`)} AS "usedOfDay",
			${sum(`day BETWEEN ${firstOfMonth} AND ${today}`)} AS "usedOfMonth", ${sum('TRUE')} AS "usedOfTotal"
			FROM usage_days WHERE reseller = ${bind(reseller)} AND username IN (${namesOf(usernames, bind, USED_AT_ONCE)})
			GROUP BY username`;
	});
}

type SumRow = Bytes & { readonly username: string };

function sumUsage({ reseller, usernames, firstDay, lastDay }: UsageSpan): SharedStatement {
	return statementOf(
		(
			bind,
		) => `SELECT username, CAST(sum(bytes_up) AS bigint) AS "bytesUp", CAST(sum(bytes_down) AS bigint) AS "bytesDown"
			FROM usage_days WHERE reseller = ${bind(reseller)} AND username IN (${namesOf(usernames, bind)})
			AND day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)} GROUP BY username`,
	);
}
