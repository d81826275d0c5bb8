import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { inStore } from '@bursar/testing/sqlite-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { CHECKS } from '../../src/cli/doctor/checks.ts';
import { assertFound, CLOSED_OPS, examine, LIMIT_MS, newStore, pem, startProxy } from '../support/doctor.ts';

/** A user without rights. */
const NOBODY_UID = 65_534;

/** The rows that a service does not write by itself. */
function booksOf(folder: string): unknown {
	return inStore(folder, (store) =>
		['migrations', 'accounts', 'transfers', 'tokens', 'acts', 'verifications'].map((table) =>
			store.prepare(`SELECT * FROM ${table}`).all(),
		),
	);
}

describe('bursar doctor', () => {
	test('it finds no problem with a healthy service behind a proxy, and changes nothing in the store', async (t) => {
		const folder = await newStore(t);
		assert.equal((await callBursar(folder, ['ledger', 'verify'])).code, 0);
		assert.equal((await callBursar(folder, ['backup', join(temporaryFolder(t), 'backup.db')])).code, 0);
		const server = await startServer(t, folder, {
			environment: { BURSAR_DASHBOARD: '1', BURSAR_TRUSTED_PROXIES: '127.0.0.1' },
		});
		const settings = { NODE_EXTRA_CA_CERTS: pem('self-signed'), ...(await startProxy(t, server, 'appends')) };
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

	test('if the process of the checks is ended, no check is said to be late', async (t) => {
		const preload = join(temporaryFolder(t), 'end.cjs');
		writeFileSync(preload, "if (process.argv[1].includes('examining-process')) process.kill(process.pid, 'SIGKILL');");
		const { code, problems } = await examine(t, await newStore(t), { NODE_OPTIONS: `--require=${preload}` });
		assert.equal(code, 1);
		assertFound(problems, /^settings problem: The process of the checks ended before this one \(SIGKILL\)\./);
		assert.equal(problems.length, CHECKS.length);
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
});
