import { test } from 'node:test';
import { embeddedPostgres } from '@bursar/testing/postgres-installation';
import { failOver, failovers } from '../support/failover.ts';
import { fileCopy } from '../support/postgres-standby.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const ENDS = isLong ? failovers({ kills: 60, freezes: 10 }) : failovers({ kills: 1, freezes: 1 });

test('after kills and freezes of the primary and promotions of its standby, nothing is lost or done twice', async (t) => {
	await failOver(t, { installation: await embeddedPostgres(), copyData: fileCopy, ends: ENDS });
});
