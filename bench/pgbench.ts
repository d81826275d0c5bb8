import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { debianPostgres } from '@bursar/testing/postgres-installation';
import { median } from './spread.ts';
import type { Postgres } from './stores.ts';
import type { Contender, Work } from './turns.ts';

/** A number of resellers, and the sub-users of each. */
export interface Shape {
	readonly resellers: number;
	readonly subUsers: number;
}

/** Something that pgbench does again and again on many connections: one transaction after another. */
export interface Script {
	readonly name: string;
	/** Creates and fills its tables in an empty database. */
	readonly tables: (shape: Shape) => string;
	/** One transaction. `:reseller` and `:sub_user` are random numbers, from 1. */
	readonly transaction: string;
	/** How many transfers a transaction makes, if they are more than one. As few clients then have as many in flight. */
	readonly transfers?: number;
}

/** pgbench has so many threads, which its clients share. */
const THREADS = 2;
const OPENING_BALANCE = 1_000_000_000_000;

const CONNECTING_RUNS = 3;

const RANDOM_NUMBERS = `
\\set reseller random(1, :resellers)
\\set sub_user (:reseller - 1) * :sub_users + random(1, :sub_users)
`;

/**
 * The usual way, as in pgbench's own transaction: three statements, each with its own round trip. It writes one row for
 * each movement, and looks neither at the balance nor at a balance after the movement.
 */
export const usualTransfer: Script = {
	name: 'pgbench, three statements',
	tables: ({ resellers, subUsers }) => `
		CREATE TABLE resellers (id int PRIMARY KEY, balance bigint NOT NULL) WITH (fillfactor = 70);
		CREATE TABLE sub_users (id int PRIMARY KEY, balance bigint NOT NULL) WITH (fillfactor = 70);
		CREATE TABLE ledger (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, debit int NOT NULL, credit int NOT NULL,
			amount bigint NOT NULL, at timestamptz NOT NULL);
		INSERT INTO resellers SELECT id, ${OPENING_BALANCE} FROM generate_series(1, ${resellers}) AS id;
		INSERT INTO sub_users SELECT id, 0 FROM generate_series(1, ${resellers * subUsers}) AS id;`,
	transaction: `
		BEGIN;
		UPDATE resellers SET balance = balance - 1 WHERE id = :reseller;
		UPDATE sub_users SET balance = balance + 1 WHERE id = :sub_user;
		INSERT INTO ledger (debit, credit, amount, at) VALUES (:reseller, :sub_user, 1, now());
		COMMIT;`,
};

/**
 * A ledger of functions in the database, as pgledger is one: each transfer is one call, so one round trip, and one
 * transaction with its own flush. We wrote it ourselves, in pgledger's way, so that nothing but the way is compared.
 *
 * What it does, as Bursar does: it locks both accounts in order, refuses what the balance does not cover, and writes the
 * transfer, an entry for each account with the balance before and after, and the new balances. An index finds the
 * entries of an account.
 *
 * What it does not, and Bursar does: HTTP, JSON, tokens, whose sub-user it is, the id of the request. What pgledger does
 * and this does not, all of which would make it slower: ids as texts, amounts as `numeric`, currencies, metadata.
 */
