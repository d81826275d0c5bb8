import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { UsageError } from '@bursar/terminal';
import { freePort } from '@bursar/testing/free-port';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readCommandLine } from '../../src/options.ts';
import { allRules } from '../../src/rules/all.ts';
import { safeText, safeVerdict } from '../../src/run/verdict.ts';
import { createSecrets } from '../../src/wire/secrets.ts';
import { runCommand, runReporting } from '../support/command.ts';
import { isCallOf, withEnvelope } from '../support/differences.ts';
import { startTestedService } from '../support/tested-service.ts';
import { startDifferentServer } from '../support/wrong-server.ts';

const TOKEN = 'brs_a-token-that-nobody-may-see';

function tokenFile(t: TestContext, token: string): string {
	const file = join(temporaryFolder(t), 'token');
	writeFileSync(file, `${token}\n`);
	return file;
}

test('wrong usage is explained with exit code 2, and no token is repeated', async (t) => {
	const url = ['--url', 'http://127.0.0.1:9'];
	const token = ['--token', TOKEN];
	const wrong: readonly [args: readonly string[], words: RegExp][] = [
		[[], /base address is missing/],
		[url, /token is missing/],
		[[...url, '--token', `${TOKEN} x`], /one word/],
		[[...url, ...token, '--token-file', tokenFile(t, TOKEN)], /not both/],
		[[...url, '--token-file', join(temporaryFolder(t), 'nothing')], /--token-file cannot be read \(ENOENT\)/],
		[[...url, ...token, '--second-token', `${TOKEN}\t`], /second token/],
		[['--url', 'ftp://localhost', ...token], /http:\/\/ or https:\/\//],
		[['--url', `http://acme:${TOKEN}@localhost`, ...token], /no user, password/],
		[[...url, ...token, '--only', 'nothing'], /no rule or group nothing/],
		[[...url, ...token, '--only', 'paths', TOKEN], /no rule or group with that name/],
		[[...url, ...token, '--only', 'amounts.strings-leniently'], /apply only with --lenient/],
		[[...url, ...token, '--only', 'amounts.strings', '--lenient'], /apply only without --lenient/],
		[[...url, ...token, '--only', 'paths', '--contract'], /not of the contract/],
		[[...url, ...token, '--only', 'paths', '--except', 'paths'], /leave no rule/],
		[[...url, ...token, '--max-spend-cents', '1.5'], /whole number of cents/],
		[[...url, ...token, '--max-spend-cents', '-1'], /./],
		[[`-${TOKEN}`], /unknown option /],
		[[`--tokn=${TOKEN}`], /unknown option --tokn /],
		[[...url, ...token, '--token'], /argument missing/],
		[[...url, ...token, TOKEN], /too many arguments/],
	];
	for (const [args, words] of wrong) {
		assert.throws(
			() => readCommandLine(['node', 'conformance', ...args], {}),
			(error) => {
				assert.ok(error instanceof UsageError);
				assert.match(error.message, words);
				assert.match(error.message, /^[^\n]+$/, 'one line');
				return !error.message.includes('nobody-may-see');
			},
			args.join(' '),
		);
	}
	const { code, stdout, stderr } = await runCommand(t, []);
	assert.equal(`${code} ${stdout}`, '2 ');
	assert.match(stderr, /^conformance: [^\n]+\n$/);
});

test('an unreachable service or an unknown token is reported in one line, with exit code 1', async (t) => {
	const environment = { BURSAR_TOKEN: TOKEN };
	const nowhere = `http://127.0.0.1:${await freePort()}`;
	const earlier = join(temporaryFolder(t), 'earlier.xml');
	writeFileSync(earlier, 'the previous report');
	const gone = await runReporting(t, 'junit', earlier, ['--url', nowhere], environment);
	assert.deepEqual([gone.code, gone.stdout], [1, '']);
	assert.equal(readFileSync(earlier, 'utf8'), 'the previous report');
	assert.match(gone.stderr, /^conformance: GET my_info at [^\n]+ was not answered: nothing listens [^\n]+\n$/);
	const { url, acme } = await startTestedService(t);
	const unknown = await runCommand(t, ['--url', url], environment);
	assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
	assert.match(unknown.stderr, /^conformance: [^\n]+ 401: the service does not know the token\n$/);
	const twice = await runCommand(t, ['--url', url, '--second-token', acme.token], { BURSAR_TOKEN: acme.token });
	assert.equal(twice.code, 1);
	assert.match(twice.stderr, /both tokens belong to the same reseller/);
});

test('a report that cannot be written ends the run before it has spent anything', async (t) => {
	const { url, acme, api } = await startTestedService(t);
	const before = (await api.myInfo()).data.balance;
	const args = ['--url', url, '--only', 'create-fee.success'];
	const file = join(temporaryFolder(t), 'no', 'file');
	const { code, stderr } = await runReporting(t, 'junit', file, args, { BURSAR_TOKEN: acme.token });
	assert.notEqual(code, 0);
	assert.match(stderr, /ENOENT/);
	assert.equal((await api.myInfo()).data.balance, before);
});

test('a run reports each rule through the reporters of Node and says what it cost, without any secret', async (t) => {
	const { url, acme, bolt, api } = await startTestedService(t);
	const junit = join(temporaryFolder(t), 'report.xml');
	const args = ['--token-file', tokenFile(t, acme.token), '--second-token-file', tokenFile(t, bolt.token)];
	// All that show or send secrets, and those that are not testable.
	const only = ['authentication', 'reads', 'create', 'auth-keys', 'isolation', 'http', 'faults', 'spending'];
	const ended = await runReporting(t, 'junit', junit, [...args, '--only', ...only], { BURSAR_URL: url });
	const { code, stdout, stderr } = ended;
	assert.equal(code, 0, stdout + stderr);
	assert.match(stdout, /^ {4}ok \d+ - create\.answer$/m);
	assert.match(stdout, /^ {4}ok \d+ - http\.late-body # SKIP takes a minute \(see --slow\)$/m);
	assert.match(stdout, /^# skipped 9$/m);
	assert.match(
		stderr,
		/^Testing \d+ rules as acme, which has 9999\.90 USD\. The run spends up to \d+\.\d\d USD of it on fees\.$/m,
	);
	assert.match(stderr, /^balance {3}acme: 9999\.90 USD before, \d+\.\d\d USD after$/m);
	assert.match(stderr, /^left {6}nothing/m);
	const [, prefix = ''] = /names begin with (conf[0-9a-z]{6}),/.exec(stderr) ?? [];
	assert.ok(stderr.includes(`Made the sub-user ${prefix}.`), stderr);
	const xml = readFileSync(junit, 'utf8');
	assert.match(xml, /<testsuite name="create" [^>]*tests="\d+" failures="0"/);
	assert.match(xml, /<testcase name="create\.answer" [^>]*classname="create"/);
	const keys = [(await api.myInfo()).data, ...(await api.viewAll()).data].map(({ proxy_authkey }) => proxy_authkey);
	for (const secret of [acme.token, bolt.token, ...keys]) {
		assert.ok(![stdout, stderr, xml].some((text) => text.includes(secret)));
	}
});

test('a failed rule shows what was expected and what came, the rule and who says it, with exit code 1', async (t) => {
	const { url, acme } = await startTestedService(t);
	const front = await startDifferentServer(t, url, {
		async call(request, forward) {
			const reply = await forward(request);
			if (!isCallOf(request, endpoints.viewSubUser)) return reply;
			const { authorization = '' } = request.headers;
			const nasty = `${authorization} <a href="x">&amp; ]]> \u0000\u001b[31m \ud800 \u{1F600} \uffff\nnext</a>`;
			return withEnvelope(reply, (envelope) => ({ ...envelope, data: { ...envelope.data, [nasty]: nasty } }));
		},
	});
	const junit = join(temporaryFolder(t), 'report.xml');
	const args = ['--url', front, '--only', 'reads.view-single'];
	const { code, stdout, stderr } = await runReporting(t, 'junit', junit, args, { BURSAR_TOKEN: acme.token });
	assert.equal(code, 1);
	const xml = readFileSync(junit, 'utf8');
	assert.match(
		xml,
		/<failure type="testCodeFailure" message="expected exactly the fields balance, [^"]*, got the fields/,
	);
	for (const text of [stdout, xml]) {
		assert.match(text, /^ *at: +data of POST \/reseller\/sub_users\/view_single/m);
		assert.match(text, /^ *rule: +view_single answers exactly the four fields of the requested sub-user\./m);
		assert.match(text, /^ *from: +docs\/api\.md 7\.3 View single; docs\/api\.md 6\.5 The account \(contract\)/m);
		assert.ok(text.includes('[redacted]') && !text.includes(acme.token));
		// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about control characters
		assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/);
	}
	assert.match(stderr, /^left {6}nothing/m);
});

test('a run never spends more than the limit, and names the rules that do not fit', async (t) => {
	const { url, acme, api } = await startTestedService(t);
	const before = (await api.myInfo()).data.balance;
	const environment = { BURSAR_TOKEN: acme.token, BURSAR_URL: url };
	const free = await runCommand(t, ['--max-spend-cents', '0'], environment);
	assert.equal(free.code, 0, free.stdout);
	assert.equal((await api.myInfo()).data.balance, before);
	assert.match(free.stdout, /^ *ok \d+ - bodies\.no-json-object$/m);
	const beyond = /^ *ok \d+ - create\.answer # SKIP would spend 10 cents, more than --max-spend-cents leaves$/m;
	assert.match(free.stdout, beyond);
	assert.match(free.stderr, /^fees {6}0 of 0 calls/m);
	const costly = ['--only', 'create', 'create-fee', 'transfers', 'spending'];
	const some = await runCommand(t, ['--max-spend-cents', '50', ...costly], environment);
	assert.equal(some.code, 0, some.stdout);
	const spent = before - (await api.myInfo()).data.balance;
	assert.ok(spent > 0 && spent <= 50, `${spent} cents`);
});

test('--list prints every rule of the mode with its source and who says it, and needs no service', async (t) => {
	const { code, stdout } = await runCommand(t, ['--list']);
	assert.equal(code, 0);
	for (const { name, basis, guarantee, source, mode } of allRules) {
		if (mode === 'lenient') continue;
		assert.ok(stdout.includes(`${name} (${basis}`) && stdout.includes(guarantee) && stdout.includes(source), name);
	}
	assert.ok(!stdout.includes('amounts.strings-leniently'));
	assert.match((await runCommand(t, ['--list', '--lenient'])).stdout, /amounts\.strings-leniently/);
	assert.doesNotMatch((await runCommand(t, ['--list', '--contract'])).stdout, /\(bursar/);
	const help = await runCommand(t, ['--help']);
	assert.equal(help.code, 0);
	assert.match(help.stdout, /BURSAR_TOKEN/);
});

test('secrets are redacted before a text is shortened, so that no half of a secret is left', () => {
	const secrets = createSecrets(['short']);
	secrets.keep('brs_0123456789012345678901234567890123456789');
	secrets.keep('brs_0123456789012345678901234567890123456789x');
	const actual = `${'y'.repeat(385)} brs_0123456789012345678901234567890123456789x short {"proxy_authkey":"never seen"}`;
	const verdict = safeVerdict({ kind: 'failed', what: 'short', expected: '', actual }, secrets);
	assert.ok(verdict.kind === 'failed');
	assert.equal(verdict.what, '[redacted]');
	assert.doesNotMatch(JSON.stringify(verdict), /brs_|short|never/);
	assert.match(verdict.actual, /\.\.\.$/);
	assert.equal(safeText('a {"proxy_authkey": "x\\"y", "b":1}', secrets), 'a {"proxy_authkey": "[redacted]", "b":1}');
});
