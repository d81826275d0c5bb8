import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabases } from '@bursar/testing/postgres-server';
import { printedSeed } from '@bursar/testing/random';
import { findNoProblem } from '../support/faulty-run.ts';
import { openAccounts } from '../support/reseller-accounts.ts';
import { servePostgres } from '../support/served.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';

const databases = await testDatabases();
after(() => databases.remove());

test('on PostgreSQL too, the reports of the sole writer on a faulty network are true', async (t) => {
	const seed = printedSeed(t);
	const served = await servePostgres(t, await databases.createDatabase());
	const accounts = await openAccounts(served, 'acme', isLong ? 300 : 30);
	const { tally } = await findNoProblem(t, { accounts, seed, tasks: isLong ? 30 : 4, isSoleWriter: true });
	// Each unknown outcome is checked on its own: the slower the machine, the more there are.
	if (isLong) assert.ok(tally.doneByLook > tally.operations / 20, 'looking often decides a lost answer');
});

test('on PostgreSQL too, all reports are true with change ids, while others write', async (t) => {
	const seed = printedSeed(t);
	const served = await servePostgres(t, await databases.createDatabase());
	const accounts = await openAccounts(served, 'acme', isLong ? 300 : 30);
	await findNoProblem(t, { accounts, seed, tasks: isLong ? 30 : 4, isSoleWriter: false, withIds: true });
});
