import { after, test } from 'node:test';
import { testDatabases } from '@bursar/testing/postgres-server';
import { printedSeed } from '@bursar/testing/random';
import { findNoProblem } from '../support/faulty-run.ts';
import { openAccounts } from '../support/reseller-accounts.ts';
import { servePostgres } from '../support/served.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';

const databases = await testDatabases();
after(() => databases.remove());

test('on PostgreSQL too, all reports are true, while others write', async (t) => {
	const seed = printedSeed(t);
	const served = await servePostgres(t, await databases.createDatabase());
	const accounts = await openAccounts(served, 'acme', isLong ? 300 : 30);
	await findNoProblem(t, { accounts, seed, tasks: isLong ? 30 : 4 });
});
