import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { listen } from '@bursar/testing/listen';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { flushFinding } from '../../src/cli/doctor/disk.ts';
import { secretsIn } from '../../src/cli/doctor/run-checks.ts';
import { assertFound, CLOSED_OPS, findings, newStore, pem, portOf, startProxy } from '../support/doctor.ts';

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

describe('the checks of bursar doctor', () => {
	test('without a service it finds no problem either, and the store keeps its bytes', async (t) => {
		const folder = await newStore(t);
		const before = contentOf(folder);
		const { lines, problems } = await findings(folder, CLOSED_OPS);
		assert.deepEqual(problems, []);
		assertFound(lines, /^service warning: No service was found/, /^ledger warning: .*never verified/);
		assertFound(lines, /^backup warning: No backup was ever made/, /^master_key ok: .*Keep a copy of it elsewhere/);
		assert.deepEqual(contentOf(folder), before);
	});

	test('it makes no store where there is none', async (t) => {
		const folder = join(temporaryFolder(t), 'mistyped');
		const { lines, problems } = await findings(folder, CLOSED_OPS);
		assert.deepEqual(problems, []);
		assertFound(lines, /^store warning: There is no store/);
		assert.ok(!existsSync(folder));
	});

	test('a key file that is open to others, a wrong, a missing and an unusable master key are problems', async (t) => {
		const folder = await newStore(t);
		const file = join(folder, 'master.key');
		const otherKey = { ...CLOSED_OPS, BURSAR_MASTER_KEY: randomBytes(32).toString('base64') };
		const other = await findings(folder, otherKey);
		assertFound(other.problems, /^master_key problem: This is not the master key of the store/);
		if (process.platform !== 'win32') {
			chmodSync(file, 0o644);
			assertFound((await findings(folder, CLOSED_OPS)).problems, /^settings problem: .*master\.key: others can read/);
			chmodSync(file, 0o600);
		}
		const key = readFileSync(file, 'utf8');
		writeFileSync(file, 'nonsense');
		assertFound((await findings(folder, CLOSED_OPS)).problems, /^master_key problem: .*does not hold a master key/);
		rmSync(file);
		assertFound((await findings(folder, CLOSED_OPS)).problems, /^master_key problem: .*is missing.*ENOENT/);
		assert.ok(!existsSync(file), 'no new key is made');
		writeFileSync(file, key, { mode: 0o600 });
		assert.deepEqual((await findings(folder, CLOSED_OPS)).problems, []);
	});

	test('an older and a newer store are told apart, and are not migrated', async (t) => {
		const folder = await newStore(t);
		changeStore(folder, "INSERT INTO migrations VALUES ('9999_later.sql', '2027-01-01', 0)");
		const newer = await findings(folder, CLOSED_OPS);
		assert.deepEqual(newer.problems, []);
		assertFound(newer.lines, /^store warning: A newer version .*9999_later/);
		changeStore(folder, "UPDATE migrations SET breaking = 1 WHERE name = '9999_later.sql'");
		assertFound((await findings(folder, CLOSED_OPS)).problems, /^store problem: A newer version .*cannot use it/);
		changeStore(
			folder,
			'DELETE FROM migrations WHERE name IN (SELECT name FROM migrations ORDER BY name DESC LIMIT 2)',
		);
		const before = contentOf(folder);
		const older = await findings(folder, CLOSED_OPS);
		assert.deepEqual(older.problems, []);
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
		assertFound((await findings(ahead, CLOSED_OPS)).problems, /^clock problem: .* 3\d{3} seconds later than the clock/);
		changeStore(moved, "INSERT INTO meta VALUES ('moved_at', '2026-11-01'), ('moved_to', 'bursar on db.example')");
		assertFound((await findings(moved, CLOSED_OPS)).problems, /^store problem: .*moved to the database bursar on db/);
		const file = join(damaged, 'bursar.db');
		const bytes = readFileSync(file);
		writeFileSync(file, bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40_000));
		assertFound((await findings(damaged, CLOSED_OPS)).problems, /^store problem: /);
		assert.equal((await callBursar(wrong, ['ledger', 'verify'])).code, 0);
		changeStore(wrong, 'UPDATE accounts SET balance_cents = balance_cents + 1');
		assert.equal((await callBursar(wrong, ['ledger', 'verify'])).code, 1);
		assertFound((await findings(wrong, CLOSED_OPS)).problems, /^ledger problem: .*with \d+ problems/);
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
		const { problems } = await findings(folder, CLOSED_OPS);
		// The folder could not be removed otherwise.
		chmodSync(folder, 0o700);
		assertFound(problems, /^disk problem: Nothing can be written/);
	});

	test('a folder or database that every user may change is a problem, one of a group gets a warning', {
		skip: process.platform === 'win32' && 'no such modes',
	}, async (t) => {
		const folder = await newStore(t);
		chmodSync(folder, 0o777);
		chmodSync(join(folder, 'bursar.db'), 0o666);
		const { problems } = await findings(folder, CLOSED_OPS);
		assert.deepEqual(
			problems,
			[folder, join(folder, 'bursar.db')].map(
				(path) => `disk problem: Every user of this machine may change ${path}, and with it all balances.`,
			),
		);
		chmodSync(folder, 0o2770);
		chmodSync(join(folder, 'bursar.db'), 0o600);
		const ofGroup = await findings(folder, CLOSED_OPS);
		assert.deepEqual(ofGroup.problems, []);
		assertFound(ofGroup.lines, /^disk warning: The group of/);
	});

	test('a service that does not answer on the operations port is a problem', async (t) => {
		const folder = await newStore(t);
		const server = await startServer(t, folder);
		const { problems } = await findings(folder, CLOSED_OPS);
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
		const { lines } = await findings(await newStore(t), { BURSAR_OPS_PORT: String(port) });
		assertFound(lines, /^service warning: The service is ready xx/, /^service warning: The service runs version xx/);
		assert.ok(lines.join('\n').length < 10_000);
	});

	test('a service that may open too few files gets a warning', {
		skip: process.platform !== 'linux' && 'this system does not say how many files a process may open',
	}, async (t) => {
		const folder = await newStore(t);
		const under = ['sh', '-c', 'ulimit -n 600 && exec "$@"', 'sh'];
		const server = await startServer(t, folder, { under });
		const environment = { BURSAR_OPS_PORT: portOf(server.opsUrl) };
		const { lines, problems } = await findings(folder, environment);
		assert.deepEqual(problems, []);
		assertFound(lines, /^open_files warning: The service may open only 600 files/, /^service ok:/);
	});

	test('what a proxy in front does with X-Forwarded-For is found out through the public URL', async (t) => {
		const trusted = getCACertificates();
		setDefaultCACertificates([...trusted, readFileSync(pem('self-signed'), 'utf8')]);
		t.after(() => setDefaultCACertificates(trusted));
		const folder = await newStore(t);
		const trusting = await startServer(t, folder, {
			environment: { BURSAR_DASHBOARD: '1', BURSAR_TRUSTED_PROXIES: '127.0.0.1' },
		});
		const look = async (server: ServerProcess, kind: Parameters<typeof startProxy>[2], problem: RegExp) => {
			const settings = await startProxy(t, server, kind);
			assertFound((await findings(folder, settings)).problems, problem);
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
		const stranger = await findings(folder, { ...CLOSED_OPS, BURSAR_PUBLIC_URL: other.url });
		assertFound(stranger.problems, /^public_url problem: .*a Bursar that is no service of this store/);
		const metrics = await findings(folder, { ...CLOSED_OPS, BURSAR_PUBLIC_URL: other.opsUrl });
		assertFound(metrics.problems, /^public_url problem: .*answers 404/, /^public_url problem: .*shows the metrics/);
		const plain = await findings(folder, { ...CLOSED_OPS, BURSAR_PUBLIC_URL: 'http://bursar.invalid' });
		assertFound(plain.problems, /is plain http/, /^public_url problem: The name bursar\.invalid cannot be resolved/);
	});

	test('a certificate that is not valid is a problem', async (t) => {
		const folder = await newStore(t);
		for (const name of ['self-signed', 'expired'] as const) {
			const options = { key: readFileSync(pem('key')), cert: readFileSync(pem(name)) };
			const { port } = await listen(
				t,
				createHttpsServer(options, (_, response) => response.end()),
			);
			const settings = { ...CLOSED_OPS, BURSAR_PUBLIC_URL: `https://localhost:${port}` };
			assertFound((await findings(folder, settings)).problems, /^public_url problem: The certificate .* is not valid/);
		}
	});

	test('a clock that differs from that of the public URL gets a warning', async (t) => {
		const date = new Date(Date.now() + 90_000).toUTCString();
		const { port } = await listen(
			t,
			createHttpServer((_, response) => response.setHeader('date', date).end()),
		);
		const settings = { ...CLOSED_OPS, BURSAR_PUBLIC_URL: `http://localhost:${port}` };
		const { lines } = await findings(await newStore(t), settings);
		assertFound(lines, /^clock warning: .* \d\d seconds behind that of the server at the public URL/);
	});

	test('it does not wait long although the public URL and the operations port never answer', async (t) => {
		const silent = await listen(t, createServer());
		const settings = { BURSAR_PUBLIC_URL: `http://localhost:${silent.port}`, BURSAR_OPS_PORT: String(silent.port) };
		const { problems, lines } = await findings(await newStore(t), settings);
		assertFound(problems, /^public_url problem: .*no answer within 5 seconds/);
		assertFound(lines, /^service warning: .*does not answer/, /^store ok/);
	});
});
