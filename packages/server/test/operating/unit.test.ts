import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listProcesses } from '@bursar/testing/processes';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';
import { BURSAR_UNIT, UNITS, unitValues } from '../support/units.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');

test('what the unit starts is the service itself, and systemd hears when it is ready, lives and stops', async (t) => {
	const folder = temporaryFolder(t);
	const told = join(folder, 'told');
	writeFileSync(told, '');
	writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$*" >> ${told}\n`);
	chmodSync(join(folder, 'systemd-notify'), 0o755);
	const linesTold = () => readFileSync(told, 'utf8').split('\n').slice(0, -1);

	const [command = ''] = unitValues(BURSAR_UNIT, 'ExecStart');
	const [program, ...args] = command.split(' ');
	assert.equal(program, 'bursar');
	const [setting = ''] = unitValues(BURSAR_UNIT, 'Environment');
	assert.equal(setting, 'BURSAR_DATA_DIR=/var/lib/bursar');
	const service = startProcess(t, [process.execPath, MAIN, ...args], {
		environment: {
			BURSAR_DATA_DIR: folder,
			BURSAR_PORT: '0',
			BURSAR_OPS_PORT: '0',
			BURSAR_DASHBOARD: '0',
			PATH: `${folder}:/usr/bin:/bin`,
			NOTIFY_SOCKET: '/run/systemd/notify',
			WATCHDOG_USEC: '150000',
		},
	});
	await eventually(async () => assert.ok(linesTold().includes('WATCHDOG=1')), 30_000);
	assert.equal(linesTold()[0], '--ready');
	const [, url = ''] = /"opsUrl":"([^"]+)"/.exec(service.stdout()) ?? [];
	assert.equal((await fetch(`${url}/readyz`)).status, 200, 'it is ready when it says so');
	const children = listProcesses().filter(
		({ parentId, command }) => parentId === service.pid && command.includes(MAIN),
	);
	assert.deepEqual(children, [], 'it is no launcher');
	service.signal('SIGTERM');
	assert.equal((await service.ended).code, 0);
	await eventually(async () => assert.ok(linesTold().includes('STOPPING=1')));
});

test('the units wait for the service, watch it, and keep its secrets out of core dumps', () => {
	for (const unit of UNITS) {
		for (const [name, value] of Object.entries({
			Type: 'notify',
			NotifyAccess: 'all',
			WatchdogSec: '30',
			LimitCORE: '0',
			LimitNOFILE: '65536',
			MemoryMax: '2G',
			Restart: 'always',
		})) {
			assert.deepEqual(unitValues(unit, name), [value], `${unit}: ${name}`);
		}
	}
});

test('the units let their programs read the addresses of the machine', () => {
	for (const unit of UNITS) {
		const [families = ''] = unitValues(unit, 'RestrictAddressFamilies');
		assert.deepEqual(families.split(' ').sort(), ['AF_INET', 'AF_INET6', 'AF_NETLINK', 'AF_UNIX'], unit);
	}
});
