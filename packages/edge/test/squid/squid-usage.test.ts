import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { createCounterReporter } from '../../src/agent/counter-reporter.ts';
import { createEdgeClient } from '../../src/agent/edge-client.ts';
import type { ActiveRequest } from '../../src/squid/usage/active-requests.ts';
import { createLogFollower } from '../../src/squid/usage/log-follower.ts';
import { startSquidUsage } from '../../src/squid/usage/squid-usage.ts';
import { EDGE_KEY, type FakeService, startFakeService } from '../support/fake-service.ts';

const logger = createLogger('silent');
const LIMIT_MS = 30_000;
const BEGIN = (Date.now() / 1000 - 60).toFixed(3);

function openRequest(bytesUp: number, bytesDown: number): ActiveRequest {
	return {
		peer: '192.0.2.7:5000',
		local: '192.0.2.8:3128',
		username: 'alice',
		begin: BEGIN,
		ageMs: 60_000,
		isAllowed: true,
		requests: 1,
		bytesReadOnConnection: bytesUp,
		headerBytes: 1,
		bytesDown,
	};
}

function line(port: number, tookMs: number, up: number, down: number, username = 'alice'): string {
	const end = (Date.now() / 1000).toFixed(3);
	return `bursar1 ${end} ${BEGIN} ${tookMs} 192.0.2.7 ${port} TCP_TUNNEL ${up} ${down} ${username}\n`;
}

/** `squid-usage` in this process, which can be ended as `kill -9` would: without its last reports. */
function startUsage(
	t: TestContext,
	service: FakeService,
	log: string,
	fetchActive: () => Promise<readonly ActiveRequest[]>,
	maxCounters = 1_000,
) {
	const client = createEdgeClient({ url: new URL(service.url), key: () => EDGE_KEY });
	const reporter = createCounterReporter({ client, logger, intervalMs: 20, maxCounters });
	const follower = createLogFollower(log, logger);
	const usage = startSquidUsage({
		follower,
		fetchActive,
		reporter,
		cutter: undefined,
		logger,
		readIntervalMs: 10,
		askIntervalMs: 10,
	});
	const end = async () => {
		client.close();
		await Promise.all([usage.stop(), reporter.stop(0)]);
		await follower.close();
	};
	t.after(end);
	return { usage, reporter, end };
}

function openLog(t: TestContext): string {
	const log = join(temporaryFolder(t), 'bursar.log');
	writeFileSync(log, '');
	return log;
}

test('an open tunnel counts while it grows, across restarts, and its line in the log adds only the rest', async (t) => {
	const service = await startFakeService(t);
	const log = openLog(t);
	let open = [openRequest(10, 100)];
	let running = startUsage(t, service, log, async () => open);
	const counted = (up: number, down: number) =>
		eventually(async () => assert.deepEqual(service.usedBy('alice'), { up, down }), LIMIT_MS);
	await counted(10, 100);
	open = [openRequest(20, 300)];
	await counted(20, 300);
	await running.end();
	appendFileSync(log, line(7, 5, 1, 2));
	running = startUsage(t, service, log, async () => open);
	await counted(21, 302);
	open = [];
	appendFileSync(log, line(5000, 60_000, 25, 350));
	await counted(26, 352);
	await running.end();
	running = startUsage(t, service, log, async () => open);
	appendFileSync(log, line(8, 5, 1, 1));
	await counted(27, 353);
	assert.equal(service.counters.size, 2);
	await running.end();
});

test('while the service is away the log keeps what has no room, and later everything is counted', async (t) => {
	const service = await startFakeService(t);
	const log = openLog(t);
	await service.goAway();
	const { reporter, end } = startUsage(t, service, log, async () => [], 3);
	for (let port = 1; port <= 50; port++) appendFileSync(log, line(port, 5_000, 1, 2, `user.${port % 20}`));
	await eventually(async () => assert.equal(reporter.stats.kept, 3), LIMIT_MS);
	service.behaviour = 'lose_answers';
	await service.comeBack();
	await eventually(async () => assert.equal(service.counters.size, 3), LIMIT_MS);
	service.behaviour = 'usual';
	await eventually(async () => assert.equal(service.counters.size, 50), LIMIT_MS);
	for (let user = 0; user < 20; user++) {
		const requests = user >= 1 && user <= 10 ? 3 : 2;
		assert.deepEqual(service.usedBy(`user.${user}`), { up: requests, down: requests * 2 });
	}
	await end();
});

test("if Squid's manager or the log cannot be read, it says so, counts what it can, and recovers", async (t) => {
	const service = await startFakeService(t);
	const log = openLog(t);
	let isAway = true;
	const { usage, end } = startUsage(t, service, log, async () => {
		if (isAway) throw new Error('ECONNREFUSED');
		return [];
	});
	await eventually(async () => assert.match(usage.problem() ?? '', /manager fails: ECONNREFUSED/), LIMIT_MS);
	appendFileSync(log, line(1, 5, 1, 2));
	await eventually(async () => assert.deepEqual(service.usedBy('alice'), { up: 1, down: 2 }), LIMIT_MS);
	isAway = false;
	await eventually(async () => assert.equal(usage.problem(), undefined), LIMIT_MS);
	await end();

	const nowhere = startUsage(t, service, '/nowhere/bursar.log', async () => []);
	await eventually(async () => assert.match(nowhere.usage.problem() ?? '', /access log fails: ENOENT/), LIMIT_MS);
	await nowhere.end();
});
