import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { runBursar, type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { type Forward, relayHttp } from '@bursar/testing/http-relay';
import { listen } from '@bursar/testing/listen';
import { inStore } from '@bursar/testing/sqlite-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { flushFinding } from '../../src/cli/doctor/disk.ts';
import { secretsIn } from '../../src/cli/doctor/run-checks.ts';
import { examine } from '../support/doctor.ts';

/** The whole must end within 15 seconds. The machine of the tests may be slow. */
const LIMIT_MS = 20_000;
const CERTIFICATES = join(import.meta.dirname, '../../../client/test/support');
const pem = (name: string) => join(CERTIFICATES, `${name}.pem`);
const TRUST = { NODE_EXTRA_CA_CERTS: pem('self-signed') };
/** A user without rights. */
const NOBODY_UID = 65_534;
const CLOSED_OPS = { BURSAR_OPS_PORT: '1' };

/** A store with a reseller, and a folder for it alone. */
async function newStore(t: TestContext): Promise<string> {
	const folder = temporaryFolder(t);
	const { code, stderr } = await callBursar(folder, ['reseller', 'create', 'acme', '--balance', '5.00']);
	assert.equal(code, 0, stderr);
	return folder;
}

/** Changes a store as another version, or a defect, could have. */
function changeStore(folder: string, sql: string): void {
	const database = new Database(join(folder, 'bursar.db'));
	database.exec(sql);
	database.close();
}

/** Everything in a folder. The index of the log is no data. */
function contentOf(folder: string): Record<string, string> {
	const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'));
	const content = names.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);
	return Object.fromEntries(content.filter(([, text]) => text !== ''));
}

/** The rows that a service does not write by itself. */
function booksOf(folder: string): unknown {
	return inStore(folder, (store) =>
		['migrations', 'accounts', 'transfers', 'tokens', 'acts', 'verifications'].map((table) =>
			store.prepare(`SELECT * FROM ${table}`).all(),
		),
	);
}

function portOf(url: string): string {
	return new URL(url).port;
}

/** What a proxy in front does with `X-Forwarded-For`. */
const PROXIES = {
	appends: (given: string) => `${given}, 203.0.113.9`,
	'passes on': (given: string) => given,
	removes: () => undefined,
} as const;

/** A proxy that ends TLS before a service. Returns the settings with which its address is examined. */
async function startProxy(t: TestContext, server: ServerProcess, kind: keyof typeof PROXIES) {
	const options = { key: readFileSync(pem('key')), cert: readFileSync(pem('self-signed')) };
	const program = relayHttp(server.url, ({ headers, ...request }, forward: Forward) => {
		const { 'x-forwarded-for': given = '', ...others } = headers;
		const forwardedFor = PROXIES[kind](given);
		return forward({
			...request,
			headers: { ...others, ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }) },
		});
	});
	const { port } = await listen(t, createHttpsServer(options, program));
	return { ...TRUST, BURSAR_PUBLIC_URL: `https://localhost:${port}`, BURSAR_OPS_PORT: portOf(server.opsUrl) };
}

function assertFound(lines: readonly string[], ...patterns: readonly RegExp[]): void {
	for (const pattern of patterns) {
		assert.ok(
			lines.some((line) => pattern.test(line)),
			`${pattern} is not in:\n${lines.join('\n')}`,
		);
	}
}

