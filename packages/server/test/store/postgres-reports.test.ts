import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabases } from '@bursar/testing/postgres-server';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openConnections } from '../../src/store/postgres/database/connections.ts';
import { createHosts } from '../../src/store/postgres/database/hosts.ts';
import { readingFrom, reportingFrom } from '../../src/store/postgres/reading.ts';
import { StoreUnavailableError } from '../../src/store/reading.ts';

const databases = await testDatabases();
after(() => databases.remove());

test('the database ends a report that takes too long; other connections and later reports go on', async (t) => {
	const hosts = createHosts(parseDatabaseUrl(await databases.createDatabase()));
	const [reports, others] = [openConnections(hosts, { max: 1 }), openConnections(hosts, { max: 1 })];
	t.after(() => Promise.all([reports.close(), others.close()]));
	const process = () => readingFrom(others)('SELECT pg_backend_pid() AS pid', []);
	const before = await process();
	const report = reportingFrom(reports, 300);
	await assert.rejects(report('SELECT pg_sleep(600)', []), StoreUnavailableError);
	assert.deepEqual(await report('SELECT 1 AS one', []), [{ one: 1 }]);
	assert.deepEqual(await process(), before, 'the other connection is the same');
});

test('the database uses one process for a report', async (t) => {
	const connections = openConnections(createHosts(parseDatabaseUrl(await databases.createDatabase())), { max: 1 });
	t.after(() => connections.close());
	const [row] = await reportingFrom(connections)<{ workers: string }>(
		"SELECT current_setting('max_parallel_workers_per_gather') AS workers",
		[],
	);
	assert.deepEqual(row, { workers: '0' });
});
