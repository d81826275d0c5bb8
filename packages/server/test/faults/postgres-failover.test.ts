import { test } from 'node:test';
import { embeddedPostgres } from '@bursar/testing/postgres-installation';
import { failOver } from '../support/failover.ts';
import { fileCopy } from '../support/postgres-standby.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const FAILOVERS = isLong ? 60 : 2;
const FREEZES = isLong ? 10 : 1;

const embedded = { installation: await embeddedPostgres(), copyData: fileCopy };

test('after repeated kills of the primary and promotions of its standby, nothing is lost or done twice', async (t) => {
	await failOver(t, { ...embedded, end: 'kill', times: FAILOVERS });
});

test('after a freeze of the primary and promotion of its standby, nothing is lost or done twice', async (t) => {
	await failOver(t, { ...embedded, end: 'freeze', times: FREEZES });
});
