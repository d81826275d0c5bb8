import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { startPostgres } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type Browser, browserAt } from '../../support/dashboard.ts';
import { assertNone, assertNoneBelow, CRASH_ON_SIGNAL, type Secrets } from '../../support/secrets.ts';

const EMAIL = 'ann@acme.example';

/** Starts a server with a link for a person. */
async function start(t: TestContext, more: Readonly<Record<string, string>> = {}) {
	const dataDir = temporaryFolder(t);
	const environment = {
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
		BURSAR_LOG_LEVEL: 'trace',
		NODE_OPTIONS: CRASH_ON_SIGNAL,
		...more,
	};
	const run = (...args: string[]) => runBursar(t, dataDir, [...args, '--json'], { environment });
	await run('reseller', 'create', 'acme');
	const invited = await run('reseller', 'invite', 'acme', '--email', EMAIL);
	assert.equal(invited.code, 0, invited.stderr);
	const link = new URL(JSON.parse(invited.stdout).link).hash.slice(1);
	const server = await startServer(t, dataDir, { environment });
	const publicUrl = `http://localhost:${new URL(server.url).port}`;
	return { dataDir, server, link, publicUrl, secrets: { 'the link': link } as Secrets };
}

/** Does what a person does, and collects all secrets on the way. */
async function useAll(browser: Browser, other: Browser, link: string, secrets: Secrets): Promise<void> {
	const keep = (what: string, secret: string) => {
		secrets[what] = secret;
		return secret;
	};
	const keepCookie = (what: string) => keep(what, browser.jar.cookie?.split('=')[1] ?? '');
	const password = keep('the password', `a long password ${randomUUID()}`);
	await browser.ok('/invitation', { link });
	await browser.ok('/invitation/accept', { link, password });
	keepCookie('the cookie');
	const { passkey, recoveryCodes } = await browser.addPasskey();
	const { secret } = await browser.addCodes();
	keep('the secret of one-time codes', secret);
	for (const [place, code] of recoveryCodes.entries()) keep(`recovery code ${place}`, code);
	for (const [place, code] of recoveryCodes.entries()) keep(`plain recovery code ${place}`, code.replaceAll('-', ''));
	await other.signIn(EMAIL, password, recoveryCodes[0]);
	await other.signInWithPasskey(passkey);
	await browser.ok('/proof', { password, code: recoveryCodes[1] });
	keepCookie('the cookie of the proof');
	const { token } = await browser.ok('/token/rotate', { act: randomUUID(), overlap_seconds: 60 });
	keep('the new token', token);
	keep('the last token', (await browser.ok('/token/end-all', { act: randomUUID() })).token);
	const next = keep('the next password', `a longer password ${randomUUID()}`);
	await browser.ok('/account/password', { act: randomUUID(), password: next });
}

/** Sends secrets where they do not belong, and returns the failures. */
async function plant(browser: Browser, secrets: Secrets): Promise<string[]> {
	const planted = (what: string) => {
		secrets[what] = `planted${randomBytes(16).toString('hex')}`;
		return secrets[what];
	};
	const failures: string[] = [];
	for (const path of ['/sign-in', '/proof', '/invitation', '/token/rotate', '/account/codes', '/nothing']) {
		const headers = Object.fromEntries(
			['user-agent', 'referer', 'x-forwarded-for', 'authorization', 'origin'].map((name) => [
				name,
				planted(`${name} of ${path}`),
			]),
		);
		const secret = planted(`a body of ${path}`);
		for (const body of [
			{ email: secret, password: secret, code: secret, link: secret, act: secret, setup: secret },
			{ email: 'nobody@acme.example', password: secret },
			`{"${secret}`,
		]) {
			for (const sent of [headers, { ...headers, origin: undefined }]) {
				const { origin, ...rest } = sent;
				const answer = await browser.ask(`${path}?q=${planted(`a query of ${path}`)}`, body, {
					headers: origin === undefined ? rest : { ...rest, origin },
				});
				assert.notEqual(answer.status, 200);
				failures.push(answer.text, ...Array.from(answer.headers, (header) => header.join(': ')));
			}
		}
	}
	return failures;
}

async function assertKeptSecret(
	t: TestContext,
	{ server, publicUrl, link, secrets }: Awaited<ReturnType<typeof start>>,
) {
	const browser = browserAt(server.url, publicUrl);
	await useAll(browser, browserAt(server.url, publicUrl), link, secrets);
	const failures = await plant(browser, secrets);
	assert.ok(failures.length > 100);
	t.diagnostic(`${Object.keys(secrets).length} secrets`);
	assertNone(secrets, 'a failure', failures.join('\n'));
	assertNone(secrets, 'the metrics', await (await fetch(`${server.opsUrl}/metrics`)).text());
	const lines = () => server.stdout().trim().split('\n');
	await eventually(async () => assert.ok(lines().length > 40, 'the log is too short'));
	assertNone(secrets, 'the log', server.stdout());
	const crash = await server.kill('SIGUSR2');
	assert.match(crash.stderr, /crashed by the test/);
	assertNone(secrets, 'the output of a crash', crash.stdout + crash.stderr);
}

test('no secret of a person is in the trace log, the metrics, a failure, a crash, or in clear on the disk', async (t) => {
	const started = await start(t);
	await assertKeptSecret(t, started);
	assertNoneBelow(started.secrets, started.dataDir);
});

test('with PostgreSQL, no secret of a person is in its log of all statements or on its disk either', async (t) => {
	const database = await startPostgres({ settings: { log_statement: 'all', log_min_error_statement: 'info' } });
	t.after(() => database.remove());
	const started = await start(t, { BURSAR_DATABASE_URL: await database.createDatabase() });
	await assertKeptSecret(t, started);
	await database.stop('fast');
	assertNoneBelow(started.secrets, database.folder);
});
