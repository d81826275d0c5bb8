// Bursar on PostgreSQL as `main` builds it, but that each read of an account is a query of its own.
import { readConfig } from '../../packages/server/src/config.ts';
import { openStore } from '../../packages/server/src/engine.ts';
import { createLogger } from '../../packages/server/src/logger.ts';
import { startService } from '../../packages/server/src/main.ts';
import { type AccountRow, accountOf } from '../../packages/server/src/store/account-row.ts';
import { createKeySeal } from '../../packages/server/src/store/key-seal.ts';
import { openConnections } from '../../packages/server/src/store/postgres/connections.ts';
import { createHosts } from '../../packages/server/src/store/postgres/hosts.ts';
import { readingFrom } from '../../packages/server/src/store/postgres/reads.ts';

/** What a pool of `pg` has unless it is told otherwise. */
const CONNECTIONS = 10;

const config = readConfig(process.env);
const { databaseUrl, masterKey } = config;
if (!databaseUrl || !masterKey) throw new Error('this needs a database');

const connections = openConnections(createHosts(databaseUrl), { max: CONNECTIONS });
const read = readingFrom(connections);
const seal = createKeySeal(masterKey);

async function findAccount(reseller: string, username: string) {
	const sql = `SELECT reseller, username, balance_cents AS "balanceCents", sealed_auth_key AS "sealedAuthKey",
		created_at_ms AS "createdAtMs" FROM accounts WHERE reseller = $1 AND username = $2`;
	const [row] = await read<AccountRow>(sql, [reseller, username]);
	return row && accountOf(row, seal.open);
}

const service = await startService(config, createLogger(config.logLevel), {
	openStore: async () => ({ ...(await openStore(config)), findAccount }),
});
process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
process.once(
	'SIGTERM',
	() =>
		void service
			.stop()
			.then(connections.close)
			.then(() => process.exit()),
);