export const ledgerFunctions: Script = {
	name: 'pgbench, a function of a ledger',
	tables: ({ resellers, subUsers }) => `
		CREATE TABLE accounts (id int PRIMARY KEY, balance bigint NOT NULL, version bigint NOT NULL,
			may_be_negative boolean NOT NULL, changed_at timestamptz NOT NULL) WITH (fillfactor = 70);
		CREATE TABLE transfers (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payer int NOT NULL REFERENCES accounts,
			payee int NOT NULL REFERENCES accounts, amount bigint NOT NULL CHECK (amount > 0), at timestamptz NOT NULL);
		CREATE TABLE entries (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account int NOT NULL REFERENCES accounts,
			transfer bigint NOT NULL REFERENCES transfers, amount bigint NOT NULL, balance_before bigint NOT NULL,
			balance_after bigint NOT NULL, version bigint NOT NULL, at timestamptz NOT NULL);
		CREATE INDEX ON entries (account, id);
		-- Resellers come first, then the sub-users.
		INSERT INTO accounts SELECT id, CASE WHEN id <= ${resellers} THEN ${OPENING_BALANCE} ELSE 0 END, 0, false, now()
			FROM generate_series(1, ${resellers + resellers * subUsers}) AS id;

		CREATE FUNCTION transfer(payer_id int, payee_id int, cents bigint) RETURNS bigint LANGUAGE plpgsql AS $$
		DECLARE
			payer accounts;
			payee accounts;
			transfer_id bigint;
		BEGIN
			-- Everybody locks in the same order, so that no two wait for each other.
			PERFORM FROM accounts WHERE id IN (payer_id, payee_id) ORDER BY id FOR NO KEY UPDATE;
			SELECT * INTO STRICT payer FROM accounts WHERE id = payer_id;
			SELECT * INTO STRICT payee FROM accounts WHERE id = payee_id;
			IF payer.balance < cents AND NOT payer.may_be_negative THEN
				RAISE EXCEPTION 'the balance of account % does not cover % cents', payer_id, cents;
			END IF;
			INSERT INTO transfers (payer, payee, amount, at) VALUES (payer_id, payee_id, cents, now())
				RETURNING id INTO transfer_id;
			INSERT INTO entries (account, transfer, amount, balance_before, balance_after, version, at) VALUES
				(payer_id, transfer_id, -cents, payer.balance, payer.balance - cents, payer.version + 1, now()),
				(payee_id, transfer_id, cents, payee.balance, payee.balance + cents, payee.version + 1, now());
			UPDATE accounts SET balance = balance - cents, version = version + 1, changed_at = now() WHERE id = payer_id;
			UPDATE accounts SET balance = balance + cents, version = version + 1, changed_at = now() WHERE id = payee_id;
			RETURN transfer_id;
		END $$;`,
	transaction: `
		\\set payee :resellers + :sub_user
		SELECT transfer(:reseller, :payee, 1);`,
};

/**
 * The functions of pgledger itself, from its own SQL, with what it needs of other projects before it. An account of it has a
 * text as its id.
 */
export function pgledger(sql: string): Script {
	return {
		name: 'pgledger',
		tables: ({ resellers, subUsers }) => `${sql};
			INSERT INTO pgledger_accounts
				(id, name, currency, balance, allow_negative_balance, allow_positive_balance, created_at, updated_at)
			SELECT 'account' || id, 'account' || id, 'USD', CASE WHEN id <= ${resellers} THEN 1000000000 ELSE 0 END, false, true,
				now(), now()
			FROM generate_series(1, ${resellers + resellers * subUsers}) AS id;`,
		transaction: `
			\\set payee :resellers + :sub_user
			SELECT pgledger_create_transfer('account' || :reseller, 'account' || :payee, 1::money);`,
	};
}

/**
 * The batches of tb-perf on PostgreSQL, from its own SQL: one call makes many transfers, each in a subtransaction of its own.
 * A client collects as many as are in flight, and sends them as one call.
 */
export function tbPerfBatches(sql: string, transfers: number): Script {
	const numbers = Array.from({ length: transfers }, (_, index) => index);
	const payees = numbers
		.map((index) => `\\set payee${index} :resellers + random(1, :resellers * :sub_users)`)
		.join('\n');
	const arrayOf = (element: (index: number) => string) => `ARRAY[${numbers.map(element).join(', ')}]::bigint[]`;
	return {
		name: `tb-perf, batches of ${transfers}`,
		transfers,
		tables: ({ resellers, subUsers }) => `${sql};
			INSERT INTO accounts SELECT id, CASE WHEN id <= ${resellers} THEN ${OPENING_BALANCE} ELSE 0 END
			FROM generate_series(1, ${resellers + resellers * subUsers}) AS id;`,
		transaction: `${payees}
			SELECT batch_transfers(${arrayOf(() => ':reseller')}, ${arrayOf((index) => `:payee${index}`)}, ${arrayOf(() => '1')});`,
	};
}

