import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { offerClaim } from '../../src/cli/offer-claim.ts';
import { CLAIM_LIFE_MS } from '../../src/domain/people/person.ts';
import { bothEngines } from '../support/both-engines.ts';
import { browserAt, PASSWORD, startDashboard } from '../support/dashboard.ts';

const OLGA = 'olga@bursar.example';
const PUBLIC_URL = 'https://bursar.example';
const LINK = /^https:\/\/bursar\.example\/dashboard\/invitation#([\w-]{43})$/;
const NO_OPERATOR = 'there is no operator yet: "bursar operator claim" prints a link for the first one';
const READY_LIMIT_MS = 60_000;

for (const engine of await bothEngines()) {
	test(`on ${engine.name}, in a pipe, serve makes no link and names the command; its link claims the running service`, async (t) => {
		const dataDir = temporaryFolder(t);
		const settings = { BURSAR_DASHBOARD: '1', BURSAR_LOG_LEVEL: 'trace', BURSAR_PUBLIC_URL: PUBLIC_URL };
		const environment = { ...settings, ...(await engine.environment()) };
		const server = await startServer(t, dataDir, { environment });
		await eventually(async () => assert.ok(messages(server.stdout()).includes(NO_OPERATOR)), READY_LIMIT_MS);
		const links = [];
		for (let n = 0; n < 2; n++) {
			const { value } = await claim(dataDir, environment);
			assert.deepEqual(Object.keys(value), ['link', 'link_expires']);
			const lifeMs = Date.parse(value.link_expires) - Date.now();
			assert.ok(Math.abs(lifeMs - CLAIM_LIFE_MS) < 120_000, `${lifeMs}`);
			links.push(LINK.exec(value.link)?.[1] ?? assert.fail('the link has another form'));
		}
		const [replaced, link] = links as [string, string];
		const browser = browserAt(server.url, PUBLIC_URL);
		const use = { email: OLGA, password: PASSWORD };
		await browser.refused('invalid_link', '/invitation/accept', { link: replaced, ...use });
		await browser.ok('/invitation/accept', { link, ...use });
		await browser.refused('invalid_link', '/invitation/accept', { link, ...use });

		const refused = await claim(dataDir, environment);
		assert.deepEqual([refused.code, refused.value.error.code], [1, 'operator_exists']);
		const { stdout, stderr } = await server.kill('SIGTERM');
		assert.equal(messages(stdout).filter((each) => each === NO_OPERATOR).length, 1);
		for (const secret of [...links, '#']) assert.ok(!(stdout + stderr).includes(secret));
		for (const file of readdirSync(dataDir)) {
			for (const secret of links) assert.ok(!readFileSync(join(dataDir, file)).includes(secret), file);
		}
	});
}

test('with an operator who was only invited, no link is made, and nothing is said; nor without a dashboard', async (t) => {
	const service = await startTestService(t, { BURSAR_DASHBOARD: '1' });
	const { config } = service;
	const offered = (dashboard: boolean) => saidBy(t, service, { ...config, dashboard }, false);
	assert.equal((await claim(config.dataDir)).code, 0);
	assert.deepEqual(await offered(false), []);
	assert.deepEqual(await offered(true), [NO_OPERATOR]);
	assert.equal((await callBursar(config.dataDir, ['operator', 'invite', '--email', OLGA])).code, 0);
	const refused = await claim(config.dataDir);
	assert.deepEqual([refused.code, refused.value.error.code], [1, 'operator_exists']);
	assert.deepEqual(await offered(true), []);
});

test('for people, the output says how long a link is good', async (t) => {
	const environment = { BURSAR_DASHBOARD: '0', BURSAR_PORT: '9000' };
	const { stdout, stderr } = await callBursar(temporaryFolder(t), ['operator', 'claim'], { environment });
	assert.match(stdout, /^link {10}http:\/\/localhost:9000\/dashboard\/invitation#[\w-]{43}\nlink_expires {2}\S+\n$/);
	assert.match(
		stderr,
		/^The link is shown only this once\. It is good for 24 hours, and for one use\.\n.*BURSAR_DASHBOARD=0/,
	);
});

test('a store that cannot be asked keeps no service from starting, on a terminal or not', async (t) => {
	const { faults, ...service } = await startDashboard(t);
	const cause = new Error('the disk has gone');
	faults.listPeopleOf = () => Promise.reject(cause);
	faults.runPersonCommands = async () => ({ kind: 'not_done', cause });
	for (const isTerminal of [false, true]) {
		assert.deepEqual(await saidBy(t, service, service.config, isTerminal), [
			'no link for the first operator could be made: use "bursar operator claim"',
		]);
	}
});

async function claim(dataDir: string, environment: Readonly<Record<string, string>> = {}) {
	const { code, stdout, stderr } = await callBursar(dataDir, ['operator', 'claim', '--json'], { environment });
	assert.equal(code === 0 ? stderr : stdout, '');
	return { code, value: JSON.parse(code === 0 ? stdout : stderr) };
}

/** What a service that starts says in its log. */
async function saidBy(t: TestContext, service: Offered[0], config: Offered[1], isTerminal: boolean) {
	const terminal = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY');
	t.after(() => {
		if (terminal) Object.defineProperty(process.stdout, 'isTTY', terminal);
		else Reflect.deleteProperty(process.stdout, 'isTTY');
	});
	Object.defineProperty(process.stdout, 'isTTY', { value: isTerminal, configurable: true });
	const lines: string[] = [];
	await offerClaim(service, config, createLogger('trace', { write: (line) => void lines.push(line) }), false);
	return messages(lines.join(''));
}

type Offered = Parameters<typeof offerClaim>;

function messages(log: string): readonly string[] {
	return log
		.split('\n')
		.slice(0, -1)
		.map((line) => JSON.parse(line).msg);
}
