import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { inDatabase } from '@bursar/testing/postgres-books';
import { storedPassword } from '@bursar/testing/postgres-cluster';
import type { PostgresServer } from '@bursar/testing/postgres-server';
import type pg from 'pg';

/** A database with unusual settings that the service shares with a hostile role. */
export interface HostileDatabase {
	/** For the service, whose role owns the database. */
	readonly url: string;
	/** For the superuser, who has none of the settings. */
	readonly superuserUrl: string;
	/** Another database like this one, with a copy of everything in it. Nobody may be connected to this one. */
	copy(): Promise<HostileDatabase>;
	/** Lets the hostile role create its traps. */
	setTraps(): Promise<void>;
	/** Throws if the service has run any trap. */
	assertNothingCaught(): Promise<void>;
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
	['now', [], 'timestamptz', 'pg_catalog.clock_timestamp()'],
	['clock_timestamp', [], 'timestamptz', 'pg_catalog.now()'],
	['unnest', ['text[]'], 'SETOF text', "'trap'"],
	['unnest', ['bigint[]'], 'SETOF bigint', '0'],
	['current_setting', ['text'], 'text', "'trap'"],
	['set_config', ['text', 'text', 'boolean'], 'text', "'trap'"],
	['to_regclass', ['text'], 'regclass', "'pg_catalog.pg_class'::pg_catalog.regclass"],
	['pg_is_in_recovery', [], 'boolean', 'true'],
	['pg_advisory_xact_lock', ['bigint'], 'void', 'NULL'],
	['multiplied', ['numeric', 'integer'], 'numeric', '7'],
	['added', ['bigint', 'bigint'], 'bigint', '7'],
	['same', ['text', 'text'], 'boolean', 'true'],
	['same', ['bigint', 'integer'], 'boolean', 'true'],
	['more', ['text', 'text'], 'boolean', 'true'],
] as const;
const OPERATORS = [
	['*', 'multiplied', 'numeric', 'integer'],
	['+', 'added', 'bigint', 'bigint'],
	['=', 'same', 'text', 'text'],
	['=', 'same', 'bigint', 'integer'],
	['>', 'more', 'text', 'text'],
] as const;
const TABLES = ['meta', 'usernames', 'accounts', 'transfers', 'top_ups', 'tokens', 'usage_days', 'migrations'];

/**
 * What the hostile role runs in a schema open to every role. Each function records in a sequence that the service
 * called it, because a sequence is not rolled back.
 */
const TRAPS = [
	'CREATE SEQUENCE caught',
	'GRANT USAGE ON SEQUENCE caught TO PUBLIC',
	...TABLES.map((table) => `CREATE TABLE ${table} (name text, value text, trap integer)`),
	...TABLES.map((table) => `GRANT ALL ON ${table} TO PUBLIC`),
	"INSERT INTO migrations (name) VALUES ('0001_core.sql'), ('0002_usage.sql')",
	'CREATE TYPE trap AS (content text)',
	'CREATE FUNCTION to_trap(bigint) RETURNS trap LANGUAGE sql AS $$ SELECT NULL::trap $$',
	'CREATE CAST (bigint AS trap) WITH FUNCTION to_trap(bigint) AS IMPLICIT',
	...FUNCTIONS.map(
		([name, types, result, value]) =>
			`CREATE FUNCTION public.${name}(${types.join(', ')}) RETURNS ${result} LANGUAGE plpgsql AS $$ BEGIN
				IF pg_catalog.starts_with(current_user, 'service_') THEN PERFORM pg_catalog.nextval('public.caught'); END IF;
				${result === 'void' ? '' : result.startsWith('SETOF') ? `RETURN NEXT ${value};` : `RETURN ${value};`}
			END $$`,
	),
	...OPERATORS.map(
		([name, run, left, right]) =>
			`CREATE OPERATOR public.${name} (FUNCTION = public.${run}, LEFTARG = ${left}, RIGHTARG = ${right})`,
	),
	"CREATE DOMAIN public.text AS pg_catalog.text CHECK (public.same(VALUE, 'trap'::pg_catalog.text))",
];

/** Ends with the server. */
export async function hostileDatabase(server: PostgresServer): Promise<HostileDatabase> {
	const superuserUrl = await server.createDatabase();
	const name = randomBytes(6).toString('hex');
	const [service, other] = [
		await makeRole(superuserUrl, `service_${name}`),
		await makeRole(superuserUrl, `other_${name}`),
	];
	await inDatabase(superuserUrl, async (superuser) => {
		await superuser.query('GRANT CREATE ON SCHEMA public TO PUBLIC');
		for (const [setting, value] of Object.entries(SETTINGS)) {
			await superuser.query(`ALTER ROLE ${service.username} SET ${setting} = ${quotedList(value)}`);
		}
	});
	return hostileFor(server, superuserUrl, service, other);
}

async function hostileFor(
	server: PostgresServer,
	superuserUrl: string,
	service: URL,
	other: URL,
): Promise<HostileDatabase> {
	const { pathname } = new URL(superuserUrl);
	const urlOf = (role: URL) => Object.assign(new URL(role), { pathname }).href;
	await inDatabase(superuserUrl, (superuser) =>
		superuser.query(`ALTER DATABASE ${pathname.slice(1)} OWNER TO ${service.username}`),
	);
	const hostile: HostileDatabase = {
		url: urlOf(service),
		superuserUrl,
		copy: async () => hostileFor(server, await server.createDatabase(superuserUrl), service, other),
		async setTraps() {
			await inDatabase(urlOf(other), async (attacker) => {
				for (const trap of TRAPS) await attacker.query(trap);
			});
			await assertTrapsWork(hostile);
		},
		assertNothingCaught: () => inDatabase(superuserUrl, assertNothingCaught),
	};
	return hostile;
}

/** Throws if the service has run any trap of the database that the superuser is connected to. */
export async function assertNothingCaught(superuser: pg.Client): Promise<void> {
	const { rows } = await superuser.query('SELECT is_called FROM public.caught');
	assert.deepEqual(rows, [{ is_called: false }]);
}

async function makeRole(superuserUrl: string, name: string): Promise<URL> {
	const url = new URL(superuserUrl);
	url.username = name;
	url.password = randomBytes(12).toString('hex');
	await inDatabase(superuserUrl, (superuser) =>
		superuser.query(`CREATE ROLE ${name} LOGIN PASSWORD '${storedPassword(url.password)}'`),
	);
	return url;
}

/** Quotes each part, so that PostgreSQL does not read a list as one name. */
function quotedList(value: string): string {
	return value
		.split(', ')
		.map((part) => `'${part}'`)
		.join(', ');
}

/** Checks that the traps catch careless statements. Otherwise the tests would prove nothing. */
async function assertTrapsWork({ url, superuserUrl, ...hostile }: HostileDatabase): Promise<void> {
	await inDatabase(url, async (careless) => {
		await careless.query('BEGIN READ WRITE');
		await careless.query("SELECT 1.5 * 2, now(), 'a' = 'b'::pg_catalog.text, * FROM unnest($1::pg_catalog.text[])", [
			['a'],
		]);
		await careless.query('COMMIT');
	});
	await assert.rejects(hostile.assertNothingCaught());
	await inDatabase(superuserUrl, (superuser) => superuser.query('ALTER SEQUENCE public.caught RESTART'));
}