/** A sub-user's row by its key, as a prepared statement: the least that a read can be. */
export const readRow: Script = {
	name: 'pgbench, one SELECT',
	tables: ({ resellers, subUsers }) => `
		CREATE TABLE sub_users (reseller int, username int, balance bigint NOT NULL, auth_key text NOT NULL,
			created_at timestamptz NOT NULL, PRIMARY KEY (reseller, username));
		INSERT INTO sub_users SELECT (id - 1) / ${subUsers} + 1, id, 0, md5(id::text), now()
			FROM generate_series(1, ${resellers * subUsers}) AS id;`,
	transaction: 'SELECT * FROM sub_users WHERE reseller = :reseller AND username = :sub_user;',
};

/** Fills the tables of a script, and lets pgbench run it with that many clients. Its own processor time is not counted. */
export async function startPgbench(
	stops: AsyncDisposableStack,
	postgres: Postgres,
	script: Script,
	shape: Shape,
	clients: number,
): Promise<Contender> {
	const url = await postgres.newDatabase();
	await postgres.fill(url, script.tables(shape));
	const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-pgbench-'));
	stops.defer(async () => rmSync(folder, { recursive: true }));
	const [file, emptyFile] = [join(folder, 'transaction.sql'), join(folder, 'empty.sql')];
	writeFileSync(file, RANDOM_NUMBERS + script.transaction);
	writeFileSync(emptyFile, '\\set nothing 0\n');
	const { transfers = 1 } = script;
	const args = [
		...['--no-vacuum', '--protocol=prepared', `--client=${Math.ceil(clients / transfers)}`, `--jobs=${THREADS}`],
		`--file=${file}`,
		...[`--define=resellers=${shape.resellers}`, `--define=sub_users=${shape.subUsers}`],
	];

	const connectingMs = await measureConnecting(postgres, url, Math.ceil(clients / transfers), emptyFile);
	let runs = 0;

	async function work(ms: number): Promise<Work> {
		runs++;
		const output = await pgbench(url, [...args, `--time=${Math.ceil(ms / 1000)}`]);
		const units = Number(/transactions actually processed: (\d+)/.exec(output)?.[1]);
		const rate = Number(/tps = ([\d.]+) \(without initial connection time\)/.exec(output)?.[1]);
		if (!(units > 0 && rate > 0)) throw new Error(`pgbench printed no rate:\n${output}`);
		return { units: units * transfers, seconds: units / rate };
	}
	return { name: script.name, copies: [{ work, processorMs: () => postgres.processorMs() - runs * connectingMs }] };
}

/** Each run of pgbench opens its connections anew, and the server checks a password for each. The rate is without it. */
async function measureConnecting(postgres: Postgres, url: string, clients: number, file: string): Promise<number> {
	const times: number[] = [];
	for (let run = 0; run < CONNECTING_RUNS; run++) {
		const beforeMs = postgres.processorMs();
		await pgbench(url, ['--no-vacuum', `--client=${clients}`, '--transactions=1', `--file=${file}`]);
		times.push(postgres.processorMs() - beforeMs);
	}
	return median(times);
}

/** The password is in the environment, because arguments are visible in the list of processes. */
async function pgbench(url: string, args: readonly string[]): Promise<string> {
	const { hostname, port, username, password, pathname } = new URL(url);
	const env = {
		PATH: process.env.PATH,
		PGHOST: hostname,
		PGPORT: port,
		PGUSER: username,
		PGPASSWORD: password,
		PGDATABASE: pathname.slice(1),
	};
	const { stdout } = await promisify(execFile)(join(debianPostgres().binFolder, 'pgbench'), args, { env });
	return stdout;
}
