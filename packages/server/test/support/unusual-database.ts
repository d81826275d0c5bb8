import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { inDatabase } from '@bursar/testing/postgres-books';
import { storedPassword } from '@bursar/testing/postgres-cluster';
import type { PostgresServer } from '@bursar/testing/postgres-server';
import type pg from 'pg';

/**
 * A database of a role whose settings change what careless statements mean. In the schema that its search path names
 * first are tables, functions and operators that fit our statements, and fail.
 */
export interface UnusualDatabase {
	/** For the service. */
	readonly url: string;
	/** For the superuser, who has none of the settings. */
	readonly superuserUrl: string;
	/** Another database like this one, with a copy of everything in it. Nobody may be connected to this one. */
	copy(): Promise<UnusualDatabase>;
}

/** Role settings that change how statements are parsed, what they mean, or how long they may take. */
const SETTINGS: Readonly<Record<string, string>> = {
	search_path: 'public, pg_catalog',
	default_transaction_read_only: 'on',
	default_transaction_isolation: 'serializable',
	default_transaction_deferrable: 'on',
	array_nulls: 'off',
	synchronous_commit: 'off',
	statement_timeout: '20s',
	lock_timeout: '1ms',
	idle_in_transaction_session_timeout: '20s',
	client_min_messages: 'error',
	client_encoding: 'LATIN1',
	standard_conforming_strings: 'off',
	escape_string_warning: 'off',
	backslash_quote: 'on',
	transform_null_equals: 'on',
	bytea_output: 'escape',
	extra_float_digits: '-15',
	DateStyle: 'SQL, DMY',
	IntervalStyle: 'sql_standard',
	TimeZone: 'Asia/Kathmandu',
	row_security: 'off',
	enable_indexscan: 'off',
	plan_cache_mode: 'force_generic_plan',
	quote_all_identifiers: 'on',
	check_function_bodies: 'off',
	'plpgsql.variable_conflict': 'use_variable',
	'plpgsql.extra_errors': 'all',
	'plpgsql.check_asserts': 'off',
};

/** Functions and operators that our statements would find if they searched `public`. */
const FUNCTIONS = [
	['now', '', 'timestamptz'],
	['clock_timestamp', '', 'timestamptz'],
	['unnest', 'text[]', 'SETOF text'],
	['unnest', 'bigint[]', 'SETOF bigint'],
	['current_setting', 'text', 'text'],
	['set_config', 'text, text, boolean', 'text'],
	['to_regclass', 'text', 'regclass'],
	['pg_advisory_xact_lock', 'bigint', 'void'],
	['multiplied', 'numeric, integer', 'numeric'],
	['added', 'bigint, bigint', 'bigint'],
	['same', 'text, text', 'boolean'],
	['same', 'bigint, integer', 'boolean'],
	['more', 'text, text', 'boolean'],
] as const;
const OPERATORS = [
	['*', 'multiplied', 'numeric', 'integer'],
	['+', 'added', 'bigint', 'bigint'],
	['=', 'same', 'text', 'text'],
	['=', 'same', 'bigint', 'integer'],
	['>', 'more', 'text', 'text'],
] as const;
const TABLES = ['meta', 'usernames', 'accounts', 'transfers', 'top_ups', 'tokens', 'usage_days', 'migrations'];

const TRAPS = [
	...TABLES.map((table) => `CREATE TABLE public.${table} (trap integer)`),
	...FUNCTIONS.map(
		([name, types, result]) => `CREATE FUNCTION public.${name}(${types}) RETURNS ${result}
			LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a trap'; END $$`,
	),
	...OPERATORS.map(
		([name, run, left, right]) =>
			`CREATE OPERATOR public.${name} (FUNCTION = public.${run}, LEFTARG = ${left}, RIGHTARG = ${right})`,
	),
];

/** Ends with the server. */
export async function unusualDatabase(server: PostgresServer): Promise<UnusualDatabase> {
	const superuserUrl = await server.createDatabase();
	const role = new URL(superuserUrl);
	role.username = `service_${randomBytes(6).toString('hex')}`;
	role.password = randomBytes(12).toString('hex');
	await inDatabase(superuserUrl, async (superuser) => {
		await superuser.query(`CREATE ROLE ${role.username} LOGIN PASSWORD '${storedPassword(role.password)}'`);
		for (const [setting, value] of Object.entries(SETTINGS)) {
			await superuser.query(`ALTER ROLE ${role.username} SET ${setting} = ${quotedList(value)}`);
		}
		for (const trap of TRAPS) await superuser.query(trap);
	});
	const database = await databaseOf(server, superuserUrl, role);
	await inDatabase(database.url, assertTrapsWork);
	return database;
}

async function databaseOf(server: PostgresServer, superuserUrl: string, role: URL): Promise<UnusualDatabase> {
	const { pathname } = new URL(superuserUrl);
	await inDatabase(superuserUrl, (superuser) =>
		superuser.query(`ALTER DATABASE ${pathname.slice(1)} OWNER TO ${role.username}`),
	);
	return {
		url: Object.assign(new URL(role), { pathname }).href,
		superuserUrl,
		copy: async () => databaseOf(server, await server.createDatabase(superuserUrl), role),
	};
}

/** Quotes each part, so that PostgreSQL does not read a list as one name. */
function quotedList(value: string): string {
	return value
		.split(', ')
		.map((part) => `'${part}'`)
		.join(', ');
}

/** The traps must catch careless statements. Otherwise the tests would prove nothing. */
async function assertTrapsWork(careless: pg.Client): Promise<void> {
	for (const expression of ["'a' = 'b'::text", '1.5 * 2', 'now()', "unnest(ARRAY['a'])"]) {
		await assert.rejects(careless.query(`SELECT ${expression}`), /a trap/);
	}
}
