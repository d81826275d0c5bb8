import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { inDatabase } from '@bursar/testing/postgres-books';
import type { PostgresServer } from '@bursar/testing/postgres-server';

/** A database that the service shares with a hostile role, under settings that are not what anybody expects. */
export interface HostileDatabase {
	/** As the service signs in: its role owns the database. */
	readonly url: string;
	/** Of the superuser, who meets none of it. */
	readonly ownUrl: string;
	/** The hostile role puts there all that it can. */
	setTraps(): Promise<void>;
	/** Throws if the service has run anything of it. */
	assertNothingCaught(): Promise<void>;
}

/** Settings of a role that change what statements mean, how they are written, or how long they may take. */
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
};

/** Functions and operators that our statements would find, were `public` searched, with the types that they have there. */
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
 * What the other role runs, in a schema in which everybody may create. Each function counts how often the service has
 * called it, in a sequence: that is not rolled back.
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

/** Makes one. Everything ends with the server. */
export async function hostileDatabase(server: PostgresServer): Promise<HostileDatabase> {
	const ownUrl = await server.createDatabase();
	const database = new URL(ownUrl).pathname.slice(1);
	const name = randomBytes(6).toString('hex');
	const [service, other] = [await makeRole(ownUrl, `service_${name}`), await makeRole(ownUrl, `other_${name}`)];
	await inDatabase(ownUrl, async (superuser) => {
		await superuser.query(`ALTER DATABASE ${database} OWNER TO ${service.username}`);
		await superuser.query('GRANT CREATE ON SCHEMA public TO PUBLIC');
		for (const [setting, value] of Object.entries(SETTINGS)) {
			await superuser.query(`ALTER ROLE ${service.username} SET ${setting} = ${listed(value)}`);
		}
	});
	const hostile: HostileDatabase = {
		url: service.href,
		ownUrl,
		async setTraps() {
			await inDatabase(other.href, async (attacker) => {
				for (const trap of TRAPS) await attacker.query(trap);
			});
			await assertTrapsWork(hostile);
		},
		async assertNothingCaught() {
			const { rows } = await inDatabase(ownUrl, (superuser) => superuser.query('SELECT is_called FROM public.caught'));
			assert.deepEqual(rows, [{ is_called: false }]);
		},
	};
	return hostile;
}

async function makeRole(ownUrl: string, name: string): Promise<URL> {
	const url = new URL(ownUrl);
	url.username = name;
	url.password = randomBytes(12).toString('hex');
	await inDatabase(ownUrl, (superuser) => superuser.query(`CREATE ROLE ${name} LOGIN PASSWORD '${url.password}'`));
	return url;
}

/** A list stays a list, and is not taken for one name. */
function listed(value: string): string {
	return value
		.split(', ')
		.map((part) => `'${part}'`)
		.join(', ');
}

/** Whoever is careless is caught: otherwise the tests would show nothing. */
async function assertTrapsWork({ url, ownUrl, assertNothingCaught }: HostileDatabase): Promise<void> {
	await inDatabase(url, async (careless) => {
		await careless.query('BEGIN READ WRITE');
		await careless.query("SELECT 1.5 * 2, now(), 'a' = 'b'::pg_catalog.text, * FROM unnest($1::pg_catalog.text[])", [
			['a'],
		]);
		await careless.query('COMMIT');
	});
	await assert.rejects(assertNothingCaught());
	await inDatabase(ownUrl, (superuser) => superuser.query('ALTER SEQUENCE public.caught RESTART'));
}
