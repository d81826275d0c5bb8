import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { runBursar } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

/** Shell scripts that lose a command's standard output. Each prints the exit code of the command. */
const SINKS = {
	'a reader that is gone': {
		// Waits until the reader is gone.
		script: `{ trap '' PIPE; while printf x; do sleep 0.01; done 2> /dev/null; "$@"; echo "exit $?" >&2; } | true`,
		problem: /its reader is gone/,
	},
	'a full disk': { script: '"$@" > /dev/full; echo "exit $?" >&2', problem: /could not be written \(ENOSPC\)/ },
	'a closed descriptor': { script: '"$@" >&-; echo "exit $?" >&2', problem: /is closed/ },
} as const;
type Sink = keyof typeof SINKS;

async function runInto(t: TestContext, script: string, dataDir: string, args: readonly string[]) {
	const under = ['sh', '-c', script, 'sh'];
	const environment = { BURSAR_LOG_LEVEL: 'silent' };
	const { stdout, stderr } = await runBursar(t, dataDir, args, { under, environment });
	const [errors = '', code] = stderr.split(/exit (\d+)\n$/);
	return { code: Number(code), stdout, errors };
}

/** Runs a command whose output is lost. Throws unless it fails with one line that has no secret. */
async function loseOutput(t: TestContext, sink: Sink, dataDir: string, ...args: string[]) {
	const { script, problem } = SINKS[sink];
	const { code, stdout, errors } = await runInto(t, script, dataDir, args);
	assert.equal(code, 1, errors);
	assert.equal(stdout, '');
	assert.match(errors, problem);
	assert.doesNotMatch(errors, /brs_|authkey|invitation#/);
	assert.equal(errors.split('\n').length, 2, errors);
	return errors;
}

async function run(dataDir: string, ...args: string[]) {
	const { code, stdout, stderr } = await callBursar(dataDir, [...args, '--json']);
	return { code, ...JSON.parse(code === 0 ? stdout : stderr) };
}

async function storeWithAcme(t: TestContext): Promise<string> {
	const dataDir = temporaryFolder(t);
	assert.equal((await run(dataDir, 'reseller', 'create', 'acme')).code, 0);
	return dataDir;
}

const REMEDY = /To get another one and end all others: bursar reseller revoke-token acme$/;
const needsLinux = { skip: process.platform !== 'linux' && 'this system has no /dev/full' };

const EMAIL = 'ann@acme.example';

describe('a token or link that is shown once', { concurrency: 2, ...needsLinux }, () => {
	test('create into a full disk says that the reseller was created; rotate-token, until when the previous token works', async (t) => {
		const dataDir = temporaryFolder(t);
		const lost = async (...args: string[]) =>
			JSON.parse(await loseOutput(t, 'a full disk', dataDir, ...args, '--json')).error;
		const created = await lost('reseller', 'create', 'acme', '--balance', '0.07');
		assert.equal(created.code, 'token_not_shown');
		assert.match(created.message, /: the reseller acme was created, but/);
		assert.match(created.message, REMEDY);
		const { resellers } = await run(dataDir, 'reseller', 'list');
		const rest = { debt_cents: 0, micro_usd_per_gb: null, date_suspended: null, sign_in_by_address: false };
		assert.deepEqual(resellers, [{ ...created.done, ...rest }]);

		const rotated = await lost('reseller', 'rotate-token', 'acme');
		const { username, previous_token_expires: end } = rotated.done;
		assert.equal(username, 'acme');
		assert.ok(Date.parse(end) > Date.now());
		assert.ok(
			rotated.message.includes(`: the token of acme was rotated, and the previous one works until ${end}, but`),
		);
		assert.match(rotated.message, REMEDY);
		assert.equal((await run(dataDir, 'reseller', 'rotate-token', 'acme')).error.code, 'rotation_pending');
		assert.equal((await run(dataDir, 'reseller', 'revoke-token', 'acme')).code, 0);
	});

	for (const sink of Object.keys(SINKS) as Sink[]) {
		test(`revoke-token into ${sink} fails, and says that all tokens have ended`, async (t) => {
			const dataDir = await storeWithAcme(t);
			const errors = await loseOutput(t, sink, dataDir, 'reseller', 'revoke-token', 'acme');
			assert.match(
				errors,
				/^bursar: standard output .*: all tokens of acme were ended, but the new token was not shown/,
			);
			assert.match(errors.trimEnd(), REMEDY);
			const again = await loseOutput(t, sink, dataDir, 'reseller', 'revoke-token', 'acme', '--json');
			assert.deepEqual(Object.keys(JSON.parse(again).error.done), ['username', 'previous_token_expires']);
		});
	}

	test('with standard output closed, nothing is created or rotated, and nobody is invited', async (t) => {
		const sink = 'a closed descriptor';
		const dataDir = temporaryFolder(t);
		const create = ['reseller', 'create', 'acme', '--json'];
		const { error } = JSON.parse(await loseOutput(t, sink, dataDir, ...create));
		assert.deepEqual(Object.keys(error), ['code', 'message']);
		assert.equal(error.code, 'output_closed');
		assert.match(await loseOutput(t, sink, dataDir, 'dev'), /nothing was done/);
		assert.deepEqual((await run(dataDir, 'reseller', 'list')).resellers, []);
		await run(dataDir, 'reseller', 'create', 'acme');
		assert.match(await loseOutput(t, sink, dataDir, 'reseller', 'rotate-token', 'acme'), /nothing was done/);
		assert.equal((await run(dataDir, 'reseller', 'rotate-token', 'acme')).code, 0, 'a rotation is pending');
		const invite = ['reseller', 'invite', 'acme', '--email', EMAIL];
		assert.match(await loseOutput(t, sink, dataDir, ...invite), /no link could be shown, and nothing was done/);
		assert.deepEqual((await run(dataDir, 'person', 'list')).people, []);
	});

	test('an invitation into a full disk fails, and can be repeated; a reset says that the password was removed', async (t) => {
		const dataDir = await storeWithAcme(t);
		const invite = ['reseller', 'invite', 'acme', '--email', EMAIL, '--json'];
		const { error } = JSON.parse(await loseOutput(t, 'a full disk', dataDir, ...invite));
		assert.equal(error.code, 'link_not_shown');
		assert.deepEqual(error.done, { email: EMAIL, reseller: 'acme', role: 'owner' });
		assert.match(
			error.message,
			/To get another one: bursar reseller invite acme --role owner --email ann@acme\.example$/,
		);
		assert.equal((await run(dataDir, ...invite)).code, 0);
		for (const sink of ['a full disk', 'a closed descriptor'] as const) {
			const { error } = JSON.parse(await loseOutput(t, sink, dataDir, 'person', 'reset', EMAIL, '--json'));
			assert.equal(error.code, 'link_not_shown');
			assert.match(error.message, /: the password and the second factors of ann@acme\.example were removed, and all/);
			assert.match(error.message, /To get another one: bursar person reset ann@acme\.example$/);
			assert.deepEqual(error.done, { email: EMAIL });
		}
	});

	test('a claim into a full disk fails, and can be repeated; into a closed descriptor, no link is made', async (t) => {
		const dataDir = await storeWithAcme(t);
		const claim = ['operator', 'claim', '--json'];
		const closed = JSON.parse(await loseOutput(t, 'a closed descriptor', dataDir, ...claim));
		assert.equal(closed.error.code, 'output_closed');
		const { error } = JSON.parse(await loseOutput(t, 'a full disk', dataDir, ...claim));
		assert.equal(error.code, 'link_not_shown');
		assert.match(error.message, /To get another one: bursar operator claim$/);
		assert.equal((await run(dataDir, ...claim)).code, 0);
	});

	test('dev into a full disk stops, and says that its demo reseller was created', async (t) => {
		const dataDir = temporaryFolder(t);
		const errors = await loseOutput(t, 'a full disk', dataDir, 'dev');
		assert.match(errors, /the demo reseller demo\.reseller was created.*revoke-token demo\.reseller/);
		const { resellers } = await run(dataDir, 'reseller', 'list');
		assert.equal(resellers[0].username, 'demo.reseller');
	});

	test('a slow reader, /dev/null and a file get the whole output', async (t) => {
		const dataDir = await storeWithAcme(t);
		const revoke = ['reseller', 'revoke-token', 'acme', '--json'];
		// The pipe is full until the reader starts.
		const slow = '{ head -c 65536 /dev/zero; "$@"; echo "exit $?" >&2; } | { sleep 3; tr -d "\\000"; }';
		const read = await runInto(t, slow, dataDir, revoke);
		assert.deepEqual([read.code, read.errors], [0, '']);
		assert.match(JSON.parse(read.stdout).token, /^brs_\w{46}$/);
		const discarded = await runInto(t, '"$@" > /dev/null; echo "exit $?" >&2', dataDir, revoke);
		assert.deepEqual([discarded.code, discarded.errors], [0, '']);
		const file = join(temporaryFolder(t), 'token');
		assert.equal((await runInto(t, `"$@" > '${file}'; echo "exit $?" >&2`, dataDir, revoke)).code, 0);
		assert.match(JSON.parse(readFileSync(file, 'utf8')).token, /^brs_\w{46}$/);
	});
});
