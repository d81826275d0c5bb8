import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { runBursar } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { testDatabases } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../../src/engine.ts';
import { StoreUnavailableError } from '../../../src/store/reading.ts';
import type { BatchAnswer, Store } from '../../../src/store/store.ts';
import { version } from '../../../src/version.ts';

const databases = await testDatabases();
after(() => databases.remove());

/** The values of the metrics, by their names and labels in the text format. */
async function metricsOf(opsUrl: string): Promise<ReadonlyMap<string, number>> {
	const response = await fetch(`${opsUrl}/metrics`);
	assert.equal(response.status, 200);
	const samples = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
	return new Map(
		samples.map((line) => {
			const end = line.lastIndexOf(' ');
			return [line.slice(0, end), Number(line.slice(end + 1))];
		}),
	);
}

/** A service whose store has some of its functions replaced. */
function serviceWith(t: TestContext, replaced: Partial<Store>) {
	return startTestService(t, {}, { openStore: async (config) => ({ ...(await openStore(config)), ...replaced }) });
}

test('errors are counted by their codes, so that what was not done and what is unknown are told apart', async (t) => {
	const cause = new Error('the disk is away');
	const answers: BatchAnswer<never>[] = [
		{ kind: 'outcome_unknown', cause },
		{ kind: 'not_done', cause },
		{ kind: 'not_done', cause },
	];
	let isFailing = false;
	const { url, opsUrl, openReseller } = await startTestService(
		t,
		{},
		{
			async openStore(config) {
				const store = await openStore(config);
				const runCommands: Store['runCommands'] = async (...args) =>
					(isFailing && answers.shift()) || store.runCommands(...args);
				return { ...store, runCommands };
			},
		},
	);
	const api = resellerApi(url, (await openReseller('acme', 100)).token);
	await api.create({ username: 'alice' });
	isFailing = true;
	for (const status of [503, 503, 503, 200]) {
		assert.equal((await api.give({ username: 'alice', amount_usd_cents: 1 })).status, status);
	}
	await resellerApi(url, 'brs_wrong').myInfo();
	const metrics = await metricsOf(opsUrl);
	const errors = [...metrics].filter(([name, count]) => name.startsWith('bursar_http_errors_total') && count > 0);
	assert.deepEqual(Object.fromEntries(errors), {
		'bursar_http_errors_total{code="outcome_unknown"}': 1,
		'bursar_http_errors_total{code="unavailable"}': 2,
		'bursar_http_errors_total{code="unauthorized"}': 1,
	});
	assert.equal(metrics.get('bursar_http_errors_total{code="internal_error"}'), 0);
});

test('what a reseller brings about itself is not counted as a fault of the store', async (t) => {
	const gate = Promise.withResolvers<void>();
	let isFailing = false;
	const { url, opsUrl, openReseller } = await startTestService(
		t,
		{},
		{
			async openStore(config) {
				const store = await openStore(config);
				return {
					...store,
					listSubUsers: async (...args) => gate.promise.then(() => store.listSubUsers(...args)),
					findAccount: (...args) => (isFailing ? unavailable() : store.findAccount(...args)),
				};
			},
		},
	);
	const api = resellerApi(url, (await openReseller('acme', 100)).token);
	await api.create({ username: 'alice' });
	const late = await api.give({ username: 'alice', amount_usd_cents: 1 }, { headers: { 'x-request-expires': '1' } });
	assert.equal(late.errorCode, 'unavailable');
	const lists = Array.from({ length: 33 }, () => api.viewAll());
	const refused = await Promise.race(lists);
	assert.equal(refused.errorCode, 'unavailable');
	isFailing = true;
	assert.equal((await api.viewSingle({ username: 'alice' })).errorCode, 'unavailable');
	gate.resolve();
	await Promise.all(lists);
	const metrics = await metricsOf(opsUrl);
	const causes = ['asker', 'store', 'stopping'].map((cause) =>
		metrics.get(`bursar_http_unavailable_total{cause="${cause}"}`),
	);
	assert.deepEqual(causes, [2, 1, 0]);
	assert.equal(metrics.get('bursar_reseller_recent_changes{reseller="acme"}'), 1);
});

