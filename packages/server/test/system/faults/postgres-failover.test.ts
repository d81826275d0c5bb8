import { test } from 'node:test';
import { debianPostgres } from '@bursar/testing/postgres-installation';
import { failOver } from '../../support/failover.ts';
import { baseBackup } from '../../support/postgres-standby.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const FAILOVERS = isLong ? 60 : 6;
const SILENCES = isLong ? 10 : 2;

const debian = { installation: debianPostgres(), copyData: baseBackup };

test("with Debian's PostgreSQL, a primary is killed and its synchronous standby promoted, over and over: nothing is lost or done twice", async (t) => {
	await failOver(t, { ...debian, end: 'kill', times: FAILOVERS });
});

test("with Debian's PostgreSQL, a primary falls silent and its synchronous standby is promoted: nothing is lost or done twice", async (t) => {
	await failOver(t, { ...debian, end: 'freeze', times: SILENCES });
});
