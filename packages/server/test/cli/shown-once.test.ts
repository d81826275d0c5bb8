import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { runBursar } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

/** What a shell does with the standard output of a command. Each ends with the exit code of the command. */
const SINKS = {
	'a reader that is gone': {
		// It waits until its reader is gone.
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
	const [words = '', code] = stderr.split(/exit (\d+)\n$/);
	return { code: Number(code), stdout, words };
}

/** Runs a command whose output is lost: it fails, says so in one line, and shows no secret. */
async function loseOutput(t: TestContext, sink: Sink, dataDir: string, ...args: string[]) {
	const { script, problem } = SINKS[sink];
	const { code, stdout, words } = await runInto(t, script, dataDir, args);
	assert.equal(code, 1, words);
	assert.equal(stdout, '');
	assert.match(words, problem);
	assert.doesNotMatch(words, /brs_|authkey/);
	assert.equal(words.split('\n').length, 2, words);
	return words;
}

async function run(t: TestContext, dataDir: string, ...args: string[]) {
	const { code, stdout, stderr } = await runBursar(t, dataDir, [...args, '--json']);
	return { code, ...JSON.parse(code === 0 ? stdout : stderr) };
}

async function storeWithAcme(t: TestContext): Promise<string> {
	const dataDir = temporaryFolder(t);
	assert.equal((await run(t, dataDir, 'reseller', 'create', 'acme')).code, 0);
	return dataDir;
}

const WAY_OUT = /To get another one and end all others: bursar reseller revoke-token acme$/;
const needsLinux = { skip: process.platform !== 'linux' && 'there is no /dev/full here' };

describe('a token that is shown once', { concurrency: 2, ...needsLinux }, () => {
	for (const sink of ['a reader that is gone', 'a full disk'] as const) {
		test(`create into ${sink} fails, and says that the reseller is there`, async (t) => {
			const dataDir = temporaryFolder(t);
			const words = await loseOutput(t, sink, dataDir, 'reseller', 'create', 'acme', '--balance-cents', '7', '--json');
			const { error } = JSON.parse(words);
			assert.equal(error.code, 'token_not_shown');
			assert.match(error.message, /: the reseller acme was created, but/);
			assert.match(error.message, WAY_OUT);
			const { resellers } = await run(t, dataDir, 'reseller', 'list');
			assert.deepEqual(resellers, [error.done]);
			assert.equal((await run(t, dataDir, 'reseller', 'revoke-token', 'acme')).code, 0);
		});

		test(`rotate-token into ${sink} fails, and says until when the previous token works`, async (t) => {
			const dataDir = await storeWithAcme(t);
			const words = await loseOutput(t, sink, dataDir, 'reseller', 'rotate-token', 'acme', '--json');
			const { error } = JSON.parse(words);
			const { username, previous_token_expires: end } = error.done;
			assert.equal(username, 'acme');
			assert.ok(Date.parse(end) > Date.now());
			assert.ok(
				error.message.includes(`: the token of acme was rotated, and the previous one works until ${end}, but`),
			);
			assert.match(error.message, WAY_OUT);
			assert.equal((await run(t, dataDir, 'reseller', 'rotate-token', 'acme')).error.code, 'rotation_pending');
			assert.equal((await run(t, dataDir, 'reseller', 'revoke-token', 'acme')).code, 0);
		});
	}

	for (const sink of Object.keys(SINKS) as Sink[]) {
		test(`revoke-token into ${sink} fails, and says that all tokens have ended`, async (t) => {
			const dataDir = await storeWithAcme(t);
			const words = await loseOutput(t, sink, dataDir, 'reseller', 'revoke-token', 'acme');
			assert.match(
				words,
				/^bursar: standard output .*: all tokens of acme were ended, but the new token was not shown/,
			);
			assert.match(words.trimEnd(), WAY_OUT);
			const again = await loseOutput(t, sink, dataDir, 'reseller', 'revoke-token', 'acme', '--json');
			assert.deepEqual(Object.keys(JSON.parse(again).error.done), ['username', 'previous_token_expires']);
		});
	}

	test('with standard output closed, nothing is created or rotated', async (t) => {
		const sink = 'a closed descriptor';
		const dataDir = temporaryFolder(t);
		const create = ['reseller', 'create', 'acme', '--json'];
		const { error } = JSON.parse(await loseOutput(t, sink, dataDir, ...create));
		assert.deepEqual(Object.keys(error), ['code', 'message']);
		assert.equal(error.code, 'output_closed');
		assert.match(await loseOutput(t, sink, dataDir, 'dev'), /nothing was done/);
		assert.deepEqual((await run(t, dataDir, 'reseller', 'list')).resellers, []);
		await run(t, dataDir, 'reseller', 'create', 'acme');
		assert.match(await loseOutput(t, sink, dataDir, 'reseller', 'rotate-token', 'acme'), /nothing was done/);
		assert.equal((await run(t, dataDir, 'reseller', 'rotate-token', 'acme')).code, 0, 'no rotation is pending');
	});

	test('dev into a full disk stops, and says that its demo reseller is there', async (t) => {
		const dataDir = temporaryFolder(t);
		const words = await loseOutput(t, 'a full disk', dataDir, 'dev');
		assert.match(words, /the demo reseller demo\.reseller was created.*revoke-token demo\.reseller/);
		assert.equal((await run(t, dataDir, 'reseller', 'list')).resellers.length, 1);
	});

	test('a reader that is slow gets all of it, and one that wants none may say so', async (t) => {
		const dataDir = await storeWithAcme(t);
		const revoke = ['reseller', 'revoke-token', 'acme', '--json'];
		// The pipe is full until its reader begins.
		const slow = '{ head -c 65536 /dev/zero; "$@"; echo "exit $?" >&2; } | { sleep 3; tr -d "\\000"; }';
		const read = await runInto(t, slow, dataDir, revoke);
		assert.deepEqual([read.code, read.words], [0, '']);
		assert.match(JSON.parse(read.stdout).token, /^brs_\w{46}$/);
		const thrownAway = await runInto(t, '"$@" > /dev/null; echo "exit $?" >&2', dataDir, revoke);
		assert.deepEqual([thrownAway.code, thrownAway.words], [0, '']);
		const file = join(temporaryFolder(t), 'token');
		assert.equal((await runInto(t, `"$@" > '${file}'; echo "exit $?" >&2`, dataDir, revoke)).code, 0);
		assert.match(JSON.parse(readFileSync(file, 'utf8')).token, /^brs_\w{46}$/);
	});
});
