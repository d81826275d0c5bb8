import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { testDatabases } from '@bursar/testing/postgres-server';
import { readConfig } from '../../src/config.ts';
import { newId, newLink } from '../../src/credentials.ts';
import { openStore } from '../../src/engine.ts';
import { type Browser, browserAt, PASSWORD } from '../support/dashboard.ts';
import { serveDatabase } from '../support/served-database.ts';

const PUBLIC_URL = 'https://bursar.example';
const TRIES_AT_ONCE = 10;

const databases = await testDatabases();
after(() => databases.remove());

test('two processes share links, sessions, counts of tries and acts', async (t) => {
	const served = await serveDatabase(t, await databases.createDatabase(), { processes: 0, connections: 0 });
	const [one, other] = await Promise.all(
		[1, 2].map(() => served.startServer({ BURSAR_DASHBOARD: '1', BURSAR_PUBLIC_URL: PUBLIC_URL })),
	);
	assert.ok(one && other);
	const browsers = [browserAt(one.url, PUBLIC_URL), browserAt(other.url, PUBLIC_URL)] as const;
	const email = 'ann@acme.example';
	const store = await openStore(readConfig(served.environment));
	t.after(() => store.close());
	const { secret, linkHash } = newLink();
	const invite = {
		kind: 'invite_person',
		id: newId(),
		email,
		reseller: 'acme',
		role: 'owner',
		linkHash,
		purpose: 'set_password',
	} as const;
	assert.equal((await store.runPersonCommands([invite], store.nowMs())).kind, 'committed');

	// One of the two uses the link.
	const body = { link: secret, password: PASSWORD };
	const accepted = await Promise.all(browsers.map((browser) => browser.ask('/invitation/accept', body)));
	assert.deepEqual(accepted.map(({ status }) => status).sort(), [200, 410]);
	const [winner, loser] = accepted[0]?.status === 200 ? browsers : ([browsers[1], browsers[0]] as const);

	// Both know its session, until one of them ends it.
	loser.jar.cookie = winner.jar.cookie;
	assert.equal((await loser.ok('/account')).email, email);
	const act = randomUUID();
	const rotations = await Promise.all(
		browsers.map((browser) => browser.ask('/token/rotate', { act, overlap_seconds: 60 })),
	);
	assert.equal(rotations.filter(({ status }) => status === 200).length, 1, 'one act changes the token once');
	await winner.ok('/sign-out', {});
	await loser.refused('signed_out', '/account');

	await assertOneCount(browsers, email);
});

async function assertOneCount(browsers: readonly [Browser, Browser], email: string): Promise<void> {
	const codes = [];
	// A known browser has tries of its own.
	for (const { jar } of browsers) jar.known = undefined;
	for (let tries = 0; tries < 2 * TRIES_AT_ONCE; tries++) {
		codes.push((await (browsers[tries % 2] as Browser).signIn(email, 'a wrong password')).errorCode);
	}
	const wrong = codes.filter((code) => code === 'wrong_credentials').length;
	// Each 90 s one try is forgiven.
	assert.ok(wrong >= TRIES_AT_ONCE && wrong <= TRIES_AT_ONCE + 2, `${wrong} tries`);
	assert.ok(codes.slice(-2).every((code) => code === 'too_many_tries'));
}
