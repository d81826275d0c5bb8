import type { ReadLanes } from '../../reading.ts';
import { OPERATORS } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';
import { anywhere, mayMatch, rangeCondition } from './names.ts';
/**
 * The reads of the search over everything. Each finds `limit` rows at most, and throws `StoreUnavailableError` if the
 * store cannot be asked. A text is in lowercase, without control characters.
 */
export interface SearchReads {
	/** Live sub-users of a reseller whose name or note has the text; first those whose name begins with it. */
	searchSubUsers(reseller: string, text: string, limit: number): Promise<readonly FoundSubUser[]>;
	/** Live sub-users of all resellers, by the beginning of their names. */
	searchAllSubUsers(prefix: string, limit: number): Promise<readonly FoundUsername[]>;
	/** People whose e-mail address has the text; first those whose address begins with it. */
	searchPeople(text: string, limit: number): Promise<readonly FoundPerson[]>;
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
const NAMES_LOOKED_AT = 64;
/** Comes after every character, also after those of e-mail addresses. */
const LAST_CHARACTER = '\u{10ffff}';

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
		{ beginning, anywhere }: { readonly beginning: SharedStatement | undefined; readonly anywhere: SharedStatement },
	): Promise<readonly Row[]> {
		const first = beginning ? await read<Row>('quick', owner, beginning) : [];
		if (first.length >= limit) return first;
		const known = new Set(first.map(keyOf));
		const others = await read<Row>('heavy', owner, anywhere);
		return [...first, ...others.filter((row) => !known.has(keyOf(row)))].slice(0, limit);
	}

	return {
		searchSubUsers: (reseller, text, limit) =>
			beginningThenAnywhere(reseller, limit, ({ username }) => username, {
				beginning: mayMatch(text) ? subUsersBeginning(reseller, text, limit) : undefined,
				anywhere: subUsersAnywhere(reseller, text, limit),
			}),
		searchAllSubUsers: async (prefix, limit) =>
			mayMatch(prefix)
				? beginningThenAnywhere(OPERATORS, limit, ({ username }) => username, {
						beginning: allSubUsersBeginning(prefix, limit, NAMES_LOOKED_AT),
						anywhere: allSubUsersBeginning(prefix, limit),
					})
				: [],
		searchPeople: (text, limit) =>
			beginningThenAnywhere(OPERATORS, limit, ({ email }) => email, {
				beginning: peopleBeginning(text, limit),
				anywhere: peopleAnywhere(text, limit),
			}),
	};
}

function subUsersBeginning(reseller: string, prefix: string, limit: number): SharedStatement {
	return statementOf(
		(bind) => `SELECT username, note FROM accounts WHERE reseller = ${bind(reseller)} AND username <> reseller
			AND ${rangeCondition('username', { prefix, descends: false }, bind)} ORDER BY username LIMIT ${bind(limit)}`,
	);
}

function subUsersAnywhere(reseller: string, text: string, limit: number): SharedStatement {
	return statementOf((bind) => {
		const of = bind(reseller);
		const pattern = bind(anywhere(text));
		return `SELECT username, note FROM accounts WHERE reseller = ${of} AND username <> reseller
			AND (username LIKE ${pattern} ESCAPE '!' OR ${lowerNote(text, bind)} LIKE ${pattern} ESCAPE '!')
			ORDER BY username LIMIT ${bind(limit)}`;
	});
}

/**
 * The note in lowercase, as far as the text depends on it. Engines know the lowercase of ASCII; some know more, which does
 * no harm.
 */
function lowerNote(text: string, bind: Bind): string {
	const others = new Set([...text].filter((letter) => letter > '~' && letter.toUpperCase() !== letter));
	return [...others].reduce(
		(sql, letter) => `replace(${sql}, ${bind(letter.toUpperCase())}, ${bind(letter)})`,
		'lower(note)',
	);
}

/** The live ones among the first names, or without `mostNames` among all. */
function allSubUsersBeginning(prefix: string, limit: number, mostNames?: number): SharedStatement {
	return statementOf(
		(bind) => `SELECT found.username, found.reseller FROM (SELECT username, reseller FROM usernames
				WHERE ${rangeCondition('username', { prefix, descends: false }, bind)} AND username <> reseller
				${mostNames === undefined ? '' : `ORDER BY username LIMIT ${bind(mostNames)}`}) AS found
			JOIN accounts ON accounts.reseller = found.reseller AND accounts.username = found.username
			ORDER BY found.username LIMIT ${bind(limit)}`,
	);
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
