import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const LIMIT_MS = 120_000;
const INNER = join(import.meta.dirname, '../support/outgoing-networks.ts');
/** The line of docs/edge/outgoing-addresses.md, and a network in which nothing answers. */
const SET_UP = [
	'ip link set lo up',
	'ip -6 route add local 2001:db8:1:2::/64 dev lo',
	'ip route add local 203.0.113.0/24 dev lo',
	'ip link add silent type veth peer name other',
	'ip address add 198.51.100.1/24 dev silent',
	'ip link set silent up && ip link set other up',
	...['98', '99'].map((last) => `ip neigh add 198.51.100.${last} lladdr 02:00:00:00:00:01 dev silent`),
];

/** Needs root, and the programs `unshare` and `ip`. */
test('in a network of its own, a proxy sends from routed networks, with few ports, and to silent addresses', async () => {
	const script = `${SET_UP.join(' && ')} && exec "$0" --test --test-reporter=spec "$1"`;
	const inner = promisify(execFile)('unshare', ['--net', 'sh', '-c', script, process.execPath, INNER], {
		env: { ...process.env, NODE_TEST_CONTEXT: undefined },
		timeout: LIMIT_MS,
	});
	const { stdout } = await inner.catch((cause) => assert.fail(`${cause.stdout}${cause.stderr}`));
	assert.match(stdout, /^ℹ pass 4$/m);
});
