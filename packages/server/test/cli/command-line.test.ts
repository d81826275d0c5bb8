import assert from 'node:assert/strict';
import { type SpawnSyncReturns, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { runBursar } from '@bursar/testing/bursar-process';
import { runEachInProcess } from '@bursar/testing/in-process';
import { programFile } from '@bursar/testing/programs';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { bursar } from '../../src/cli/bursar.ts';
import { newEdgeKey, newLink, newToken } from '../../src/credentials.ts';

const BURSAR = programFile('bursar');
const COMMANDS = [
	'serve',
	'dev',
	'doctor',
	'reseller',
	'reseller create',
	'reseller list',
	'reseller credit',
	'reseller rotate-token',
	'reseller revoke-token',
	'reseller invite',
	'person',
	'person list',
	'person lock',
	'person unlock',
	'person reset',
	'person end-sessions',
	'operator',
	'operator invite',
	'operator claim',
	'operator-token',
	'operator-token create',
	'operator-token list',
	'operator-token end',
	'usage',
	'usage import',
	'edge',
	'edge create',
	'edge list',
	'edge revoke',
	'ledger',
	'ledger verify',
	'webhooks',
	'webhooks pause',
	'webhooks resume',
	'payments',
	'payments list',
	'payments read',
	'movements',
	'request',
	'backup',
	'migrate',
	'master-key change',
	'store',
	'store copy',
	'store reopen',
	'config',
	'config print',
	'completion',
];

function runEachBursar(lines: readonly (readonly string[])[]) {
	return runEachInProcess(bursar, lines, { environment: { BURSAR_DATA_DIR: '/nowhere' } });
}

function errorOf(stderr: string): { code: string; message: string } {
	const parsed = JSON.parse(stderr);
	assert.deepEqual(Object.keys(parsed), ['error']);
	assert.deepEqual(Object.keys(parsed.error), ['code', 'message']);
	return parsed.error;
}

describe('the command line', { concurrency: 2 }, () => {
	test('every help page shows an example, on stdout, without colours, and exits 0', async (t) => {
		const lines = ['', ...COMMANDS].map((command) => [...command.split(' ').filter(Boolean), '--help']);
		for (const { line, code, stdout, stderr } of await runEachBursar(lines)) {
			assert.equal(code, 0, line);
			assert.match(stdout, /Example:\n {2}\$ .*bursar/, line);
			assert.ok(!stdout.includes('\u001b'), line);
			assert.equal(stderr, '');
		}
		const asProcess = await runBursar(t, '/nowhere', ['--help']);
		assert.deepEqual([asProcess.code, asProcess.stdout], [0, (await callBursar('/nowhere', ['--help'])).stdout]);
	});

	test('no command, an unknown one, or wrong arguments exit 2 with nothing on stdout', async (t) => {
		const invocations = [
			[],
			['nonsense'],
			['reseller'],
			['reseller', 'list', 'extra'],
			['reseller', 'create'],
			['reseller', 'create', '.bad.'],
			['reseller', 'create', 'acme', '--balance', '1.5'],
			['reseller', 'create', 'acme', '--balance', '-1.00'],
			['reseller', 'create', 'acme', '--balance', '5'],
			['reseller', 'create', 'acme', '--balance', '5.00', '--balance-cents', '500'],
			['reseller', 'credit', 'acme', '0.05'],
			['reseller', 'credit', 'acme', '5', '--reference', 'r'],
			['reseller', 'credit', 'acme', '-5', '--reference', 'r'],
			['reseller', 'credit', 'acme', '5e3', '--reference', 'r'],
			['reseller', 'rotate-token', 'acme', '--overlap-seconds', '241'],
			['reseller', 'invite', 'acme'],
			['reseller', 'invite', 'acme', '--email', 'nobody'],
			['operator', 'invite'],
			['operator', 'claim', 'olga@bursar.example'],
			['person'],
			['person', 'lock'],
			['person', 'reset', 'ann@b@c'],
			['usage', 'import'],
			['edge'],
			['edge', 'create'],
			['edge', 'create', 'Frankfurt 1'],
			['edge', 'revoke', '-x'],
			['backup'],
			['store', 'copy'],
			['store', 'copy', '--from', 'data'],
			['store', 'copy', '--from', 'data', '--to', 'mysql://host/database'],
			['store', 'reopen'],
		];
		const lines = invocations.map((args) => [...args, '--json']);
		for (const { line, code, stdout, stderr } of await runEachBursar(lines)) {
			assert.equal(code, 2, line);
			assert.equal(stdout, '');
			assert.equal(errorOf(stderr).code, 'usage');
		}
		const asProcess = await runBursar(t, '/nowhere', ['nonsense', '--json']);
		assert.deepEqual([asProcess.code, asProcess.stdout, errorOf(asProcess.stderr).code], [2, '', 'usage']);
		for (const [args, expected] of [
			[[], /^Usage: bursar/],
			[['nonsense'], /^bursar: unknown command \(see bursar --help\)\n$/],
			[['reseller', 'nonsense'], /^bursar: unknown command \(see bursar reseller --help\)\n$/],
			[['reseller', 'create', 'acme', '--balanc', '1'], / --balance\?.*\(see bursar reseller create --help\)\n$/],
			[['reseller', 'credit', 'acme', '5', '--reference', 'r'], / 5\.00 for five dollars or 0\.05 for five cents/],
			[['movements', '--limit', '0'], /at least 1\. \(see bursar movements --help\)\n$/],
		] as const) {
			const { code, stdout, stderr } = await callBursar('/nowhere', args);
			assert.equal(code, 2);
			assert.equal(stdout, '');
			assert.match(stderr, expected);
		}
	});

	test('a folder without a store is refused, unless the command begins a business', async (t) => {
		const dataDir = join(temporaryFolder(t), 'mistyped');
		const refused = [
			['backup', join(temporaryFolder(t), 'backup.db')],
			['ledger', 'verify'],
			['reseller', 'list'],
			['reseller', 'credit', 'acme', '0.01', '--reference', 'one'],
			['reseller', 'invite', 'acme', '--email', 'ann@acme.example'],
			['person', 'list'],
			['edge', 'create', '--key', 'eu-1'],
		];
		for (const args of refused) {
			const { code, stdout, stderr } = await callBursar(dataDir, [...args, '--json']);
			assert.deepEqual([code, stdout, errorOf(stderr).code], [1, '', 'no_such_store'], args.join(' '));
		}
		assert.ok(!existsSync(dataDir));
		for (const args of [
			['migrate'],
			['reseller', 'create', 'acme'],
			['operator', 'invite', '--email', 'a@b.example'],
			['operator', 'claim'],
		]) {
			const folder = join(temporaryFolder(t), 'new');
			assert.equal((await callBursar(folder, args)).code, 0, args.join(' '));
		}
	});

	test('a token, key or password in a wrong place is not repeated', async () => {
		const { token } = newToken();
		const { key: edgeKey } = newEdgeKey();
		const key = randomBytes(31).toString('base64');
		const withToken = [
			['reseller', 'revoke-token', token],
			['reseller', 'list', token],
			[token],
			['backup', '--x', token],
		];
		for (const { code, stdout, stderr } of await runEachBursar(withToken)) {
			assert.equal(code, 2);
			assert.ok(!(stdout + stderr).includes(token.slice(4, 20)), stderr);
		}
		for (const { code, stdout, stderr } of await runEachBursar([['edge', 'revoke', edgeKey], [edgeKey]])) {
			assert.equal(code, 2);
			assert.ok(!(stdout + stderr).includes(edgeKey.slice(4, 20)), stderr);
		}
		const link = `https://bursar.example/dashboard/invitation#${newLink().secret}`;
		const withLink = [
			['person', 'reset', link],
			['person', link],
			['reseller', 'invite', link, '--email', link],
		];
		for (const { code, stdout, stderr } of await runEachBursar(withLink)) {
			assert.equal(code, 2);
			assert.ok(!(stdout + stderr).includes(link.slice(-20)), stderr);
		}
		const withSecret = [
			['reseller', 'credit', 'acme', '0.05', '--reference', 'x', 'open-sesame'],
			['reseller', 'list', '--token-is=open-sesame'],
			['open-sesame'],
		];
		for (const { line, code, stdout, stderr } of await runEachBursar(withSecret)) {
			assert.equal(code, 2, line);
			assert.ok(!(stdout + stderr).includes('open-sesame'), stderr);
		}
		const url = 'postgres://bursar:opensesame@db.example/bursar';
		const withPassword = [
			['store', url],
			['store', 'copy', `--too=${url}`, '--from', '/nowhere'],
			['store', 'copy', '--from', url, '--to', url],
			['store', 'reopen', url],
			['store', 'reopen', '/nowhere', url],
		];
		for (const { code, stdout, stderr } of await runEachBursar(withPassword)) {
			assert.notEqual(code, 0);
			assert.ok(!(stdout + stderr).includes('opensesame'), stderr);
		}
		const environment = { BURSAR_MASTER_KEY: key };
		const { code, stdout, stderr } = await callBursar('/nowhere', ['config', 'print'], { environment });
		assert.equal(code, 1);
		assert.match(stderr, /BURSAR_MASTER_KEY: it must hold a master key/);
		assert.ok(!(stdout + stderr).includes(key.slice(0, 12)));
	});

	test('config print shows the settings, and masks the master key', async () => {
		const key = randomBytes(32).toString('base64');
		const environment = { BURSAR_PORT: '9000', BURSAR_MASTER_KEY: key };
		const json = await callBursar('/nowhere', ['config', 'print', '--json'], { environment });
		assert.equal(json.code, 0);
		assert.equal(JSON.parse(json.stdout).port, 9000);
		assert.equal(JSON.parse(json.stdout).masterKey, '[set]');
		const plain = await callBursar('/nowhere', ['config', 'print'], { environment });
		assert.match(plain.stdout, /^port +9000$/m);
		assert.match(plain.stdout, /^publicUrl +http:\/\/localhost:9000$/m);
		assert.ok(!(json.stdout + plain.stdout).includes(key.slice(0, 12)));
	});

	test('every unknown or invalid setting is named', async () => {
		const environment = { BURSAR_PROT: '1', BURSAR_PORT: 'x', BURSAR_LENIENT: 'yes', BURSAR_PUBLIC_URL: '/' };
		const { code, stdout, stderr } = await callBursar('/nowhere', ['migrate', '--json'], { environment });
		assert.equal(code, 1);
		assert.equal(stdout, '');
		const { code: errorCode, message } = errorOf(stderr);
		assert.equal(errorCode, 'invalid_configuration');
		for (const name of Object.keys(environment)) assert.ok(message.includes(name), message);
	});

	test('migrate lists each applied migration once', async (t) => {
		const folder = temporaryFolder(t);
		const first = await callBursar(folder, ['migrate', '--json']);
		assert.equal(first.code, 0, first.stderr);
		assert.ok(JSON.parse(first.stdout).applied.includes('0001_core.sql'));
		assert.deepEqual(JSON.parse((await callBursar(folder, ['migrate', '--json'])).stdout), { applied: [] });
	});

	test('a reader that closes stdout is not an error; a full disk is', {
		skip: process.platform !== 'linux' && 'this system has no /dev/full',
	}, async (t) => {
		const dataDir = temporaryFolder(t);
		await callBursar(dataDir, ['migrate']);
		const env = { PATH: process.env.PATH, BURSAR_DATA_DIR: dataDir };
		const reader = spawn(process.execPath, [BURSAR, 'reseller', 'list'], { env });
		reader.stdout.destroy();
		let errors = '';
		reader.stderr.on('data', (text) => {
			errors += text;
		});
		assert.deepEqual(await once(reader, 'close'), [0, null]);
		assert.equal(errors, '');

		const full = openSync('/dev/full', 'w');
		t.after(() => closeSync(full));
		const stdio: StdioOptions = ['ignore', full, 'pipe'];
		const message = 'standard output could not be written (ENOSPC)';
		const json = JSON.stringify({ error: { code: 'output_failed', message } });
		for (const [form, expected] of Object.entries({ '--': `bursar: ${message}`, '--json': json })) {
			const args = [BURSAR, 'reseller', 'list', form];
			const ending: SpawnSyncReturns<string> = spawnSync(process.execPath, args, { env, stdio, encoding: 'utf8' });
			assert.equal(ending.stderr, `${expected}\n`);
			assert.equal(ending.status, 1);
		}
	});

	test('arguments, file names and references cannot send control characters to the terminal', async (t) => {
		const dataDir = temporaryFolder(t);
		const nasty = 'x\u001b[2J\u007f\u009b\u202e\u200b';
		const run = (...args: string[]) => callBursar(dataDir, args);
		assert.equal((await run('reseller', 'create', 'acme')).code, 0);
		for (const args of [
			[nasty],
			[`--${nasty}`],
			['reseller', nasty],
			['reseller', 'create', nasty],
			['reseller', 'create', 'other', '--balance', nasty],
			['reseller', 'credit', 'acme', '0.05', '--reference', nasty],
			['reseller', 'credit', 'acme', '0.05', '--reference', 'a\u202eb'],
			['reseller', 'rotate-token', nasty],
			['usage', 'import', nasty],
			['usage', 'import', `${dataDir}/${nasty}`],
			['backup', `${dataDir}/${nasty}/backup.db`],
			['backup', `${dataDir}/${nasty}.db`],
			['store', 'copy', '--from', nasty, '--to', `postgres://localhost/${nasty}`],
			['store', 'copy', '--from', nasty, '--to', nasty],
			['store', 'reopen', nasty],
			['master-key', 'change', '--to-file', nasty],
		]) {
			for (const form of [[], ['--json']]) {
				const { stdout, stderr } = await run(...args, ...form);
				for (const line of (stdout + stderr).split('\n')) {
					assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u, args.join(' '));
				}
			}
		}
		const environment = { BURSAR_HOST: nasty, BURSAR_LOG_LEVEL: nasty, BURSAR_MASTER_KEY_FILE: nasty };
		const { stderr } = await callBursar(nasty, ['config', 'print'], { environment });
		assert.doesNotMatch(stderr.trimEnd(), /[\p{Cc}\p{Cf}]/u);
	});

	test('an endless master key file is refused', async (t) => {
		const environment = { BURSAR_MASTER_KEY_FILE: '/dev/zero' };
		const { code, stderr } = await callBursar(temporaryFolder(t), ['reseller', 'list'], { environment });
		assert.equal(code, 1);
		assert.match(stderr, /BURSAR_MASTER_KEY_FILE.*must hold a master key/);
	});
});
