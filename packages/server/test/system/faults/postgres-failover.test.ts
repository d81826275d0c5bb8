import { test } from 'node:test';
import { debianPostgres } from '@bursar/testing/postgres-installation';
import { failOver } from '../../support/failover.ts';
import { baseBackup } from '../../support/postgres-standby.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const FAILOVERS = isLong ? 60 : 6;
const FREEZES = isLong ? 10 : 2;

const debian = { installation: debianPostgres(), copyData: baseBackup };

test("with Debian's PostgreSQL, after repeated kills of the primary and promotions of its standby, nothing is lost or done twice", async (t) => {
	await failOver(t, { ...debian, end: 'kill', times: FAILOVERS });
});

test("with Debian's PostgreSQL, after a freeze of the primary and promotion of its standby, nothing is lost or done twice", async (t) => {
	await failOver(t, { ...debian, end: 'freeze', times: FREEZES });
});
