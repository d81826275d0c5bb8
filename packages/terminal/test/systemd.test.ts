import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { serviceNotifier } from '../src/systemd.ts';

/** A `systemd-notify` that writes down its arguments and its environment. */
function notifyProgram(t: TestContext) {
	const folder = temporaryFolder(t);
	const program = join(folder, 'systemd-notify');
	const told = join(folder, 'told');
	writeFileSync(told, '');
	writeFileSync(program, `#!/bin/sh\necho "$* $(env | grep -c SECRET) $NOTIFY_SOCKET" >> ${told}\n`);
	chmodSync(program, 0o755);
	const environment = { NOTIFY_SOCKET: '/run/systemd/notify', PATH: `${folder}:/usr/bin:/bin`, SECRET: 's3cret' };
	return { environment, told: () => readFileSync(told, 'utf8').split('\n').slice(0, -1) };
}

const never = (cause: Error) => assert.fail(cause);

test('systemd hears that a service is ready, that it lives, and that it stops; no secret is passed on', async (t) => {
	const { environment, told } = notifyProgram(t);
	const notifier = serviceNotifier(
		{ ...environment, WATCHDOG_USEC: '60000', WATCHDOG_PID: String(process.pid) },
		never,
	);
	notifier.ready();
	await eventually(async () => assert.ok(told().length >= 3));
	notifier.stopping();
	const stopping = 'STOPPING=1 0 /run/systemd/notify';
	await eventually(async () => assert.ok(told().includes(stopping)));
	const others = told().filter((line) => line !== stopping);
	assert.equal(others[0], '--ready 0 /run/systemd/notify');
	assert.ok(others.slice(1).every((line) => line === 'WATCHDOG=1 0 /run/systemd/notify'));
});

test('without a watchdog, or with that of another process, nothing is told again and again', async (t) => {
	for (const watchdog of [{}, { WATCHDOG_USEC: '30000', WATCHDOG_PID: '1' }]) {
		const { environment, told } = notifyProgram(t);
		const notifier = serviceNotifier({ ...environment, ...watchdog }, never);
		notifier.ready();
		await eventually(async () => assert.equal(told().length, 1));
		notifier.stopping();
		await eventually(async () => assert.equal(told().length, 2));
		assert.ok(!told().some((line) => line.startsWith('WATCHDOG')));
	}
});

test('without systemd nothing is run; a program that is missing is told', async (t) => {
	const { environment, told } = notifyProgram(t);
	serviceNotifier({ ...environment, NOTIFY_SOCKET: undefined }, never).ready();
	const cause = await new Promise<Error>((resolve) => {
		serviceNotifier({ ...environment, PATH: '/nowhere' }, resolve).ready();
	});
	assert.match(cause.message, /ENOENT/);
	assert.deepEqual(told(), []);
});
