import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { runBursar } from '@bursar/testing/bursar-process';
import { inDatabase } from '@bursar/testing/postgres-books';
import { embeddedPostgres } from '@bursar/testing/postgres-installation';
import { startPostgres } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import type pg from 'pg';
import { beginReading, beginWriting } from '../../src/store/postgres/database/beginning.ts';
import { fileCopy, startStandby } from '../support/postgres-standby.ts';

const server = await startPostgres();
after(() => server.remove());

const KEY = randomBytes(32);

test('a database that refuses the connection stops the start with the reason, and without the password', async (t) => {
	const secret = 'planted-password';
	const { port } = server;
	const expected = [
		[`postgres://postgres:${secret}@127.0.0.1:1/bursar`, /ECONNREFUSED/],
		[`postgres://postgres:${secret}@127.0.0.1:${port}/bursar`, /password authentication failed/],
		[
			`postgres://postgres@127.0.0.1:${port}/bursar`,
			/BURSAR_DATABASE_URL: the database asks for a password: set PGPASSWORD/,
		],
		[server.url('missing'), /database "missing" does not exist/],
		[`postgres://postgres:${secret}@no-such-host.invalid/bursar`, /ENOTFOUND|EAI_AGAIN/],
	] as const;
	const folder = temporaryFolder(t);
	const start = async (url: string) => {
		const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: KEY.toString('base64') };
		return { url, ...(await runBursar(t, folder, ['serve'], { environment })) };
	};
	const endings = await Promise.all(expected.map(([url]) => start(url)));
	for (const [index, { url, code, stdout, stderr }] of endings.entries()) {
		assert.equal(code, 1);
		assert.match(stderr, expected[index]?.[1] as RegExp);
		assert.ok(!(stdout + stderr).includes(secret), url);
	}
});

test('if no host takes writes, the start says so; a standby runs nothing after BEGIN', async (t) => {
	const standby = await startStandby(server, { installation: await embeddedPostgres(), copyData: fileCopy });
	t.after(() => standby.remove());
	const environment = { BURSAR_DATABASE_URL: standby.url(), BURSAR_MASTER_KEY: KEY.toString('base64') };
	const { code, stderr } = await runBursar(t, temporaryFolder(t), ['migrate'], { environment });
	assert.equal(code, 1);
	assert.match(stderr, /takes no writes/);

	// A pooler may send open connections to a standby.
	await inDatabase(standby.url(), async (database) => {
		for (const begin of [beginReading({ idleMs: 0 }), beginWriting()]) {
			const refused = (code: string) => (cause: pg.DatabaseError) => cause.code === code;
			await assert.rejects(database.query(begin), refused('0A000'));
			await assert.rejects(database.query('SELECT 1'), refused('25P02'));
			await database.query('ROLLBACK');
		}
	});
});
