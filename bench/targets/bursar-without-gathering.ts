// Bursar on PostgreSQL as `startService` builds it, but each read of an account is its own prepared query, on a pool
// of the driver.

import { createLogger } from '@bursar/terminal/logger';
import pg from 'pg';
import { readConfig } from '../../packages/server/src/config.ts';
import { openStore } from '../../packages/server/src/engine.ts';
import { startService } from '../../packages/server/src/service.ts';
import { type AccountRow, accountOf } from '../../packages/server/src/store/account-row.ts';
import { createKeySeal } from '../../packages/server/src/store/key-seal.ts';

/** The default size of a pool in `pg`. */
const CONNECTIONS = 10;

const FIND_ACCOUNT = `SELECT reseller, username, balance_cents AS "balanceCents", sealed_auth_key AS "sealedAuthKey",
	created_at_ms AS "createdAtMs" FROM bursar.accounts WHERE reseller = $1 AND username = $2`;

const config = readConfig(process.env);
const { databaseUrl, masterKey } = config;
if (!databaseUrl || !masterKey) throw new Error('set BURSAR_DATABASE_URL and BURSAR_MASTER_KEY');

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: databaseUrl.hostUrls[0], max: CONNECTIONS });
const seal = createKeySeal(masterKey);

async function findAccount(reseller: string, username: string) {
	const query = { name: 'find account', text: FIND_ACCOUNT, values: [reseller, username] };
	const [row] = (await pool.query<AccountRow>(query)).rows;
	return row && accountOf(row, seal.open);
}

const service = await startService(config, createLogger(config.logLevel), {
	openStore: async () => ({ ...(await openStore(config)), findAccount }),
});
process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
process.once('SIGTERM', async () => {
	await service.stop();
	await pool.end();
	process.exit();
});
