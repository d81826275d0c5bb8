import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { assertLedgerInOrder, runBursar, startServer } from '@bursar/testing/bursar-process';
import { edgeApi } from '@bursar/testing/edge';
import { eventually } from '@bursar/testing/eventually';
import { testDatabases } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../src/engine.ts';
import { migrationsFolder } from '../../src/installation.ts';
import { codeNow, dashboardPerson } from './dashboard-person.ts';
import { openReleasedStore, type ReleasedStore } from './open-released-store.ts';
import {
	type EngineName,
	listMigrations,
	type MigrationList,
	RELEASED_STORES,
	STORE_FILES,
} from './released-stores.ts';

const EDGE_LIMIT_MS = 20_000;
const ENGINES: readonly EngineName[] = ['sqlite', 'postgres'];
const versions = readdirSync(RELEASED_STORES, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);
const databases = await testDatabases();
after(() => databases.remove());

function releasedMigrations(version: string, engine: EngineName): MigrationList {
	return JSON.parse(readFileSync(join(RELEASED_STORES, version, engine, STORE_FILES.migrations), 'utf8'));
}

test('there is a store of each version that the changelog names', () => {
	const changelog = readFileSync(join(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8');
	const named = [...changelog.matchAll(/^## \[?(\d[^\s,\]]*)/gm)].map(([, name]) => name as string);
	assert.deepEqual(
		named.filter((name) => !versions.includes(name)),
		[],
		'run npm run release -- --fixture',
	);
	assert.ok(versions.length > 0);
});

for (const engine of ENGINES) {
	for (const version of versions) {
		test(`${engine}: migrations of ${version} have the same bytes and order, and others come after them`, () => {
			const released = releasedMigrations(version, engine);
			assert.deepEqual(listMigrations(migrationsFolder(engine)).slice(0, released.length), released);
		});

		test(`${engine}: a store of ${version} opens, everything in it holds, and business goes on`, async (t) => {
			const store = await openReleasedStore(t, version, engine, databases.createDatabase);
			const { dataDir, environment } = store;
			await assertNotMigratedByTheWay(t, store);
			const known = releasedMigrations(version, engine).map(({ name }) => name);
			const added = listMigrations(migrationsFolder(engine)).map(({ name }) => name);
			assert.deepEqual(await migrate(t, store), added.slice(known.length), 'it lacks just the migrations that are new');
			const migrated = await store.rows();
			const hours = migrated.meta?.find((row) => row.includes('usage_hours_since_ms'));
			assert.match(hours ?? '', /"value":"[1-9]\d{12}"/, 'its days are older than its hours');
			assert.deepEqual(await migrate(t, store), []);
			assert.deepEqual(await store.rows(), migrated, 'opening it again changes nothing');

			await assertLedgerInOrder(t, dataDir, { environment });
			await assertPrinted(t, store);
			await assertUsageShown(t, store);
			await assertBusinessGoesOn(t, store);
			await assertLedgerInOrder(t, dataDir, { environment });
		});
	}
}

/** A command of a newer version, run while the old one serves the store, must not change the store. */
async function assertNotMigratedByTheWay(t: TestContext, { dataDir, environment, rows }: ReleasedStore): Promise<void> {
	const before = await rows();
	for (const args of [
		['reseller', 'list'],
		['reseller', 'create', 'another', '--balance', '0.00'],
		['ledger', 'verify'],
	]) {
		const { code, stdout, stderr } = await runBursar(t, dataDir, [...args, '--json'], { environment });
		assert.deepEqual([code, stdout], [1, '']);
		const { error } = JSON.parse(stderr);
		assert.equal(error.code, 'store_is_older');
		assert.match(error.message, /bursar serve or bursar migrate/);
	}
	assert.deepEqual(await rows(), before);
}

/** Opens the store, and returns the names of the migrations that it lacked. */
async function migrate(t: TestContext, { dataDir, environment }: ReleasedStore): Promise<readonly string[]> {
	const { code, stdout, stderr } = await runBursar(t, dataDir, ['migrate', '--json'], { environment });
	assert.equal(code, 0, stderr);
	return JSON.parse(stdout).applied;
}

/** Checks that commands print what they printed under the released version. */
async function assertPrinted(t: TestContext, { facts, dataDir, environment }: ReleasedStore): Promise<void> {
	assert.ok(facts.commands.length > 0);
	for (const { args, printed } of facts.commands) {
		const { code, stdout, stderr } = await runBursar(t, dataDir, [...args, '--json'], { environment });
		assert.equal(code, 0, stderr);
		const now = JSON.parse(stdout);
		for (const [name, value] of Object.entries(printed)) assertStillHolds(now[name], named(value), args.join(' '));
	}
}

/** Names of amounts that 1.0.0-rc.1 printed, and their names now. */
const RENAMED: Readonly<Record<string, string>> = { amount: 'amount_cents', balance: 'balance_cents' };

/** The same rows with the names of now. */
function named(printed: unknown): unknown {
	if (!Array.isArray(printed)) return printed;
	return printed.map((row: object) =>
		Object.fromEntries(Object.entries(row).map(([name, value]) => [RENAMED[name] ?? name, value])),
	);
}

/** New versions may have added fields, and no list entries. */
function assertStillHolds(now: unknown, released: unknown, what: string): void {
	assert.partialDeepStrictEqual(now, released, what);
	if (Array.isArray(released)) assert.equal((now as readonly unknown[]).length, released.length, what);
}

/** Runs the service at the time at which the store was made: the API shows bandwidth for 90 days. */
async function assertUsageShown(t: TestContext, { facts, dataDir, environment }: ReleasedStore): Promise<void> {
	const nowMs = () => facts.madeAtMs;
	const service = await startTestService(
		t,
		{ BURSAR_DATA_DIR: dataDir, ...environment },
		{ openStore: async (config) => ({ ...(await openStore(config)), nowMs }) },
	);
	for (const { token, usage } of facts.resellers) {
		assert.ok(Object.keys(usage).length > 0);
		for (const [username, days] of Object.entries(usage)) {
			const options = { body: { username }, token, nowMs: facts.madeAtMs };
			assertStillHolds((await call(service.url, endpoints.viewUsage.path, options)).data, days, username);
		}
	}
	await service.stop();
}

/** Checks that there is one movement since that one, and that who reads from the oldest on sees all. */
async function assertCountedOn(api: ReturnType<typeof resellerApi>, before: number): Promise<void> {
	const read = async (page: object) => (await api.viewStatement({ limit: 1_000, ...page })).data;
	const next = await read({ order: 'oldest', after: before });
	const idsOf = ({ movements }: { movements: { id: number }[] }) => movements.map(({ id }) => id);
	assert.deepEqual(idsOf(next), [before + 1]);
	const all = idsOf(await read({ order: 'oldest' }));
	assert.deepEqual(all, idsOf(await read({})).reverse());
	assert.deepEqual(
		all,
		[...new Set(all)].sort((a, b) => a - b),
	);
}

/** Checks that what was given to people and programs still works, and what was taken from them does not. */
async function assertBusinessGoesOn(t: TestContext, { facts, dataDir, environment }: ReleasedStore): Promise<void> {
	const settings = { BURSAR_DASHBOARD: '1', BURSAR_EDGE_PORT: '0', ...environment };
	const service = await startServer(t, dataDir, { environment: settings });
	const edgeUrl = service.edgeUrl ?? assert.fail('the edge listener is off');

	for (const { token, endedTokens, account, subUsers } of facts.resellers) {
		for (const ended of endedTokens) assertFailure(await resellerApi(service.url, ended).myInfo(), 401, 'unauthorized');
		const api = resellerApi(service.url, token);
		assertStillHolds((await api.myInfo()).data, account, account.username);
		assertStillHolds((await api.viewAll()).data, subUsers, account.username);
		const [{ username, balance } = assert.fail('the reseller has no sub-users')] = subUsers;
		const [before] = (await api.viewStatement({ limit: 1 })).data.movements;
		assert.equal((await api.give({ username, amount_usd_cents: 5 })).status, 200);
		await assertCountedOn(api, before.id);
		assert.equal((await api.viewSingle({ username })).data.balance, balance + 5);
		assert.equal((await api.myInfo()).data.balance, account.balance - 5);
	}

	for (const { email, password, codesSecret, recoveryCodes, locked } of facts.people) {
		for (const code of [codeNow(codesSecret), recoveryCodes[0] as string]) {
			const { status } = await dashboardPerson(service.url).signIn(email, password, code);
			assert.equal(status, locked ? 401 : 200, email);
		}
	}

	const pairs = facts.resellers.flatMap(({ account, subUsers }) => [account, ...subUsers]);
	for (const { key, revoked, counters } of facts.edges) {
		const edge = edgeApi(edgeUrl, key);
		const report = (more: number) => {
			const at = new Date().toISOString();
			return edge.usage({ counters: counters.map((each) => ({ ...each, down: each.down + more, at })) });
		};
		if (revoked) {
			assert.equal((await report(0)).status, 401);
			continue;
		}
		await eventually(async () => assert.equal((await report(0)).status, 200), EDGE_LIMIT_MS);
		assert.equal((await report(0)).body.repeated, counters.length, 'counters go on where they were');
		assert.equal((await report(1)).body.counted, counters.length);
		const checks = pairs.map(({ username, proxy_authkey }) => ({ username, password: proxy_authkey }));
		const { body } = await edge.check({ checks: [...checks, { username: 'alice', password: 'wrong' }] });
		assert.deepEqual(
			body.checks.map(({ ok }: { ok: boolean }) => ok),
			[...pairs.map(() => true), false],
		);
	}
	assert.equal((await service.kill('SIGTERM')).code, 0);
}
