import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { runBursar } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { hashSecret } from '../../src/credentials.ts';
import { openStore } from '../../src/engine.ts';
import { edgeUse } from '../support/records.ts';

/** Runs a command with `--json`, and returns its exit code and its object. */
async function runJson(dataDir: string, ...args: string[]) {
	const { code, stdout, stderr } = await callBursar(dataDir, [...args, '--json']);
	return { code, value: JSON.parse(code === 0 ? stdout : stderr) };
}

async function edgesIn(dataDir: string) {
	const store = await openStore(readConfig({ BURSAR_DATA_DIR: dataDir }));
	const edges = await store.listEdges();
	await store.close();
	return edges;
}

describe('bursar edge', { concurrency: 2 }, () => {
	test('create prints a key once, of which only the hash is kept; revoke ends it, and create gives a new one', async (t) => {
		const dataDir = temporaryFolder(t);
		await runJson(dataDir, 'migrate');
		const { code, value } = await runJson(dataDir, 'edge', 'create', '--key', 'frankfurt-1');
		assert.equal(code, 0);
		assert.deepEqual(Object.keys(value), ['name', 'key']);
		assert.match(value.key, /^bre_[0-9A-Za-z]{46}$/);
		const [edge] = await edgesIn(dataDir);
		assert.deepEqual([edge?.keyHash, edge?.keyTail], [hashSecret(value.key), value.key.slice(-4)]);

		assert.equal((await runJson(dataDir, 'edge', 'create', '--key', 'frankfurt-1')).value.error.code, 'edge_exists');
		assert.deepEqual((await runJson(dataDir, 'edge', 'revoke', 'frankfurt-1')).value, {
			name: 'frankfurt-1',
			state: 'revoked',
		});
		assert.equal((await runJson(dataDir, 'edge', 'revoke', 'frankfurt-1')).code, 0);
		assert.equal((await runJson(dataDir, 'edge', 'revoke', 'paris')).value.error.code, 'unknown_edge');
		assert.equal((await edgesIn(dataDir))[0]?.keyHash, null);

		const again = await callBursar(dataDir, ['edge', 'create', '--key', 'frankfurt-1']);
		const [, key = ''] = /^key +(bre_\w{46})$/m.exec(again.stdout) ?? [];
		assert.match(again.stderr, /shown only this once/);
		assert.notEqual(key, value.key);
		assert.equal((await edgesIn(dataDir))[0]?.keyHash, hashSecret(key));
	});

	test('list shows when each edge was last seen and how far it has reported, and no secret', async (t) => {
		const dataDir = temporaryFolder(t);
		await runJson(dataDir, 'migrate');
		const { key } = (await runJson(dataDir, 'edge', 'create', '--key', 'eu-1')).value;
		await runJson(dataDir, 'edge', 'create', '--key', 'eu-2');
		await runJson(dataDir, 'edge', 'revoke', 'eu-2');
		await runJson(dataDir, 'reseller', 'create', 'acme');
		const store = await openStore(readConfig({ BURSAR_DATA_DIR: dataDir }));
		const atMs = store.nowMs() - 90_000;
		await store.writeRecords([edgeUse('eu-1', atMs, 12, 3)], store.nowMs());
		const read = {
			edge: 'eu-1',
			counter: 'c',
			username: 'acme',
			atMs,
			bytesUp: 1,
			bytesDown: 1,
			edgeBytesPerMs: 1,
		};
		await store.recordUsage([read], store.nowMs());
		await store.close();

		const { edges } = (await runJson(dataDir, 'edge', 'list')).value;
		const [first, second] = edges;
		const { date_created, lag_seconds, ...shown } = first;
		assert.ok(Date.parse(date_created) > 0);
		assert.ok(lag_seconds >= 90);
		const at = new Date(atMs).toISOString();
		const state = { name: 'eu-1', state: 'active', key_tail: key.slice(-4) };
		assert.deepEqual(shown, { ...state, last_seen: at, reported_to: at, checks: 12, refusals: 3 });
		assert.deepEqual([second.state, second.last_seen, second.lag_seconds], ['revoked', null, null]);

		const plain = await callBursar(dataDir, ['edge', 'list']);
		assert.match(
			plain.stdout,
			/^NAME +STATE +KEY +LAST SEEN +REPORTED TO +LAG +CHECKS +REFUSALS\neu-1 +active +\.\.\.\w{4} /,
		);
		assert.match(plain.stdout, /\neu-2 +revoked +\.\.\.\w{4} +- +- +- +0 +0\n$/);
		assert.ok(!plain.stdout.includes(key.slice(4, 40)));
	});

	test('a link is made only if the settings name an address that another machine can use', async (t) => {
		const dataDir = temporaryFolder(t);
		await runJson(dataDir, 'migrate');
		const create = async (environment: Readonly<Record<string, string>>) => {
			const { code, stdout, stderr } = await callBursar(dataDir, ['edge', 'create', 'eu-1', '--json'], {
				environment,
			});
			return { code, value: JSON.parse(code === 0 ? stdout : stderr) };
		};
		const port = { BURSAR_EDGE_PORT: '8081' };
		for (const [environment, why] of [
			[{}, /^BURSAR_EDGE_PORT is not set here: set BURSAR_EDGE_URL /],
			[{ BURSAR_EDGE_PORT: '0' }, /^BURSAR_EDGE_HOST and BURSAR_EDGE_PORT name no address: set BURSAR_EDGE_URL /],
			[{ ...port, BURSAR_EDGE_HOST: '0.0.0.0' }, /^BURSAR_EDGE_HOST and BURSAR_EDGE_PORT name no address/],
			[{ ...port, BURSAR_EDGE_HOST: '::' }, /^BURSAR_EDGE_HOST and BURSAR_EDGE_PORT name no address/],
		] as const) {
			const { code, value } = await create(environment);
			assert.deepEqual([code, value.error.code], [1, 'no_edge_url']);
			assert.match(value.error.message, why);
		}
		assert.deepEqual(await edgesIn(dataDir), []);
		for (const [environment, origin] of [
			[port, 'http://127.0.0.1:8081'],
			[{ ...port, BURSAR_EDGE_HOST: '::1' }, 'http://[::1]:8081'],
			[{ ...port, BURSAR_EDGE_URL: 'https://edge.example' }, 'https://edge.example'],
		] as const) {
			const { link } = (await create(environment)).value;
			assert.equal(new URL(link).origin, origin);
		}
	});

	const needsLinux = { skip: process.platform !== 'linux' && 'this system has no /dev/full' };
	test('a key that cannot be shown is not made, or the error says how to get another one', needsLinux, async (t) => {
		const dataDir = temporaryFolder(t);
		await runJson(dataDir, 'migrate');
		const under = ['sh', '-c', '"$@" > /dev/full', 'sh'];
		const args = ['edge', 'create', '--key', 'eu-1', '--json'];
		const { code, stderr } = await runBursar(t, dataDir, args, { under });
		assert.equal(code, 1);
		const { error } = JSON.parse(stderr);
		assert.equal(error.code, 'key_not_shown');
		assert.deepEqual(error.done, { name: 'eu-1' });
		assert.match(error.message, /To get another one: bursar edge revoke eu-1, then bursar edge create --key eu-1$/);
		assert.doesNotMatch(stderr, /bre_/);
		const closed = await runBursar(t, dataDir, ['edge', 'create', '--key', 'eu-2', '--json'], {
			under: ['sh', '-c', '"$@" >&-', 'sh'],
		});
		assert.equal(JSON.parse(closed.stderr).error.code, 'output_closed');
		assert.equal((await edgesIn(dataDir)).length, 1);
	});
});
