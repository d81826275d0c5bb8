import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';
import { DatabaseError } from 'pg';
import { faultKind, PostgresError } from '../../src/store/postgres/database/faults.ts';

const databases = await testDatabases();
after(() => databases.remove());

function faultOf(code: string): DatabaseError {
	return Object.assign(new DatabaseError('the database refuses', 0, 'error'), { code, severity: 'ERROR' });
}

test('what the database can never do is told apart from what passes', () => {
	const kinds = {
		defect: ['42P01', '42601', '42501', '42703', '3F000', '0A000'],
		machine: ['53100', '53200', '58030', 'XX000', '25006'],
		busy: ['55P03', '57014'],
		again: ['40001', '40P01', '57P01', '08006'],
		batch: ['23514', '22003', '21000'],
	};
	for (const [kind, codes] of Object.entries(kinds)) {
		for (const code of codes) assert.equal(faultKind(new PostgresError(faultOf(code))), kind, code);
	}
	const standby = new PostgresError(faultOf('0A000'), { isBegin: true });
	assert.deepEqual([standby.isStandby, faultKind(standby)], [true, 'again']);
});

test('a missing table is a defect: reads and changes are internal errors, at once, and nothing was done', async (t) => {
	const url = await databases.createDatabase();
	const service = await startTestService(t, {
		BURSAR_DATABASE_URL: url,
		BURSAR_MASTER_KEY: Buffer.alloc(32).toString('base64'),
	});
	const api = resellerApi(service.url, (await service.openReseller('acme', 1000)).token);
	const rename = (from: string, to: string) =>
		inDatabase(url, (database) => database.query(`ALTER TABLE bursar.${from} RENAME TO ${to}`));
	// A view goes on reading a table that was renamed.
	await rename('accounts', 'moved');
	await rename('live_accounts', 'moved_view');
	for (const answer of [await api.myInfo(), await api.create({ username: 'alice' })]) {
		assertFailure(answer, 500, 'internal_error');
		assert.ok(!answer.headers.has('retry-after'));
	}
	await rename('moved', 'accounts');
	await rename('moved_view', 'live_accounts');
	const { data } = await api.myInfo();
	assert.equal((data as { balance: number }).balance, 1000);
});
