import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingPairs } from '../../src/store/sqlite/reading/pairs.ts';
import type { SharedStatement } from '../../src/store/statement.ts';
import { subUserReads } from '../../src/store/tables/accounts/sub-users.ts';
import { findEdge, findSubUsers } from '../../src/store/tables/accounts/terms-reads.ts';
import { inDatabase, storeFolder } from './sqlite-engine.ts';

test('a page of those in a state, or with a reason, reads an index of them and not all rows', async (t) => {
	const { folder, open } = storeFolder(t);
	await (await open()).close();
	const query = { reseller: 'acme', after: '', prefix: 'a', limit: 100 };
	const wanted = { last: 'alice', atMs: 1 };
	const plans = inDatabase(folder, (database) => {
		const planOf = ({ sql, values }: SharedStatement) =>
			database
				.prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\$\d+/g, '?')}`)
				.all(...values)
				.map(({ detail }) => detail)
				.join('; ');
		const told = { ...query, told: ['exhausted', 'expired'] as const };
		const expired = { ...query, state: 'expired' as const };
		return {
			accounts_told: [findEdge(told, told.told), findSubUsers(told, { ...wanted, reasons: told.told })].map(planOf),
			accounts_that_expire: [
				...[findEdge(expired, undefined), findSubUsers(expired, { ...wanted, reasons: undefined })].map(planOf),
			],
		};
	});
	for (const [index, of] of Object.entries(plans)) {
		for (const plan of of) {
			assert.match(plan, new RegExp(`COVERING INDEX ${index} \\(reseller=\\? AND username>\\? AND username<\\?\\)`));
			assert.doesNotMatch(plan, /SCAN accounts/);
		}
	}
});

test('one read adds up all days of ten accounts at most, because it runs on the thread that answers requests', async () => {
	const asked: (readonly unknown[])[] = [];
	async function read({ statement }: { readonly statement: SharedStatement }) {
		asked.push(statement.values.filter((value) => String(value).startsWith('user')));
		return [];
	}
	const usernames = Array.from({ length: 25 }, (_, index) => `user${index}`);
	const reads = subUserReads({ quick: read, heavy: read }, findingPairs);
	await reads.readUsed({ reseller: 'acme', usernames, atMs: 1 });
	assert.deepEqual(
		asked.map(({ length }) => length),
		[10, 10, 5],
	);
	assert.deepEqual(asked.flat(), usernames);
});
