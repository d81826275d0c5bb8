import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { openReseller } from '@bursar/testing/service';
import { readConfig } from '../../src/config.ts';
import { serveDatabase } from '../support/served-database.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const ROUNDS = isLong ? 60 : 2;
const MOVES = isLong ? 200 : 12;
const LOOKS = isLong ? 1_000 : 50;

const databases = await testDatabases();
after(() => databases.remove());

test('three processes on one database', async (t) => {
	const url = await databases.createDatabase();
	const served = await serveDatabase(t, url);

	await t.test('every snapshot of all accounts has the same total, while three processes transfer money', async () => {
		const load = served.workload.start(...served.urls);
		const total = `SELECT (SELECT sum(balance_cents) FROM bursar.accounts)
			+ (SELECT sum(CASE WHEN credit LIKE 'platform:%' THEN amount_cents ELSE 0 END
				- CASE WHEN debit LIKE 'platform:%' THEN amount_cents ELSE 0 END) FROM bursar.transfers) AS cents,
			(SELECT count(*) FROM bursar.transfers) AS transfers`;
		let first = 0;
		let last = 0;
		await inDatabase(url, async (reader) => {
			// On a busy machine the first transfers come late. Without any, the time limit ends the test.
			for (let look = 0; look < LOOKS || last === first; look++) {
				const { rows } = await reader.query<{ cents: string; transfers: number }>(total);
				assert.equal(Number(rows[0]?.cents), 0);
				last = rows[0]?.transfers ?? 0;
				first ||= last;
			}
		});
		await served.effects.check(await load.stop());
	});

	await t.test('of 200 gives of the last dollar, sent to three processes at once, exactly one succeeds', async () => {
		const { token } = await openReseller(readConfig(served.environment), 'poor', 110);
		const apis = served.urls.map((url) => resellerApi(url, token));
		const api = apis[0] as (typeof apis)[number];
		await api.create({ username: 'alice' });
		const body = { username: 'alice', amount_usd_cents: 100 };
		for (let round = 0; round < ROUNDS; round++) {
			const gives = Array.from({ length: 200 }, (_, n) => (apis[n % apis.length] as typeof api).give(body));
			const endings = (await Promise.all(gives)).map(({ status, errorCode }) => `${status} ${errorCode}`);
			assert.equal(endings.filter((ending) => ending === '200 null').length, 1, `round ${round}`);
			assert.equal(endings.filter((ending) => ending === '402 insufficient_balance').length, 199, `round ${round}`);
			assert.equal((await api.take(body)).status, 200);
		}
	});

	await t.test('opposite gives and takes on the same accounts through three processes cause no deadlock', async () => {
		const { token } = await openReseller(readConfig(served.environment), 'busy', 100_020);
		const apis = served.urls.map((url) => resellerApi(url, token));
		const api = apis[0] as (typeof apis)[number];
		for (const username of ['bruno', 'chiara']) {
			assert.equal((await api.create({ username })).status, 200);
			assert.equal((await api.give({ username, amount_usd_cents: 30_000 })).status, 200);
		}
		const mover = async (index: number) => {
			const own = apis[index % apis.length] as typeof api;
			const [first, second] = index % 2 ? ['bruno', 'chiara'] : ['chiara', 'bruno'];
			for (let move = 0; move < MOVES; move++) {
				const body = { amount_usd_cents: 1 + (move % 7) };
				const answers = await Promise.all([
					own.give({ ...body, username: first }),
					own.take({ ...body, username: second }),
					own.take({ ...body, username: first }),
					own.give({ ...body, username: second }),
				]);
				for (const { status, message } of answers) assert.equal(status, 200, message);
			}
		};
		await Promise.all(Array.from({ length: 9 }, (_, index) => mover(index)));
		assert.equal((await api.myInfo()).data.balance, 40_000);
	});

	await t.test('the ledger is in order afterwards', () => served.assertLedgerInOrder());
});
