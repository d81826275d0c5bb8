import type { ReadLanes } from '../../reading.ts';
import { OPERATORS } from '../../reading.ts';
import { type Bind, LAST_CHARACTER, statementOf } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';
import { anywhere, hasInNote, mayMatch, rangeCondition, searchedResellers } from './names.ts';

/**
 * The reads of the search over everything. Each finds `limit` rows at most, and throws `StoreUnavailableError` if the
 * store cannot be asked. A text is in lowercase, without control characters.
 */
export interface SearchReads {
	/**
	 * Live sub-users of a reseller whose name or note has the text, or that allow one of these networks; first those whose
	 * name begins with it.
	 */
	searchSubUsers(query: SubUserSearchQuery): Promise<FoundByName<FoundSubUser>>;
	/** Live sub-users of all resellers whose name has the text. */
	searchAllSubUsers(text: string, limit: number): Promise<FoundByName<FoundUsername>>;
	/** The reseller whose sub-user with this name was deleted. For operators. */
	findResellerOfDeleted(username: string): Promise<string | undefined>;
	/** Resellers whose name, or what operators noted on them, has the text. For operators. */
	searchResellers(text: string, limit: number): Promise<readonly FoundReseller[]>;
	/** People whose e-mail address has the text; first those whose address begins with it. */
	searchPeople(text: string, limit: number): Promise<readonly FoundPerson[]>;
}

interface SubUserSearchQuery {
	readonly reseller: string;
	readonly text: string;
	/** Addresses and networks in the form in which they are stored. */
	readonly networks?: readonly string[];
	readonly limit: number;
}

interface FoundByName<Row> {
	readonly rows: readonly Row[];
	/** How many names were looked at, if that was only a part and there may be further hits; otherwise `null`. */
	readonly lookedAt: number | null;
}

interface FoundSubUser {
	readonly username: string;
	/** `null`: none. */
	readonly note: string | null;
}

interface FoundUsername {
	readonly username: string;
	readonly reseller: string;
}

interface FoundReseller {
	readonly reseller: string;
	readonly note: string;
}

interface FoundPerson {
	readonly email: string;
	/** `null` for operators. */
	readonly reseller: string | null;
}

/**
 * Names stay taken after a delete. So many are looked at to find live ones quickly.
 * @bound Names of sub-users, by an index, that a search over everything looks at first: one heavy read finds the
 * rest.
 */
const NAMES_LOOKED_AT = 512;
/**
 * A fraction of a second of a thread that nothing else waits for.
 * @bound Names, by their order, in which a search over everything looks for a text anywhere: it says that it has not
 * looked further.
 */
const NAMES_SEARCHED = 100_000;

/**
 * The reads of the search, for any engine. What begins with the text follows an index. Only if that is too little, a heavy
 * read looks for the text anywhere.
 */
export function searchReads(lanes: ReadLanes): SearchReads {
	const read = async <Row>(lane: keyof ReadLanes, owner: string, statement: SharedStatement) =>
		(await lanes[lane]({ owner, statement })) as readonly Row[];

	/** First the rows of the quick read, then those of the heavy one that it has not. */
	async function beginningThenAnywhere<Row>(
		owner: string,
		limit: number,
		keyOf: (row: Row) => string,
		statements: { readonly beginning: SharedStatement | undefined; anywhere(): Promise<SharedStatement> },
	): Promise<readonly Row[]> {
		const first = statements.beginning ? await read<Row>('quick', owner, statements.beginning) : [];
		if (first.length >= limit) return first;
		const known = new Set(first.map(keyOf));
		const others = await read<Row>('heavy', owner, await statements.anywhere());
		return [...first, ...others.filter((row) => !known.has(keyOf(row)))].slice(0, limit);
	}

	/** The same among names, of which only so many are looked at. */
	async function searchNames<Row extends { readonly username: string }>(
		owner: string,
		limit: number,
		statements: {
			readonly beginning: SharedStatement | undefined;
			anywhere(end: string | undefined): SharedStatement;
			readonly end: SharedStatement;
		},
	): Promise<FoundByName<Row>> {
		let end: string | undefined;
		const rows = await beginningThenAnywhere<Row>(owner, limit, ({ username }) => username, {
			beginning: statements.beginning,
			async anywhere() {
				const [first] = await read<{ readonly username: string }>('heavy', owner, statements.end);
				end = first?.username;
				return statements.anywhere(end);
			},
		});
		return { rows, lookedAt: end !== undefined && rows.length < limit ? NAMES_SEARCHED : null };
	}

	return {
		searchSubUsers: (query) =>
			searchNames(query.reseller, query.limit, {
				beginning: mayMatch(query.text) ? subUsersBeginning(query) : undefined,
				anywhere: (end) => subUsersAnywhere(query, end),
				end: endOf('accounts', NAMES_SEARCHED, query.reseller),
			}),
		searchAllSubUsers: async (text, limit) =>
			mayMatch(text)
				? searchNames(OPERATORS, limit, {
						beginning: allSubUsersBeginning(text, limit),
						anywhere: (end) => allSubUsersAnywhere(text, limit, end),
						end: endOf('usernames', NAMES_SEARCHED),
					})
				: { rows: [], lookedAt: null },
		async findResellerOfDeleted(username) {
			const sql = `SELECT deleted_accounts.reseller FROM usernames JOIN deleted_accounts
				ON deleted_accounts.reseller = usernames.reseller AND deleted_accounts.username = usernames.username
				WHERE usernames.username = $1`;
			const [row] = await read<FoundUsername>('quick', OPERATORS, { sql, values: [username] });
			return row?.reseller;
		},
		searchResellers: (text, limit) => read('heavy', OPERATORS, resellersAnywhere(text, limit)),
		searchPeople: (text, limit) =>
			beginningThenAnywhere(OPERATORS, limit, ({ email }) => email, {
				beginning: peopleBeginning(text, limit),
				anywhere: async () => peopleAnywhere(text, limit),
			}),
	};
}

