import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { createBank } from '../../src/bank/bank.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { hashSecret, newId } from '../../src/credentials.ts';
import { INVITATION_LIFE_MS } from '../../src/domain/people/person.ts';
import { openStore } from '../../src/engine.ts';
import type { Store } from '../../src/store/store.ts';

const ANN = 'ann@acme.example';
const OLGA = 'olga@bursar.example';
const LINK = /^https:\/\/bursar\.example\/dashboard\/invitation#([\w-]{43})$/;

describe('commands for people', () => {
	/** A store with the reseller acme. */
	async function withAcme(t: TestContext) {
		const dataDir = temporaryFolder(t);
		const environment = { BURSAR_PUBLIC_URL: 'https://bursar.example/' };
		const config = readConfig({ BURSAR_DATA_DIR: dataDir, ...environment });
		const run = async (...args: string[]) => {
			const { code, stdout, stderr } = await callBursar(dataDir, [...args, '--json'], { environment });
			assert.equal((code === 0 ? stderr : stdout) + (code ?? 'no code'), String(code), stderr);
			return { code, value: JSON.parse(code === 0 ? stdout : stderr) };
		};
		const list = async () => (await run('person', 'list')).value.people;
		assert.equal((await run('reseller', 'create', 'acme')).code, 0);
		return { dataDir, environment, config, run, list };
	}

	test('an invitation is a link for 72 hours, whose secret the store does not hold', async (t) => {
		const { dataDir, config, run, list } = await withAcme(t);
		const before = Date.now();
		const { value } = await run('reseller', 'invite', 'ACME', '--email', ' Ann@Acme.Example ');
		assert.deepEqual(Object.keys(value), ['email', 'reseller', 'role', 'link', 'link_expires', 'mailed']);
		assert.deepEqual([value.email, value.reseller], [ANN, 'acme']);
		const lifeMs = Date.parse(value.link_expires) - before;
		assert.ok(lifeMs >= INVITATION_LIFE_MS && lifeMs < INVITATION_LIFE_MS + 120_000, `${lifeMs}`);
		const secret = secretOf(value.link);
		await inStore(config, async (store) => {
			const found = await store.findInvitation(hashSecret(secret));
			assert.equal(found?.person?.email, ANN);
			assert.equal(found.invitation.purpose, 'set_password');
		});
		for (const file of readdirSync(dataDir)) assert.ok(!readFileSync(join(dataDir, file)).includes(secret), file);

		const operator = (await run('operator', 'invite', '--email', OLGA)).value;
		assert.equal((await run('person', 'remove', OLGA)).value.error.code, 'last_operator');
		assert.equal(operator.reseller, null);
		assert.match(operator.link, LINK);
		const invited = { state: 'invited', second_factor: false, sessions: 0, last_seen: null };
		assert.deepEqual(await list(), [
			{ email: ANN, reseller: 'acme', role: 'owner', ...invited },
			{ email: OLGA, reseller: null, role: null, ...invited },
		]);
	});

	test('a repeated invitation replaces the link; after it was used, it is refused', async (t) => {
		const { config, run } = await withAcme(t);
		const invite = () => run('reseller', 'invite', 'acme', '--email', ANN);
		const first = secretOf((await invite()).value.link);
		const second = secretOf((await invite()).value.link);
		assert.equal(await accept(config, first), 'invalid_link');
		assert.equal(await accept(config, second), 'ok');
		assert.equal(await accept(config, second), 'invalid_link');
		for (const args of [
			['reseller', 'invite', 'acme', '--email', ANN],
			['operator', 'invite', '--email', ANN],
		]) {
			const { code, value } = await run(...args);
			assert.deepEqual([code, value.error.code], [1, 'email_taken']);
		}
		const unknown = await run('reseller', 'invite', 'umbrella', '--email', 'ben@umbrella.example');
		assert.deepEqual([unknown.code, unknown.value.error.code], [1, 'unknown_reseller']);
	});

	test('lock ends all sessions; unlock does not bring them back; reset makes a link and removes the password', async (t) => {
		const { config, run, list } = await withAcme(t);
		const invited = await run('reseller', 'invite', 'acme', '--email', ANN);
		await accept(config, secretOf(invited.value.link));
		const seen = async () => {
			const [{ state, sessions, last_seen }] = await list();
			return [state, sessions, last_seen === null ? 'never' : 'seen'];
		};
		assert.deepEqual(await seen(), ['active', 1, 'seen']);
		assert.deepEqual((await run('person', 'lock', 'ANN@acme.example')).value, { email: ANN, locked: true });
		assert.deepEqual(await seen(), ['locked', 0, 'never']);
		assert.deepEqual((await run('person', 'unlock', ANN)).value, { email: ANN, locked: false });
		assert.deepEqual(await seen(), ['active', 0, 'never']);

		const { value } = await run('person', 'reset', ANN);
		assert.deepEqual(Object.keys(value), ['email', 'link', 'link_expires', 'mailed']);
		assert.deepEqual(await seen(), ['invited', 0, 'never']);
		assert.equal(await accept(config, secretOf(value.link)), 'ok');
		assert.deepEqual(await seen(), ['active', 1, 'seen']);

		assert.deepEqual((await run('person', 'remove', 'ANN@acme.example')).value, { email: ANN, removed: true });
		assert.deepEqual(await list(), []);

		for (const command of ['lock', 'unlock', 'reset', 'remove']) {
			const { code, value } = await run('person', command, 'nobody@acme.example');
			assert.deepEqual([code, value.error.code], [1, 'unknown_person']);
		}
	});

	test('end-sessions ends the sessions of all people, and all links', async (t) => {
		const { config, run, list } = await withAcme(t);
		for (const email of [ANN, 'ben@acme.example']) {
			const { value } = await run('reseller', 'invite', 'acme', '--email', email);
			assert.equal(await accept(config, secretOf(value.link)), 'ok');
		}
		const open = secretOf((await run('operator', 'invite', '--email', OLGA)).value.link);
		assert.deepEqual((await run('person', 'end-sessions')).value, { ended_sessions: 2 });
		assert.deepEqual(
			(await list()).map(({ sessions }: { sessions: number }) => sessions),
			[0, 0, 0],
		);
		assert.equal(await accept(config, open), 'invalid_link');
		assert.deepEqual((await run('person', 'end-sessions')).value, { ended_sessions: 0 });
	});

	test('for people, the output says that a link is shown once, and when the dashboard is off', async (t) => {
		const { dataDir, environment } = await withAcme(t);
		const plain = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
			callBursar(dataDir, args, { environment: { ...environment, ...more } });
		const invited = await plain(['operator', 'invite', '--email', OLGA]);
		assert.match(invited.stdout, /^email {9}olga@bursar\.example\nlink {10}https:\S+\nlink_expires {2}\S+\n$/);
		assert.match(invited.stderr, /^The link is shown only this once\. [^\n]*\nMail is not set up: [^\n]*\n$/);
		const off = await plain(['operator', 'invite', '--email', OLGA], { BURSAR_DASHBOARD: '0' });
		assert.match(off.stderr, /BURSAR_DASHBOARD=0/);
		const list = await plain(['person', 'list']);
		assert.match(
			list.stdout,
			/^EMAIL +RESELLER +ROLE +STATE .*\nolga@bursar\.example +- +operator +invited +no +0 +-\n$/,
		);
		assert.equal(list.stderr, '');
	});
});