describe('bursar doctor', { concurrency: 2 }, () => {
	test('it finds no problem with a healthy service behind a proxy, and changes nothing in the store', async (t) => {
		const folder = await newStore(t);
		assert.equal((await callBursar(folder, ['ledger', 'verify'])).code, 0);
		assert.equal((await callBursar(folder, ['backup', join(temporaryFolder(t), 'backup.db')])).code, 0);
		const server = await startServer(t, folder, {
			environment: { BURSAR_DASHBOARD: '1', BURSAR_TRUSTED_PROXIES: '127.0.0.1' },
		});
		const settings = await startProxy(t, server, 'appends');
		const before = booksOf(folder);
		// The doctor waits for an answer for seconds at most, and a busy machine may not give it in time.
		const lines = await eventually(async () => {
			const { code, lines, problems, output } = await examine(t, folder, settings);
			assert.deepEqual([code, problems], [0, []], output);
			return lines;
		}, 120_000);
		assertFound(
			lines,
			/^settings ok:/,
			/^clock ok: .*newest entry of the store, the public URL/,
			/^disk \w+: A flush of the disk took [\d.]+ ms/,
			/^master_key ok: The master key opens the store/,
			/^store ok: The database file is in order/,
			/^ledger ok: .*was in order/,
			/^backup ok:/,
			/^service ok: The service runs and is ready/,
			/^public_url ok: .*leads to a service of this store/,
			/^public_url ok: The certificate is valid for \d+ more days/,
			/^forwarding ok: .*sees this machine as 203\.0\.113\.9/,
		);
		assert.deepEqual(booksOf(folder), before);
		const text = await callBursar(folder, ['doctor'], { environment: settings });
		assert.match(text.stdout, /^ok +settings +The settings can be used/m, text.stderr);
	});

	test('without a service it finds no problem either, and the store keeps its bytes', async (t) => {
		const folder = await newStore(t);
		const before = contentOf(folder);
		const { code, lines, problems } = await examine(t, folder, CLOSED_OPS);
		assert.deepEqual([code, problems], [0, []]);
		assertFound(lines, /^service warning: No service was found/, /^ledger warning: .*never verified/);
		assertFound(lines, /^backup warning: No backup was ever made/, /^master_key ok: .*Keep a copy of it elsewhere/);
		assert.deepEqual(contentOf(folder), before);
	});

	test('it makes no store where there is none', async (t) => {
		const folder = join(temporaryFolder(t), 'mistyped');
		const { code, lines } = await examine(t, folder, CLOSED_OPS);
		assert.equal(code, 0);
		assertFound(lines, /^store warning: There is no store/);
		assert.ok(!existsSync(folder));
	});

	test('each wrong setting is a problem, and no value is shown', async (t) => {
		const key = randomBytes(31).toString('base64');
		const environment = {
			BURSAR_PROT: 'planted-secret',
			BURSAR_PORT: 'planted-secret',
			BURSAR_MASTER_KEY: key,
			BURSAR_DATABASE_URL: 'mysql://bursar:planted-secret@127.0.0.1/bursar',
		};
		const { code, output, problems } = await examine(t, temporaryFolder(t), environment);
		assert.equal(code, 1);
		for (const name of Object.keys(environment)) assertFound(problems, new RegExp(`^settings problem: ${name}: `));
		assert.ok(!output.includes('planted-secret') && !output.includes(key.slice(0, 12)), output);
	});

	test('a key file that is open to others, a wrong, a missing and an unusable master key are problems', async (t) => {
		const folder = await newStore(t);
		const file = join(folder, 'master.key');
		const otherKey = { ...CLOSED_OPS, BURSAR_MASTER_KEY: randomBytes(32).toString('base64') };
		const other = await examine(t, folder, otherKey);
		assert.equal(other.code, 1);
		assertFound(other.problems, /^master_key problem: This is not the master key of the store/);
		assert.ok(!other.output.includes(otherKey.BURSAR_MASTER_KEY.slice(0, 12)));
		if (process.platform !== 'win32') {
			chmodSync(file, 0o644);
			assertFound((await examine(t, folder, CLOSED_OPS)).problems, /^settings problem: .*master\.key: others can read/);
			chmodSync(file, 0o600);
		}
		const key = readFileSync(file, 'utf8');
		writeFileSync(file, 'nonsense');
		assertFound((await examine(t, folder, CLOSED_OPS)).problems, /^master_key problem: .*does not hold a master key/);
		rmSync(file);
		assertFound((await examine(t, folder, CLOSED_OPS)).problems, /^master_key problem: .*is missing.*ENOENT/);
		assert.ok(!existsSync(file), 'no new key is made');
		writeFileSync(file, key, { mode: 0o600 });
		assert.deepEqual((await examine(t, folder, CLOSED_OPS)).problems, []);
	});

	test('an older and a newer store are told apart, and are not migrated', async (t) => {
		const folder = await newStore(t);
		changeStore(folder, "INSERT INTO migrations VALUES ('9999_later.sql', '2027-01-01', 0)");
		const newer = await examine(t, folder, CLOSED_OPS);
		assert.equal(newer.code, 0);
		assertFound(newer.lines, /^store warning: A newer version .*9999_later/);
		changeStore(folder, "UPDATE migrations SET breaking = 1 WHERE name = '9999_later.sql'");
		assertFound((await examine(t, folder, CLOSED_OPS)).problems, /^store problem: A newer version .*cannot use it/);
		changeStore(
			folder,
			'DELETE FROM migrations WHERE name IN (SELECT name FROM migrations ORDER BY name DESC LIMIT 2)',
		);
		const before = contentOf(folder);
		const older = await examine(t, folder, CLOSED_OPS);
		assert.equal(older.code, 0);
		assertFound(older.lines, /^store warning: The store is older than this version/, /^ledger skipped:/);
		assert.deepEqual(contentOf(folder), before);
	});

	test('a clock that was set back, a moved store, a damaged file and ledger problems are problems', async (t) => {
		const folder = await newStore(t);
		const copied = () => {
			const copy = temporaryFolder(t);
			cpSync(folder, copy, { recursive: true });
			return copy;
		};
		const [ahead, moved, damaged, wrong] = [copied(), copied(), copied(), copied()];
		changeStore(ahead, 'UPDATE acts SET at_ms = at_ms + 3600000');
		assertFound(
			(await examine(t, ahead, CLOSED_OPS)).problems,
			/^clock problem: .* 3\d{3} seconds later than the clock/,
		);
		changeStore(moved, "INSERT INTO meta VALUES ('moved_at', '2026-11-01'), ('moved_to', 'bursar on db.example')");
		assertFound((await examine(t, moved, CLOSED_OPS)).problems, /^store problem: .*moved to the database bursar on db/);
		const file = join(damaged, 'bursar.db');
		const bytes = readFileSync(file);
		writeFileSync(file, bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40_000));
		assertFound((await examine(t, damaged, CLOSED_OPS)).problems, /^store problem: /);
		assert.equal((await callBursar(wrong, ['ledger', 'verify'])).code, 0);
		changeStore(wrong, 'UPDATE accounts SET balance_cents = balance_cents + 1');
		assert.equal((await callBursar(wrong, ['ledger', 'verify'])).code, 1);
		assertFound((await examine(t, wrong, CLOSED_OPS)).problems, /^ledger problem: .*with \d+ problems/);
	});

	test('a password that is a usual word or a name is not removed from sentences, which would tell it', () => {
		const url = (password: string) => `postgres://service_role:${password}@db.example/bursar`;
		const found = (PGPASSWORD: string, inUrl = '') => secretsIn({ PGPASSWORD, BURSAR_DATABASE_URL: url(inUrl) });
		assert.deepEqual(found('no', '1'), []);
		assert.deepEqual(found('service_role', 'db.example'), []);
		assert.deepEqual(found('long-enough', 'p%2Fw'), ['long-enough', 'p%2Fw', 'p/w']);
	});

	test('a slow flush, and one that is too fast to be true, get a warning', () => {
		assert.deepEqual(
			[
				[0.5, 12, 15],
				[0.001, 0.002, 5],
				[0.3, 1, 40],
			].map((times) => flushFinding(times).state),
			['warning', 'warning', 'ok'],
		);
	});

	test('a disk that cannot be written is a problem', {
		skip: process.getuid?.() === 0 ? 'root may write everywhere' : process.platform === 'win32' && 'no such modes',
	}, async (t) => {
		const folder = await newStore(t);
		chmodSync(folder, 0o500);
		const { problems } = await examine(t, folder, CLOSED_OPS);
		// The folder could not be removed otherwise.
		chmodSync(folder, 0o700);
		assertFound(problems, /^disk problem: Nothing can be written/);
	});

	test('a wrong user is told to be another one, and gets no second problem for it', {
		skip: process.getuid?.() !== 0 && 'only root can become another user',
	}, async (t) => {
		const folder = await newStore(t);
		const key = join(temporaryFolder(t), 'key');
		writeFileSync(key, randomBytes(32).toString('base64'), { mode: 0o600 });
		const settings = CLOSED_OPS;
		for (const [dataDir, whose] of [
			[folder, ', which belongs to root'],
			[join(folder, 'below'), ''],
		] as const) {
			const { lines, problems } = await examine(t, dataDir, settings, { uid: NOBODY_UID });
			assert.deepEqual(problems, [`disk problem: The user nobody may not use ${dataDir}${whose}.`]);
			assertFound(lines, /^store skipped: This user/, /^master_key skipped: This user/, /^ledger skipped:/);
		}
		const environment = { ...settings, BURSAR_MASTER_KEY_FILE: key };
		const { stdout } = await runBursar(t, folder, ['doctor'], { environment, uid: NOBODY_UID });
		assert.match(stdout, /^settings: Run this as the user of the service/m);
		assert.match(stdout, /^disk: Run this as the user of the service/m);
	});

	test('a folder or database that every user may change is a problem, one of a group gets a warning', {
		skip: process.platform === 'win32' && 'no such modes',
	}, async (t) => {
		const folder = await newStore(t);
		chmodSync(folder, 0o777);
		chmodSync(join(folder, 'bursar.db'), 0o666);
		const { problems } = await examine(t, folder, CLOSED_OPS);
		assert.deepEqual(
			problems,
			[folder, join(folder, 'bursar.db')].map(
				(path) => `disk problem: Every user of this machine may change ${path}, and with it all balances.`,
			),
		);
		chmodSync(folder, 0o2770);
		chmodSync(join(folder, 'bursar.db'), 0o600);
		const { code, lines } = await examine(t, folder, CLOSED_OPS);
		assert.equal(code, 0);
		assertFound(lines, /^disk warning: The group of/);
	});

	test('a service that does not answer on the operations port is a problem', async (t) => {
		const folder = await newStore(t);
		const server = await startServer(t, folder);
		const { code, problems } = await examine(t, folder, CLOSED_OPS);
		assert.equal(code, 1);
		assertFound(problems, new RegExp(`^service problem: A service has the store \\(process ${server.pid} on `));
	});

	test('another program on the operations port cannot fill the output', async (t) => {
		const answers: Readonly<Record<string, string>> = {
			'/livez': 'alive\n',
			'/readyz': `ready ${'x'.repeat(100_000)}`,
			'/metrics': `bursar_build_info{version="${'x'.repeat(100_000)}"} 1\n`,
		};
		const { port } = await listen(
			t,
			createHttpServer((request, response) => response.end(answers[request.url as string])),
		);
		const { lines, output } = await examine(t, await newStore(t), { BURSAR_OPS_PORT: String(port) });
		assertFound(lines, /^service warning: The service is ready xx/, /^service warning: The service runs version xx/);
		assert.ok(output.length < 10_000, `${output.length} characters`);
	});

	test('if the process of the checks is ended, no check is said to be late', async (t) => {
		const preload = join(temporaryFolder(t), 'end.cjs');
		writeFileSync(preload, "if (process.argv[1].includes('examining-process')) process.kill(process.pid, 'SIGKILL');");
		const { code, problems } = await examine(t, await newStore(t), { NODE_OPTIONS: `--require=${preload}` });
		assert.equal(code, 1);
		assertFound(problems, /^settings problem: The process of the checks ended before this one \(SIGKILL\)\./);
		assert.equal(problems.length, 11);
	});

	test('a service that may open too few files gets a warning', {
		skip: process.platform !== 'linux' && 'this system does not say how many files a process may open',
	}, async (t) => {
		const folder = await newStore(t);
		const under = ['sh', '-c', 'ulimit -n 600 && exec "$@"', 'sh'];
		const server = await startServer(t, folder, { under });
		const environment = { BURSAR_OPS_PORT: portOf(server.opsUrl) };
		const { code, lines } = await examine(t, folder, environment);
		assert.equal(code, 0);
		assertFound(lines, /^open_files warning: The service may open only 600 files/, /^service ok:/);
	});

	test('what a proxy in front does with X-Forwarded-For is found out through the public URL', async (t) => {
		const folder = await newStore(t);
		const trusting = await startServer(t, folder, {
			environment: { BURSAR_DASHBOARD: '1', BURSAR_TRUSTED_PROXIES: '127.0.0.1' },
		});
		const look = async (server: ServerProcess, kind: keyof typeof PROXIES, problem: RegExp) => {
			const settings = await startProxy(t, server, kind);
			// The doctor waits for an answer for seconds at most, and a busy machine may not give it in time.
			const found = async () => assertFound((await examine(t, folder, settings)).problems, problem);
			await eventually(found, 120_000);
		};
		await look(trusting, 'passes on', /^forwarding problem: .*a client can choose its own address/);
		await look(trusting, 'removes', /^forwarding problem: .*127\.0\.0\.1 does not send X-Forwarded-For/);
		await trusting.kill('SIGTERM');
		const trustless = await startServer(t, folder, { environment: { BURSAR_DASHBOARD: '1' } });
		await look(trustless, 'appends', /^forwarding problem: .*is not in BURSAR_TRUSTED_PROXIES/);
		await look(trustless, 'passes on', /^forwarding problem: .*does not send X-Forwarded-For/);
	});

	test('a public URL that leads elsewhere, or to the operations port, is a problem', async (t) => {
		const folder = await newStore(t);
		const other = await startServer(t, await newStore(t), { environment: { BURSAR_DASHBOARD: '1' } });
		const stranger = await examine(t, folder, { ...CLOSED_OPS, BURSAR_PUBLIC_URL: other.url });
		assertFound(stranger.problems, /^public_url problem: .*a Bursar that is no service of this store/);
		const metrics = await examine(t, folder, { ...CLOSED_OPS, BURSAR_PUBLIC_URL: other.opsUrl });
		assertFound(metrics.problems, /^public_url problem: .*answers 404/, /^public_url problem: .*shows the metrics/);
		const plain = await examine(t, folder, { ...CLOSED_OPS, BURSAR_PUBLIC_URL: 'http://bursar.invalid' });
		assertFound(plain.problems, /is plain http/, /^public_url problem: The name bursar\.invalid cannot be resolved/);
	});

	test('a certificate that is not valid is a problem', async (t) => {
		const folder = await newStore(t);
		for (const name of ['self-signed', 'expired']) {
			const options = { key: readFileSync(pem('key')), cert: readFileSync(pem(name)) };
			const { port } = await listen(
				t,
				createHttpsServer(options, (_, response) => response.end()),
			);
			const settings = { ...CLOSED_OPS, BURSAR_PUBLIC_URL: `https://localhost:${port}` };
			assertFound(
				(await examine(t, folder, settings)).problems,
				/^public_url problem: The certificate .* is not valid/,
			);
		}
	});

	test('a clock that differs from that of the public URL gets a warning', async (t) => {
		const date = new Date(Date.now() + 90_000).toUTCString();
		const { port } = await listen(
			t,
			createHttpServer((_, response) => response.setHeader('date', date).end()),
		);
		const settings = { ...CLOSED_OPS, BURSAR_PUBLIC_URL: `http://localhost:${port}` };
		const { lines } = await examine(t, await newStore(t), settings);
		assertFound(lines, /^clock warning: .* \d\d seconds behind that of the server at the public URL/);
	});

	test('it ends in time although the public URL and the operations port never answer', async (t) => {
		const silent = await listen(t, createServer());
		const settings = { BURSAR_PUBLIC_URL: `http://localhost:${silent.port}`, BURSAR_OPS_PORT: String(silent.port) };
		const { code, problems, lines, durationMs } = await examine(t, await newStore(t), settings);
		assert.equal(code, 1);
		assertFound(problems, /^public_url problem: .*no answer within 5 seconds/);
		assertFound(lines, /^service warning: .*does not answer/, /^store ok/);
		assert.ok(durationMs < LIMIT_MS, `${durationMs} ms`);
	});

	test('it ends in time although a file never answers, and names the checks that did not end', {
		skip: process.platform === 'win32' && 'this system has no such files',
	}, async (t) => {
		const folder = temporaryFolder(t);
		const pipe = join(folder, 'never-written');
		execFileSync('mkfifo', [pipe]);
		const { code, problems, durationMs } = await examine(t, folder, { BURSAR_MASTER_KEY_FILE: pipe });
		assert.equal(code, 1);
		assertFound(problems, /^settings problem: This check did not end within 13 seconds/, /^store problem: This check/);
		assert.ok(durationMs < LIMIT_MS, `${durationMs} ms`);
		assert.ok(statSync(pipe).isFIFO());
	});
});
