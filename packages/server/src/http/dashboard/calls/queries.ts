import { ACT_KINDS, type DashboardFiles, type DashboardReads, MOVEMENT_KINDS } from '@bursar/contract/dashboard';

/** Reads one value of a query from its text; `undefined` if the call does not know it. */
type Reading<Value> = (text: string) => Value | undefined;

/** How each value of a query is read, and whether it may be absent, as the contract says. */
type Check<Query> = {
	readonly [Name in keyof Query]-?: {
		readonly optional: Record<never, never> extends Pick<Query, Name> ? true : false;
		readonly read: Reading<Exclude<Query[Name], undefined>>;
	};
};

type Queries = DashboardReads & DashboardFiles;
export type QueryOf<Path extends keyof Queries> = Queries[Path]['query'];

const needed = <Value>(read: Reading<Value>) => ({ optional: false, read }) as const;
const optional = <Value>(read: Reading<Value>) => ({ optional: true, read }) as const;

const text: Reading<string> = (value) => value;
const number: Reading<number> = (value) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined);

function oneOf<Value extends string | number>(values: readonly Value[]): Reading<Value> {
	return (given) => values.find((value) => String(value) === given);
}

/** A time as `toISOString` writes it. */
const time: Reading<string> = (value) => {
	const ms = Date.parse(value);
	return !Number.isNaN(ms) && new Date(ms).toISOString() === value ? value : undefined;
};

/** A time zone that `Intl` knows, like `Europe/Berlin`. */
const zone: Reading<string> = (value) => {
	if (!/^[A-Za-z0-9_+:/-]{1,64}$/.test(value)) return undefined;
	try {
		Intl.DateTimeFormat('en', { timeZone: value });
		return value;
	} catch {
		return undefined;
	}
};

const range = { from: optional(time), to: optional(time) };
const movements = { kind: optional(oneOf(MOVEMENT_KINDS)), username: optional(text), ...range };
const position = { after: optional(text), before: optional(text) };
const search = { search: optional(text), match: optional(oneOf(['beginning', 'anywhere'] as const)) };
const order = optional(oneOf(['name', '-name', 'balance', '-balance', 'created', '-created'] as const));
const days = needed(oneOf([7, 30, 90] as const));
const page = { before: optional(number) };

const QUERIES = {
	'/session': {},
	'/account': {},
	'/account/acts': page,
	'/token': {},
	'/overview': {},
	'/bandwidth': { days, username: optional(text) },
	'/bandwidth/top': { days },
	'/sub-users': { ...search, ...position, order },
	'/sub-users/count': search,
	'/sub-user': { username: needed(text) },
	'/statement': { ...movements, ...page },
	'/operator/resellers': { ...position, search: optional(text) },
	'/operator/reseller': { reseller: needed(text) },
	'/operator/statement': { ...movements, ...page, reseller: needed(text) },
	'/operator/usage': {},
	'/operator/edges': {},
	'/operator/ledger': {},
	'/operator/acts': { email: optional(text), kind: optional(oneOf(ACT_KINDS)), ...range, ...page },
	'/sub-users.csv': { zone: needed(zone) },
	'/bandwidth.csv': { username: needed(text) },
	'/statement.csv': { ...movements, zone: needed(zone) },
	'/operator/statement.csv': { ...movements, reseller: needed(text), zone: needed(zone) },
} as const satisfies { readonly [Path in keyof Queries]: Check<QueryOf<Path>> };

/**
 * The query of a call, with its values; `undefined` if a value is wrong, missing or repeated, or if the call does not
 * have it. A filter that is not understood must not be ignored.
 */
export function readQuery<Path extends keyof Queries>(
	path: Path,
	query: Readonly<Record<string, unknown>>,
): QueryOf<Path> | undefined {
	const checks: Readonly<Record<string, { readonly optional: boolean; readonly read: Reading<unknown> }>> =
		QUERIES[path];
	if (!Object.keys(query).every((name) => Object.hasOwn(checks, name))) return undefined;
	const values: [name: string, value: unknown][] = [];
	for (const [name, check] of Object.entries(checks)) {
		const given = query[name];
		if (given === undefined && check.optional) continue;
		const value = typeof given === 'string' ? check.read(given) : undefined;
		if (value === undefined) return undefined;
		values.push([name, value]);
	}
	return Object.fromEntries(values) as QueryOf<Path>;
}
