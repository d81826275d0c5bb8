import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

describe('bursar backup', () => {
	test('a backup beside a busy server is consistent and private, and restores only with the master key', async (t) => {
		const dataDir = temporaryFolder(t);
		const folder = temporaryFolder(t);
		const server = await startServer(t, dataDir);
		const created = JSON.parse(
			(await callBursar(dataDir, ['reseller', 'create', 'acme', '--balance', '1000.00', '--json'])).stdout,
		);
		const api = resellerApi(server.url, created.token);
		await api.create({ username: 'alice' });
		let given = 0;
		let isBusy = true;
		const load = (async () => {
			while (isBusy) given += (await api.give({ username: 'alice', amount_usd_cents: 1 })).status === 200 ? 1 : 0;
		})();
		const target = join(folder, 'backup.db');
		const givenBefore = given;
		const startedAt = performance.now();
		const { code, stdout } = await callBursar(dataDir, ['backup', target, '--json']);
		t.diagnostic(`backup took ${Math.round(performance.now() - startedAt)} ms`);
		const givenAfter = given;
		isBusy = false;
		await load;
		assert.equal(code, 0);
		assert.deepEqual(JSON.parse(stdout), { file: target, bytes: statSync(target).size });
		assert.equal(statSync(target).mode & 0o777, 0o600);
		assert.deepEqual(readdirSync(folder), ['backup.db']);

		const restored = join(folder, 'restored');
		mkdirSync(restored);
		copyFileSync(target, join(restored, 'bursar.db'));
		const withoutKey = await runBursar(t, restored, ['serve']);
		assert.equal(withoutKey.code, 1);
		assert.match(withoutKey.stderr, /^bursar: the store has a master key, and it is missing: restore .*master\.key/);
		assert.ok(!existsSync(join(restored, 'master.key')), 'a new key was made for old data');

		copyFileSync(join(dataDir, 'master.key'), join(restored, 'master.key'));
		const second = resellerApi((await startTestService(t, { BURSAR_DATA_DIR: restored })).url, created.token);
		const { proxy_authkey: key } = (await second.viewSingle({ username: 'alice' })).data;
		assert.equal(key, (await api.viewSingle({ username: 'alice' })).data.proxy_authkey);
		const { balance } = (await second.viewSingle({ username: 'alice' })).data;
		assert.ok(balance >= givenBefore && balance <= givenAfter + 1, `${givenBefore} <= ${balance} <= ${givenAfter}`);
		const verified = await callBursar(restored, ['ledger', 'verify', '--json']);
		assert.equal(JSON.parse(verified.stdout).ok, true);
	});

	test('after a restore, a reader of events or the statement who has seen more is told so, also once the numbers are used again', async (t) => {
		const service = await startTestService(t);
		const { token } = await service.openReseller('acme', 1_000);
		const api = resellerApi(service.url, token);
		const page = async (of: typeof api, after: string) => {
			const { status, headers, data } = await of.viewEvents({ after });
			if (status !== 200) return [status, headers.get('x-error-code'), headers.get('x-events-newest')];
			return [data.events.map((event: { username: string }) => event.username), data.next];
		};
		const statement = async (of: typeof api, after: string) => {
			const { status, headers, data } = await of.viewStatement({ order: 'oldest', after });
			if (status !== 200) return [status, headers.get('x-error-code'), headers.get('x-statement-newest')];
			return [data.movements.map((movement: { username: string }) => movement.username), data.next];
		};
		await api.create({ username: 'alice' });
		const [, seen] = await page(api, '0');
		const [, read] = await statement(api, '0');
		const target = join(temporaryFolder(t), 'backup.db');
		assert.equal((await callBursar(service.config.dataDir, ['backup', target])).code, 0);
		await api.create({ username: 'bruno' });
		const [, lost] = await page(api, seen);
		assert.match(lost, /^2-evt_/);
		const [, gone] = await statement(api, read);
		assert.match(gone, /^3-/);

		const restored = temporaryFolder(t);
		copyFileSync(target, join(restored, 'bursar.db'));
		copyFileSync(join(service.config.dataDir, 'master.key'), join(restored, 'master.key'));
		const again = resellerApi((await startTestService(t, { BURSAR_DATA_DIR: restored })).url, token);
		assert.deepEqual(await page(again, lost), [410, 'events_rewound', '1']);
		assert.deepEqual(await statement(again, gone), [410, 'statement_rewound', '2']);
		await again.create({ username: 'chiara' });
		assert.deepEqual(await page(again, lost), [410, 'events_rewound', '2']);
		assert.deepEqual(await statement(again, gone), [410, 'statement_rewound', '3']);
		assert.deepEqual((await statement(again, read))[0], ['chiara']);
		const [found, next] = await page(again, seen);
		assert.deepEqual(found, ['chiara']);
		assert.match(next, /^2-evt_/);
		assert.notEqual(next, lost);
	});

	test('of several backups to one name at once, one is made, and the others say that the file exists', async (t) => {
		const dataDir = temporaryFolder(t);
		await callBursar(dataDir, ['reseller', 'create', 'acme']);
		const target = join(temporaryFolder(t), 'one.db');
		const backups = Array.from({ length: 6 }, () => runBursar(t, dataDir, ['backup', target, '--json']));
		const results = await Promise.all(backups);
		const failures = results.filter(({ code }) => code !== 0).map(({ stderr }) => JSON.parse(stderr).error.code);
		assert.deepEqual(failures, new Array(5).fill('file_exists'));
		assert.deepEqual(readdirSync(dirname(target)), ['one.db']);
	});

	test('a backup never overwrites a file, says what prevents it, and leaves no partial file', async (t) => {
		const dataDir = temporaryFolder(t);
		const folder = temporaryFolder(t);
		const taken = join(folder, 'taken.db');
		writeFileSync(taken, 'mine');
		for (const [target, code] of [
			[taken, 'file_exists'],
			[join(folder, 'none', 'x.db'), 'no_such_folder'],
		] as const) {
			const result = await callBursar(dataDir, ['backup', target, '--json']);
			assert.equal(result.code, 1);
			assert.equal(result.stdout, '');
			assert.equal(JSON.parse(result.stderr).error.code, code);
		}
		const notAFolder = await callBursar(dataDir, ['backup', join(taken, 'x.db')]);
		assert.equal(notAFolder.code, 1);
		assert.match(notAFolder.stderr, /^bursar: .+\n$/);
		assert.equal(readFileSync(taken, 'utf8'), 'mine');
		assert.deepEqual(readdirSync(folder), ['taken.db']);
	});
});