function subUsersBeginning({ reseller, text, limit }: SubUserSearchQuery): SharedStatement {
	return statementOf(
		(bind) => `SELECT username, note FROM accounts WHERE reseller = ${bind(reseller)} AND username <> reseller
			AND ${rangeCondition('username', { prefix: text, descends: false }, bind)} ORDER BY username LIMIT ${bind(limit)}`,
	);
}

function subUsersAnywhere(
	{ reseller, text, networks = [], limit }: SubUserSearchQuery,
	end: string | undefined,
): SharedStatement {
	return statementOf((bind) => {
		const of = bind(reseller);
		const isAllowed = networks.map((network) => ` OR ' ' || allowed_ips || ' ' LIKE ${bind(`% ${network} %`)}`);
		return `SELECT username, note FROM accounts WHERE reseller = ${of} AND username <> reseller${isBefore(end, bind)}
			AND (username LIKE ${bind(anywhere(text))} ESCAPE '!' OR ${hasInNote(text, bind)}${isAllowed.join('')})
			ORDER BY username LIMIT ${bind(limit)}`;
	});
}

/** The first name that is not looked at. */
function endOf(table: 'accounts' | 'usernames', mostNames: number, reseller?: string): SharedStatement {
	return statementOf(
		(bind) => `SELECT username FROM ${table} ${reseller === undefined ? '' : `WHERE reseller = ${bind(reseller)}`}
			ORDER BY username LIMIT 1 OFFSET ${bind(mostNames)}`,
	);
}

function isBefore(end: string | undefined, bind: Bind): string {
	return end === undefined ? '' : ` AND username < ${bind(end)}`;
}

/** The live ones among the first names. */
function allSubUsersBeginning(prefix: string, limit: number): SharedStatement {
	return statementOf(
		(bind) => `SELECT found.username, found.reseller FROM (SELECT username, reseller FROM usernames
				WHERE ${rangeCondition('username', { prefix, descends: false }, bind)} AND username <> reseller
				ORDER BY username LIMIT ${bind(NAMES_LOOKED_AT)}) AS found
			JOIN accounts ON accounts.reseller = found.reseller AND accounts.username = found.username
			ORDER BY found.username LIMIT ${bind(limit)}`,
	);
}

/** First those that begin with the text, then by name. Those that are past were deleted. */
function allSubUsersAnywhere(text: string, limit: number, end: string | undefined): SharedStatement {
	return statementOf((bind) => {
		const begins = `found.username LIKE ${bind(anywhere(text).slice(1))} ESCAPE '!'`;
		return `SELECT found.username, found.reseller FROM (SELECT username, reseller FROM usernames
				WHERE username LIKE ${bind(anywhere(text))} ESCAPE '!' AND username <> reseller${isBefore(end, bind)}) AS found
			JOIN accounts ON accounts.reseller = found.reseller AND accounts.username = found.username
			ORDER BY CASE WHEN ${begins} THEN 0 ELSE 1 END, found.username LIMIT ${bind(limit)}`;
	});
}

function resellersAnywhere(text: string, limit: number): SharedStatement {
	return statementOf((bind) => {
		const begins = `found.name LIKE ${bind(anywhere(text).slice(1))} ESCAPE '!'`;
		return `${searchedResellers(bind)} SELECT found.name AS reseller, COALESCE(own.note, '') AS note
			FROM found JOIN accounts AS own ON own.reseller = found.name AND own.username = found.name
			WHERE found.name LIKE ${bind(anywhere(text))} ESCAPE '!' OR ${hasInNote(text, bind)}
			ORDER BY CASE WHEN ${begins} THEN 0 ELSE 1 END, found.name LIMIT ${bind(limit)}`;
	});
}

function peopleBeginning(prefix: string, limit: number): SharedStatement {
	return statementOf(
		(
			bind,
		) => `SELECT email, reseller FROM people WHERE email >= ${bind(prefix)} AND email < ${bind(prefix + LAST_CHARACTER)}
			ORDER BY email LIMIT ${bind(limit)}`,
	);
}

function peopleAnywhere(text: string, limit: number): SharedStatement {
	return statementOf(
		(bind) => `SELECT email, reseller FROM people WHERE email LIKE ${bind(anywhere(text))} ESCAPE '!'
			ORDER BY email LIMIT ${bind(limit)}`,
	);
}