test('without a public URL, links lead to localhost with the configured port', async (t) => {
	const environment = { BURSAR_PORT: '9000' };
	const args = ['operator', 'invite', '--email', OLGA, '--json'];
	const { stdout } = await callBursar(temporaryFolder(t), args, { environment });
	assert.match(JSON.parse(stdout).link, /^http:\/\/localhost:9000\/dashboard\/invitation#[\w-]{43}$/);
});

function secretOf(link: string): string {
	const [, secret] = LINK.exec(link) ?? [];
	assert.ok(secret !== undefined, 'the link has another form');
	return secret;
}

async function inStore<Result>(config: Config, work: (store: Store) => Promise<Result>): Promise<Result> {
	const store = await openStore(config);
	try {
		return await work(store);
	} finally {
		await store.close();
	}
}

/** Uses the link as the dashboard does, and returns `ok` or why it was refused. */
function accept(config: Config, secret: string): Promise<string> {
	return inStore(config, async (store) => {
		const bank = createBank(store, { observer: { batchDone() {}, fault() {} } });
		const outcome = await bank.changePerson({
			kind: 'accept_invitation',
			linkHash: hashSecret(secret),
			passwordHash: '$argon2id$',
			session: { id: newId(), hash: hashSecret(newId()), browser: 'Firefox on Linux', address: '192.0.2.1' },
			actId: newId(),
			requestId: newId(),
		});
		return outcome.ok ? 'ok' : outcome.error;
	});
}
