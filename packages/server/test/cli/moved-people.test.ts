import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { testDatabases } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { onPostgres } from '../support/copied-store.ts';
import { type Browser, codeAt, PASSWORD, startDashboard } from '../support/dashboard.ts';

const databases = await testDatabases();
after(() => databases.remove());

/** The same for all services, so that a cookie of one fits the others. */
const BURSAR_PUBLIC_URL = 'https://bursar.example';
/** Later than the last code that was used, in milliseconds. */
const LATER_MS = 40_000;

/** Ann of the reseller acme, with one-time codes, signed in to a service on a new store. */
async function withAnn(t: TestContext) {
	const dataDir = temporaryFolder(t);
	const dashboard = await startDashboard(t, { BURSAR_DATA_DIR: dataDir, BURSAR_PUBLIC_URL });
	const { email, browser } = await dashboard.resellerWithPerson('acme');
	const { secret } = await browser.addCodes();

	/** Starts another service. Checks whether Ann is still signed in, and that her password and codes work. */
	async function checkIn(environment: Readonly<Record<string, string>>, { signedIn }: { signedIn: boolean }) {
		const other = await startDashboard(t, { BURSAR_PUBLIC_URL, ...environment });
		const same: Browser = other.browser({}, browser);
		assert.equal((await same.ok('/session')).person?.email, signedIn ? email : undefined);
		other.clock.aheadMs = LATER_MS;
		const code = codeAt(secret, Date.now() + LATER_MS);
		assert.equal((await other.browser().signIn(email, PASSWORD, code)).status, 200, 'the codes do not work');
		await other.stop();
	}
	return { ...dashboard, dataDir, email, cookie: browser, checkIn };
}

async function run(dataDir: string, args: readonly string[], environment = {}): Promise<void> {
	const { code, stderr } = await callBursar(dataDir, args, { environment });
	assert.equal(code, 0, stderr);
}

test('after a restore from a backup nobody is signed in, unused links are dead, and people sign in again', async (t) => {
	const { dataDir, store, invite, stop, checkIn } = await withAnn(t);
	const link = await invite('ben@acme.example', 'acme');
	const restored = temporaryFolder(t);
	await store.backup?.(join(restored, 'bursar.db'));
	copyFileSync(join(dataDir, 'master.key'), join(restored, 'master.key'));
	const copy = await startDashboard(t, { BURSAR_DATA_DIR: restored, BURSAR_PUBLIC_URL });
	await copy.browser().refused('invalid_link', '/invitation', { link });
	await copy.stop();
	await checkIn({ BURSAR_DATA_DIR: restored }, { signedIn: false });
	await stop();
	await checkIn({ BURSAR_DATA_DIR: dataDir }, { signedIn: true });
});

test('people stay signed in through a change of the master key, and their codes still work', async (t) => {
	const { dataDir, stop, checkIn } = await withAnn(t);
	await stop();
	const keyFile = join(temporaryFolder(t), 'new.key');
	writeFileSync(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
	await run(dataDir, ['master-key', 'change', '--to-file', keyFile]);
	await checkIn({ BURSAR_DATA_DIR: dataDir }, { signedIn: true });
});

test('people stay signed in through a move to PostgreSQL; end-sessions signs them out of a running service', async (t) => {
	const { dataDir, stop, email, cookie, checkIn } = await withAnn(t);
	await stop();
	const url = await databases.createDatabase();
	await run(dataDir, ['store', 'copy', '--from', dataDir], { BURSAR_DATABASE_URL: url });
	const environment = onPostgres(dataDir, url);
	await checkIn(environment, { signedIn: true });

	const running = await startDashboard(t, { BURSAR_PUBLIC_URL, ...environment });
	const ann = running.browser({}, cookie);
	assert.equal((await ann.ok('/session')).person?.email, email);
	await run(dataDir, ['person', 'end-sessions'], environment);
	assert.equal((await ann.ok('/session')).person, null);
});
