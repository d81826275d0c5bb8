import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { type CopyTarget, copyBooks } from '../../src/store/copying/copy.ts';
import type { CopyError } from '../../src/store/copying/copy-error.ts';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresTarget } from '../../src/store/postgres/database/copy-target.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteSource } from '../../src/store/sqlite/database/copy-source.ts';
import { type CommitFate, startCommitProxy } from '../support/commit-proxy.ts';
import { assertRefused, copy, moveRecord, rowsIn } from '../support/copied-store.ts';
import { filledStore } from '../support/filled-store.ts';

const databases = await testDatabases();
after(() => databases.remove());
/** An empty store. Its database is the original of others, because a copy costs less than the migrations. */
const migrated = await databases.createDatabase();
await (await openPostgresStore(parseDatabaseUrl(migrated), randomBytes(32))).close();

for (const [what, table, change, message] of [
	['a balance', 'accounts', 'NEW.balance_cents := NEW.balance_cents + 1', /in the account/],
	['an amount', 'transfers', 'NEW.amount_cents := NEW.amount_cents + 1', /in the figures of transfers/],
	['an operator', 'people', "NEW.reseller := COALESCE(NEW.reseller, '')", /in the figures of people/],
] as const) {
	test(`${what} that arrives changed is found before the commit`, async (t) => {
		const { dataDir } = await filledStore(t);
		const url = await databases.createDatabase(migrated);
		await inDatabase(url, (database) =>
			database.query(
				`CREATE FUNCTION corrupt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${change}; RETURN NEW; END $$;
				 CREATE TRIGGER corrupts BEFORE INSERT ON bursar.${table} FOR EACH ROW
				 WHEN (NEW.reseller = 'zeta.corp' OR NEW.reseller IS NULL) EXECUTE FUNCTION corrupt()`,
			),
		);
		assert.match(assertRefused(await copy(dataDir, url), 'copies_differ'), message);
		assert.equal(await rowsIn(url), 0);
		assert.deepEqual(moveRecord(dataDir), {});
	});
}

for (const [fate, copied] of [
	['answer_lost', true],
	['arrives_late', true],
	['never_arrives', false],
] as readonly [CommitFate, boolean][]) {
	test(`a copy finds out and reports the outcome of a COMMIT with fate ${fate}`, async (t) => {
		const { dataDir } = await filledStore(t);
		const url = await databases.createDatabase(migrated);
		let isFirst = true;
		const proxy = await startCommitProxy(t, url, () => {
			const next = isFirst ? fate : 'passed';
			isFirst = false;
			return next;
		});
		const ending = await copy(dataDir, proxy.url);
		assert.equal(proxy.fates.get(fate), 1);
		if (copied) assert.equal(ending.code, 0, ending.stderr);
		else assertRefused(ending, 'copy_failed');
		assert.equal((await rowsIn(url)) !== 0, copied);
		assert.equal('moved_at' in moveRecord(dataDir), copied);
	});
}

test('if the outcome of a copy is unknown, the store stays marked as moved, and the error says what to do', async (t) => {
	const { dataDir } = await filledStore(t);
	const source = await openSqliteSource(dataDir, undefined);
	const target = await openPostgresTarget(parseDatabaseUrl(await databases.createDatabase()));
	const cause = new Error('the line is dead');
	const unknown: CopyTarget = { ...target, commit: async () => ({ kind: 'outcome_unknown', cause }) };
	await assert.rejects(
		copyBooks(source, unknown, () => {}),
		(error: CopyError) =>
			error.code === 'outcome_unknown' && /the line is dead.*bursar store reopen/.test(error.message),
	);
	await target.close();
	source.close();
	assert.ok('moved_at' in moveRecord(dataDir));
});
