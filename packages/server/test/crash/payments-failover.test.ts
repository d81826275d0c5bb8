import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { embeddedPostgres } from '@bursar/testing/postgres-installation';
import { bookPayments } from '../support/payments-under-faults.ts';
import { startPair } from '../support/postgres-pair.ts';
import { fileCopy } from '../support/postgres-standby.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';

test('after the primary dies and its standby is promoted, each payment is booked exactly once', async (t) => {
	const pair = await startPair(t, { installation: await embeddedPostgres(), copyData: fileCopy });
	const name = new URL(await pair.primary.createDatabase()).pathname.slice(1);
	await bookPayments(t, {
		environment: { BURSAR_DATABASE_URL: pair.url(name), BURSAR_MASTER_KEY: randomBytes(32).toString('base64') },
		processes: 2,
		payments: isLong ? 1_005 : 90,
		rounds: isLong ? 10 : 1,
		async happen(round, random) {
			if (round > 0) await pair.attachStandby();
			await pair.failOver('kill', random.below(300));
		},
	});
});
