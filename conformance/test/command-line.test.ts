import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '@bursar/testing/free-port';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import type { Report } from '../src/report.ts';
import { allRules } from '../src/rules/all.ts';
import { runCommand } from './support/command.ts';
import { startTestedService } from './support/tested-service.ts';
import { parseXml } from './support/xml.ts';

const TOKEN = 'brs_a-token-that-nobody-may-see';

function tokenFile(t: TestContext, token: string): string {
	const file = join(temporaryFolder(t), 'token');
	writeFileSync(file, `${token}\n`);
	return file;
}

test('wrong usage is explained with exit code 2, and no token is repeated', async (t) => {
	const folder = temporaryFolder(t);
	const url = ['--url', 'http://127.0.0.1:9'];
	const token = ['--token', TOKEN];
	const wrong: readonly [args: readonly string[], words: RegExp][] = [
		[[], /base address is missing/],
		[url, /token is missing/],
		[[...url, '--token', `${TOKEN} x`], /one word/],
		[[...url, ...token, '--token-file', tokenFile(t, TOKEN)], /not both/],
		[[...url, '--token-file', join(folder, 'nothing')], /--token-file cannot be read \(ENOENT\)/],
		[[...url, ...token, '--second-token', `${TOKEN}\t`], /second token/],
		[['--url', 'ftp://localhost', ...token], /http:\/\/ or https:\/\//],
		[['--url', `http://acme:${TOKEN}@localhost`, ...token], /no user, password/],
		[[...url, ...token, '--only', 'nothing'], /no rule or group nothing/],
		[[...url, ...token, '--only', 'paths', TOKEN], /no rule or group with that name/],
		[[...url, ...token, '--only', 'amounts.strings-leniently'], /apply only with --lenient/],
		[[...url, ...token, '--only', 'amounts.strings', '--lenient'], /apply only without --lenient/],
		[[...url, ...token, '--only', 'paths', '--except', 'paths'], /leave no rule/],
		[[...url, ...token, '--max-spend-cents', '1.5'], /whole number of cents/],
		[[...url, ...token, '--max-spend-cents', '-1'], /./],
		[[...url, ...token, '--junit', join(folder, 'no', 'file')], /--junit cannot be written/],
		[[`-${TOKEN}`], /unknown option /],
		[[`--tokn=${TOKEN}`], /unknown option --tokn /],
		[[...url, ...token, '--token'], /argument missing/],
		[[...url, ...token, TOKEN], /too many arguments/],
	];
	for (const [args, words] of wrong) {
		const { code, stdout, stderr } = await runCommand(t, args);
		assert.equal(`${code} ${stdout}`, '2 ', args.join(' '));
		assert.match(stderr, words);
		assert.match(stderr, /^conformance: [^\n]+\n$/, 'one line');
		assert.ok(!stderr.includes('nobody-may-see'), stderr);
	}
});

test('an unreachable service or an unknown token is reported in one line, with exit code 1', async (t) => {
	const environment = { BURSAR_TOKEN: TOKEN };
	const nowhere = `http://127.0.0.1:${await freePort()}`;
	const folder = temporaryFolder(t);
	const [earlier, missing] = [join(folder, 'earlier.xml'), join(folder, 'missing.xml')];
	writeFileSync(earlier, 'the previous report');
	const gone = await runCommand(t, ['--url', nowhere, '--junit', earlier], environment);
	assert.deepEqual([gone.code, gone.stdout], [1, '']);
	assert.equal(readFileSync(earlier, 'utf8'), 'the previous report');
	assert.equal((await runCommand(t, ['--url', nowhere, '--junit', missing], environment)).code, 1);
	assert.ok(!existsSync(missing), 'no empty file is left behind');
	assert.match(gone.stderr, /^conformance: GET my_info at [^\n]+ was not answered: nothing listens [^\n]+\n$/);
	const { url, acme } = await startTestedService(t);
	const unknown = await runCommand(t, ['--url', url], environment);
	assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
	assert.match(unknown.stderr, /^conformance: [^\n]+ 401: the service does not know the token\n$/);
	const twice = await runCommand(t, ['--url', url, '--second-token', acme.token], {
		BURSAR_TOKEN: acme.token,
	});
	assert.equal(twice.code, 1);
	assert.match(twice.stderr, /both tokens belong to the same reseller/);
});

test('a run prints a line for each rule and the cost, and writes both as XML, without any secret', async (t) => {
	const { url, acme, bolt, api } = await startTestedService(t);
	const junit = join(temporaryFolder(t), 'report.xml');
	const args = ['--token-file', tokenFile(t, acme.token), '--second-token-file', tokenFile(t, bolt.token)];
	// All that show or send secrets, and those that are not testable.
	const only = ['authentication', 'reads', 'create', 'auth-keys', 'isolation', 'http', 'faults', 'spending'];
	const all = [...args, '--junit', junit, '--only', ...only];
	const { code, stdout, stderr } = await runCommand(t, all, { BURSAR_URL: url });
	assert.equal(code, 0, stdout + stderr);
	assert.match(stdout, /^passed {8}create\.answer$/m);
	assert.match(stdout, /^\d+ passed, 0 failed, 9 not testable$/m);
	assert.match(stdout, /^balance {3}acme: 999990 cents before, \d+ after$/m);
	assert.match(stdout, /^left {6}nothing/m);
	assert.match(stderr, /^Testing \d+ rules as acme, which has 999990 cents; the run spends at most \d+ cents\.$/m);
	const [, prefix = ''] = /names begin with (conf[0-9a-z]{6}),/.exec(stdout) ?? [];
	assert.ok(stderr.includes(`Made the sub-user ${prefix}.`), stderr);
	const xml = readFileSync(junit, 'utf8');
	assert.equal(parseXml(xml).attributes.failures, '0');
	const keys = [(await api.myInfo()).data, ...(await api.viewAll()).data].map(({ proxy_authkey }) => proxy_authkey);
	for (const secret of [acme.token, bolt.token, ...keys]) {
		assert.ok(![stdout, stderr, xml].some((text) => text.includes(secret)));
	}
});

test('--json prints one object, and --only and --except choose the rules', async (t) => {
	const { url, acme } = await startTestedService(t);
	const args = ['--url', url, '--only', 'reads', 'paths', '--except', 'reads.broken-list', '--json'];
	const { code, stdout } = await runCommand(t, args, { BURSAR_TOKEN: acme.token });
	assert.equal(code, 0);
	const { results, counts, spending } = JSON.parse(stdout) as Report;
	assert.deepEqual([...new Set(results.map(({ name }) => name.split('.')[0]))], ['paths', 'reads']);
	assert.deepEqual(counts, { passed: results.length, failed: 0, notTestable: 0 });
	assert.equal(spending.feesCents, 10, 'one sub-user was made');
});

test('a run never spends more than the limit, and names the rules that do not fit', async (t) => {
	const { url, acme, api } = await startTestedService(t);
	const before = (await api.myInfo()).data.balance;
	const environment = { BURSAR_TOKEN: acme.token, BURSAR_URL: url };
	const free = await runCommand(t, ['--max-spend-cents', '0'], environment);
	assert.equal(free.code, 0, free.stdout);
	assert.equal((await api.myInfo()).data.balance, before);
	assert.match(free.stdout, /^passed {8}bodies\.no-json-object$/m);
	assert.match(
		free.stdout,
		/^not testable {2}create\.answer: would spend 10 cents, more than --max-spend-cents leaves$/m,
	);
	assert.match(free.stdout, /^fees {6}0 of 0 calls/m);
	const costly = ['--only', 'create', 'create-fee', 'transfers', 'spending'];
	const some = await runCommand(t, ['--max-spend-cents', '50', ...costly], environment);
	assert.equal(some.code, 0, some.stdout);
	const spent = before - (await api.myInfo()).data.balance;
	assert.ok(spent > 0 && spent <= 50, `${spent} cents`);
});

test('--list prints every rule of the mode with its source, and needs no service', async (t) => {
	const { code, stdout } = await runCommand(t, ['--list']);
	assert.equal(code, 0);
	for (const { name, guarantee, source, mode } of allRules) {
		if (mode === 'lenient') continue;
		assert.ok(stdout.includes(name) && stdout.includes(guarantee) && stdout.includes(source), name);
	}
	assert.ok(!stdout.includes('amounts.strings-leniently'));
	assert.match((await runCommand(t, ['--list', '--lenient'])).stdout, /amounts\.strings-leniently/);
	const help = await runCommand(t, ['--help']);
	assert.equal(help.code, 0);
	assert.match(help.stdout, /BURSAR_TOKEN/);
});
