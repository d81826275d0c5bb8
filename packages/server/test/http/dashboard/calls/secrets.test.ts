import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { startPostgres } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type Browser, browserAt } from '../../../support/dashboard.ts';
import { startMailServer } from '../../../support/mail-server.ts';
import { assertNone, assertNoneBelow, CRASH_ON_SIGNAL, type Secrets } from '../../../support/secrets.ts';

const EMAIL = 'ann@acme.example';
const OPERATOR = 'op@bursar.example';
const BEN = 'ben@bolt.example';

type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** Starts a server with a link for a person of a reseller, and one for an operator. */
async function start(t: TestContext, more: Readonly<Record<string, string>> = {}) {
	const dataDir = temporaryFolder(t);
	const publicUrl = 'http://localhost:8080';
	const mailServer = await startMailServer(t, {
		// Mails to Ben wait until the end, with the secret of his link.
		onRcptTo: ({ address }, _session, done) =>
			done(address === BEN ? Object.assign(new Error('later'), { responseCode: 451 }) : null),
	});
	const environment = {
		BURSAR_SMTP_URL: mailServer.url,
		BURSAR_MAIL_FROM: 'bursar@bursar.example',
		BURSAR_PUBLIC_URL: publicUrl,
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
		BURSAR_LOG_LEVEL: 'trace',
		NODE_OPTIONS: CRASH_ON_SIGNAL,
		...more,
	};
	const run = (...args: string[]) => runBursar(t, dataDir, [...args, '--json'], { environment });
	await run('reseller', 'create', 'acme', '--balance', '10.00');
	const linkOf = ({ code, stdout, stderr }: Awaited<ReturnType<typeof run>>): string => {
		assert.equal(code, 0, stderr);
		return new URL(JSON.parse(stdout).link).hash.slice(1);
	};
	const link = linkOf(await run('reseller', 'invite', 'acme', '--email', EMAIL));
	const operatorLink = linkOf(await run('operator', 'claim'));
	const server = await startServer(t, dataDir, { environment: { BURSAR_DASHBOARD: '1', ...environment } });
	const secrets: Secrets = { 'the link': link, 'the link of the operator': operatorLink };
	return { dataDir, server, mailServer, link, operatorLink, publicUrl, secrets };
}

/** Does what a person does, and collects all secrets on the way. */
async function useAll(browser: Browser, other: Browser, link: string, secrets: Secrets): Promise<void> {
	const keep = (what: string, secret: string) => {
		secrets[what] = secret;
		return secret;
	};
	const keepCookie = (what: string) => {
		keep(what, browser.jar.cookie?.split('=')[1] ?? '');
		keep(`${what} by which the browser is known`, browser.jar.known?.split('=')[1] ?? '');
	};
	const password = keep('the password', `a long password ${randomUUID()}`);
	await browser.ok('/invitation', { link });
	await browser.ok('/invitation/accept', { link, password });
	keepCookie('the cookie');
	const { passkey, recoveryCodes } = await browser.addPasskey();
	const { secret } = await browser.addCodes();
	keep('the secret of one-time codes', secret);
	for (const [index, code] of recoveryCodes.entries()) keep(`recovery code ${index}`, code);
	for (const [index, code] of recoveryCodes.entries()) keep(`plain recovery code ${index}`, code.replaceAll('-', ''));
	await other.signIn(EMAIL, password, recoveryCodes[0]);
	await other.signInWithPasskey(passkey);
	await browser.ok('/proof', { password, code: recoveryCodes[1] });
	keepCookie('the cookie of the proof');
	const { id, secret: signing } = await browser.change('/webhooks/create', { url: 'https://a.example/', types: null });
	keep('the secret of a webhook', signing);
	keep('the next secret of a webhook', (await browser.change('/webhooks/rotate-secret', { id })).secret);
	assertNone(secrets, 'the webhooks', JSON.stringify(await browser.read('/webhooks')));
	const { token } = await browser.ok('/token/rotate', { act: randomUUID(), overlap_seconds: 60 });
	keep('the new token', token);
	keep('the last token', (await browser.ok('/token/end-all', { act: randomUUID() })).token);
	const next = keep('the next password', `a longer password ${randomUUID()}`);
	await browser.ok('/account/password', { act: randomUUID(), password: next });
}

/** Does what people of a reseller do with sub-users, and collects all keys. */
async function useSubUsers(browser: Browser, secrets: Secrets): Promise<void> {
	const username = 'alice';
	const made = await browser.change('/sub-users/create', { username });
	secrets['the key'] = made.proxy_authkey;
	assert.equal((await browser.change('/sub-users/show-key', { username })).proxy_authkey, made.proxy_authkey);
	const { keys } = await browser.change('/sub-users/show-keys', { usernames: [username] });
	assert.deepEqual(keys, [{ username, proxy_authkey: made.proxy_authkey }]);
	secrets['the key of the reseller'] = (
		await browser.change('/sub-users/show-key', { username: 'acme' })
	).proxy_authkey;
	secrets['the new key'] = (await browser.change('/sub-users/reset-key', { username })).proxy_authkey;
	await browser.change('/sub-users/give', { username, amount: 5 });
	await browser.change('/sub-users/take', { username, amount: 1 });
	const seen = [
		await browser.read('/overview'),
		await browser.read('/sub-users'),
		await browser.read('/sub-user', { username }),
		await browser.read('/statement'),
		await browser.read('/account/acts'),
	];
	assertNone(secrets, 'what people read', JSON.stringify(seen));
	for (const file of [
		await browser.download('/sub-users.csv', { zone: 'UTC' }),
		await browser.download('/statement.csv', { zone: 'UTC' }),
		await browser.download('/bandwidth.csv', { range: '7d', username, zone: 'UTC' }),
	]) {
		assert.equal(file.status, 200);
		assertNone(secrets, 'a file', await file.text());
	}
}

