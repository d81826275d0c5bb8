import { test } from 'node:test';
import { debianPostgres } from '@bursar/testing/postgres-installation';
import { failOver, failovers } from '../../support/failover.ts';
import { baseBackup } from '../../support/postgres-standby.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const ENDS = isLong ? failovers({ kills: 60, freezes: 10 }) : failovers({ kills: 6, freezes: 2 });

test("with Debian's PostgreSQL, after kills and freezes of the primary and promotions of its standby, nothing is lost or done twice", async (t) => {
	await failOver(t, { installation: debianPostgres(), copyData: baseBackup, ends: ENDS });
});