test('on the embedded engine, the metrics tell the build, the schema, the last verification and the last backup', async (t) => {
	const { opsUrl, config, openReseller } = await startTestService(t);
	await openReseller('acme', 100);
	const before = await metricsOf(opsUrl);
	assert.equal(before.get('bursar_ready'), 1);
	assert.equal(before.get(`bursar_build_info{version="${version}",engine="sqlite"}`), 1);
	assert.ok((before.get('bursar_store_schema_version') as number) >= 5);
	for (const name of [
		'bursar_ledger_verified_timestamp_seconds',
		'bursar_ledger_problems',
		'bursar_backup_timestamp_seconds',
	]) {
		assert.equal(before.get(name), undefined, `${name}: there was none yet`);
	}

	const startedAt = Date.now() / 1000;
	const run = (...args: string[]) => runBursar(t, config.dataDir, args);
	assert.equal((await run('ledger', 'verify')).code, 0);
	assert.equal((await run('backup', join(config.dataDir, 'backup.db'))).code, 0);
	const metrics = await metricsOf(opsUrl);
	assert.equal(metrics.get('bursar_ledger_problems'), 0);
	for (const name of ['bursar_ledger_verified_timestamp_seconds', 'bursar_backup_timestamp_seconds']) {
		const seconds = metrics.get(name) as number;
		assert.ok(seconds >= startedAt && seconds <= Date.now() / 1000, `${name} ${seconds}`);
	}
	assert.ok(![...metrics.keys()].some((name) => name.startsWith('bursar_database_')));
});

async function unavailable(): Promise<never> {
	throw new StoreUnavailableError('gone');
}

test('while the store cannot be read or does not answer, the other metrics are there, and none of its own has an old value', async (t) => {
	for (const readState of [unavailable, () => new Promise<never>(() => {})]) {
		const { opsUrl } = await serviceWith(t, { readState, readCredentialsVersion: unavailable });
		await eventually(async () => {
			const metrics = await metricsOf(opsUrl);
			assert.equal(metrics.get('bursar_ready'), 0);
			assert.equal(metrics.get('bursar_store_schema_version'), undefined);
			assert.equal(metrics.get('bursar_queue_depth'), 0);
		});
	}
});

test('on PostgreSQL, the metrics tell the primary, without its password, and the connections of each pool', async (t) => {
	const databaseUrl = new URL(await databases.createDatabase());
	databaseUrl.password ||= 'unneeded-password';
	const { host, password } = databaseUrl;
	const { opsUrl } = await startTestService(t, {
		BURSAR_DATABASE_URL: databaseUrl.href.replace(host, `${host},standby.example:5433`),
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
	});
	const metrics = await metricsOf(opsUrl);
	assert.equal(metrics.get(`bursar_build_info{version="${version}",engine="postgresql"}`), 1);
	assert.ok((metrics.get('bursar_store_schema_version') as number) >= 6);
	assert.equal(metrics.get(`bursar_database_primary{host="${host}"}`), 1);
	assert.equal(metrics.get('bursar_database_primary{host="standby.example:5433"}'), 0);
	const ofCredentials = (name: string) => metrics.get(`bursar_database_${name}`) as number;
	const states = ['used', 'idle', 'free'].map((state) =>
		ofCredentials(`connections{pool="credentials",state="${state}"}`),
	);
	assert.equal(
		states.reduce((sum, count) => sum + count),
		2,
	);
	assert.equal(ofCredentials('connection_waiters{pool="credentials"}'), 0);
	assert.ok(![...metrics.keys()].some((name) => name.includes(password)));
});

test('the names of metrics are those that Prometheus expects', async (t) => {
	const { opsUrl } = await startTestService(t);
	const text = await (await fetch(`${opsUrl}/metrics`)).text();
	const types = Array.from(
		text.matchAll(/^# TYPE (\S+) (\S+)$/gm),
		([, name, type]) => [name, type] as [string, string],
	);
	assert.ok(types.length > 20);
	for (const [name, type] of types) {
		assert.match(name, /^[a-z][a-z0-9_]*$/);
		assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`);
		assert.doesNotMatch(name, /_(ms|milliseconds|minutes|kb|mb)(_|$)/);
		assert.match(text, new RegExp(`^# HELP ${name} .`, 'm'));
	}
});