/** Does what operators do, and collects all tokens and links. */
async function operate(browser: Browser, link: string, secrets: Secrets): Promise<void> {
	const password = `a long password ${randomUUID()}`;
	await browser.ok('/invitation/accept', { link, email: OPERATOR, password });
	const { recoveryCodes } = await browser.addPasskey();
	for (const [index, code] of recoveryCodes.entries()) secrets[`recovery code ${index} of the operator`] = code;
	const made = await browser.change('/operator/resellers/create', { reseller: 'bolt', opening_balance: 500 });
	secrets['the token of a new reseller'] = made.token;
	secrets['the token after the end'] = (await browser.change('/operator/end-tokens', { reseller: 'bolt' })).token;
	const invited = await browser.change('/operator/people/invite', {
		email: BEN,
		reseller: 'bolt',
		role: 'owner',
	});
	assert.equal(invited.mailing, 'mailed');
	secrets['the link of another person'] = new URL(invited.link).hash.slice(1);
	const payment = { reseller: 'bolt', amount: 5, reference: 'I-2', reason: 'a reason' };
	await browser.change('/operator/top-up', payment);
	await browser.change('/operator/adjust', { ...payment, reference: 'I-3' });
	await browser.change('/operator/ledger/verify', {});
	const seen = [
		await browser.read('/operator/resellers'),
		await browser.read('/operator/reseller', { reseller: 'bolt' }),
		await browser.read('/operator/statement', { reseller: 'bolt' }),
		await browser.read('/operator/acts'),
		await browser.read('/operator/usage'),
		await browser.read('/operator/ledger'),
	];
	assertNone(secrets, 'what operators read', JSON.stringify(seen));
	const file = await browser.download('/operator/statement.csv', { reseller: 'bolt', zone: 'UTC' });
	assertNone(secrets, 'a file', await file.text());
}

/** Forgets the password, and sets another one with the link of a mail. */
async function forget(browser: Browser, { mails }: MailServer, secrets: Secrets): Promise<void> {
	secrets['a password typed as an address'] = `planted${randomBytes(16).toString('hex')}`;
	await browser.ok('/password/forgot', { email: secrets['a password typed as an address'] });
	await browser.ok('/password/forgot', { email: EMAIL });
	const link = await eventually(async () => {
		const [, found] = mails.map(({ text }) => /new-password#([\w-]{43})/.exec(text)).find((each) => each) ?? [];
		return found ?? assert.fail('the mail has not come');
	}, 30_000);
	secrets['the link for a forgotten password'] = link;
	secrets['the password that replaces it'] = `a long password ${randomUUID()}`;
	await browser.ok('/password/link', { link });
	await browser.ok('/password/new', { link, password: secrets['the password that replaces it'] });
}

/** Sends secrets where they do not belong, and returns the failures. */
async function plant(browser: Browser, secrets: Secrets): Promise<string[]> {
	const planted = (what: string) => {
		secrets[what] = `planted${randomBytes(16).toString('hex')}`;
		return secrets[what];
	};
	const failures: string[] = [];
	for (const path of [
		'/sign-in',
		'/proof',
		'/invitation',
		'/password/link',
		'/password/new',
		'/token/rotate',
		'/account/codes',
		'/sub-users/give',
		'/operator/top-up',
		'/nothing',
	]) {
		const headers = Object.fromEntries(
			['user-agent', 'referer', 'x-forwarded-for', 'authorization', 'origin'].map((name) => [
				name,
				planted(`${name} of ${path}`),
			]),
		);
		const secret = planted(`a body of ${path}`);
		for (const body of [
			{ email: secret, password: secret, code: secret, link: secret, act: secret, setup: secret },
			{ act: randomUUID(), username: secret, reseller: secret, amount: 1, reference: secret, reason: secret },
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
	for (const path of ['/statement?username=', '/statement.csv?zone=', '/operator/acts?email=', '/sub-users?order=']) {
		const answer = await browser.ask(path + planted(`a value of ${path}`));
		assert.notEqual(answer.status, 200);
		failures.push(answer.text, ...Array.from(answer.headers, (header) => header.join(': ')));
	}
	return failures;
}

async function assertKeptSecret(
	t: TestContext,
	{ server, mailServer, publicUrl, link, operatorLink, secrets }: Awaited<ReturnType<typeof start>>,
) {
	const browser = browserAt(server.url, publicUrl);
	await useAll(browser, browserAt(server.url, publicUrl), link, secrets);
	await useSubUsers(browser, secrets);
	await operate(browserAt(server.url, publicUrl), operatorLink, secrets);
	const failures = await plant(browser, secrets);
	await forget(browserAt(server.url, publicUrl), mailServer, secrets);
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
	const startedMs = Date.now();
	const database = await startPostgres({ settings: { log_statement: 'all', log_min_error_statement: 'info' } });
	t.after(() => database.remove());
	const started = await start(t, { BURSAR_DATABASE_URL: await database.createDatabase() });
	await assertKeptSecret(t, started);
	await database.stop('fast');
	assertNoneBelow(started.secrets, database.folder, startedMs);
});
