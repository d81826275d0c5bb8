import { test } from 'node:test';
import { embeddedPostgres } from '@bursar/testing/postgres-installation';
import { failOver } from '../support/failover.ts';
import { fileCopy } from '../support/postgres-standby.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const FAILOVERS = isLong ? 60 : 2;
const SILENCES = isLong ? 10 : 1;

const embedded = { installation: await embeddedPostgres(), copyData: fileCopy };

test('a primary is killed and its synchronous standby promoted, over and over: nothing is lost or done twice', async (t) => {
	await failOver(t, { ...embedded, end: 'kill', times: FAILOVERS });
});

test('a primary falls silent and its synchronous standby is promoted: nothing is lost or done twice', async (t) => {
	await failOver(t, { ...embedded, end: 'freeze', times: SILENCES });
});
