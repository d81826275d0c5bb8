import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { programFile } from '@bursar/testing/programs';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { startProcess } from '@bursar/testing/test-process';
import { EDGE_KEY, type FakeService, startFakeService } from '../support/fake-service.ts';

const COMMAND = [process.execPath, programFile('bursar-edge'), 'squid-auth'];
const KEY = '4fQ9sLw2ZbT7xKc1';
const LIMIT_MS = 60_000;

function line(channel: number, username: string, password: string): string {
	return `${channel} ${username} ${password} 192.0.2.7 5000 Basic%20YTpi\n`;
}

function startHelper(t: TestContext, service: Pick<FakeService, 'url'>, args: readonly string[] = []) {
	const environment = { BURSAR_EDGE_URL: service.url, BURSAR_EDGE_KEY: EDGE_KEY };
	const helper = startProcess(t, [...COMMAND, ...args], { environment, input: null });
	const answers = () => helper.stdout().split('\n').slice(0, -1);
	return {
		helper,
		answers,
		ask: (text: string | Buffer) => void helper.child.stdin.write(text),
		answered: (count: number) => eventually(async () => assert.equal(answers().length, count), LIMIT_MS),
	};
}

const WRONG = 'ERR message="The username or the password is wrong." reason=wrong_pair';

test('the helper answers while the service is there, away and back, and ends with its input', async (t) => {
	const service = await startFakeService(t);
	service.keys.set('alice', KEY);
	const { helper, ask, answers, answered } = startHelper(t, service);
	ask(line(0, 'ALICE', `${KEY}_country-US`) + line(1, 'alice', 'wrong'));
	await answered(2);
	assert.deepEqual(answers().sort(), ['0 OK bursar_user=alice', `1 ${WRONG}`]);

	await service.goAway();
	ask(line(2, 'alice', KEY) + line(3, 'bob.42', KEY));
	await answered(4);
	assert.deepEqual(answers().slice(2).sort(), [
		'2 OK bursar_user=alice',
		'3 ERR message="The password cannot be checked now." reason=unavailable',
	]);

	await service.comeBack();
	service.keys.set('bob.42', KEY);
	ask(line(4, 'bob.42', KEY));
	await answered(5);
	assert.equal(answers()[4], '4 OK bursar_user=bob.42');

	helper.child.stdin.end(line(5, 'bob.42', 'wrong2'));
	const { code, stdout, stderr } = await helper.ended;
	assert.equal(code, 0);
	assert.ok(stdout.split('\n').includes(`5 ${WRONG}`));
	assert.doesNotMatch(stderr, new RegExp(`${KEY}|${EDGE_KEY}`));
});

test('any bytes are survived, and every request with a channel has one answer', async (t) => {
	const random = randomFrom(printedSeed(t));
	const service = await startFakeService(t);
	service.keys.set('alice', KEY);
	const { helper, ask, answers } = startHelper(t, service);
	ask(Buffer.from([0xff, 0x0a, 0xff, 0x0a, 0x00, 0x0a, 0x0a, 0x0d, 0x0a]));
	let channel = 0;
	for (; channel < 500; channel++) {
		const length = random.below(channel % 50 === 0 ? 100_000 : 60);
		const bytes = Buffer.from(Array.from({ length }, () => random.below(256)).filter((byte) => byte !== 10));
		ask(Buffer.concat([Buffer.from(`${channel} `), bytes, Buffer.from('\n')]));
	}
	ask(line(channel, 'alice', KEY));
	helper.child.stdin.end();
	const { code } = await helper.ended;
	assert.equal(code, 0);
	// Some bytes are a pair, though a wrong one, and are told so.
	const sorted = answers()
		.map((answer) => answer.replace(/ ERR .*/, ' ERR'))
		.sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
	assert.deepEqual(sorted, [
		...Array.from({ length: 500 }, (_, number) => `${number} ERR`),
		'500 OK bursar_user=alice',
	]);
});

test('health and metrics are served on a port that is set, once the helper before has left it', async (t) => {
	const service = await startFakeService(t);
	service.keys.set('alice', KEY);
	const port = await freePort();
	const page = async (path: string) => {
		const response = await fetch(`http://127.0.0.1:${port}${path}`);
		return `${response.status} ${await response.text()}`;
	};
	const args = ['--ops-port', String(port)];
	const before = startHelper(t, service, args);
	before.ask(line(0, 'alice', 'wrong'));
	const wrong = 'bursar_edge_pair_checks_total{result="wrong_pair"} 1';
	await eventually(async () => assert.ok((await page('/metrics')).includes(wrong)), LIMIT_MS);
	assert.equal(await page('/livez'), '200 alive\n');

	const next = startHelper(t, service, args);
	next.ask(line(0, 'alice', KEY));
	await next.answered(1);
	before.helper.child.stdin.end();
	assert.equal((await before.helper.ended).code, 0);
	const good = 'bursar_edge_pair_checks_total{result="good"} 1';
	await eventually(async () => assert.ok((await page('/metrics')).includes(good)), LIMIT_MS);
	assert.equal(await page('/readyz'), '200 ready\n');
	await service.goAway();
	next.ask(line(1, 'bob.42', KEY));
	await next.answered(2);
	assert.match(await page('/readyz'), /^503 not ready: unreachable/);
	next.helper.child.stdin.end();
	const { code, stderr } = await next.helper.ended;
	assert.equal(code, 0);
	assert.match(stderr, /health and metrics cannot be served yet/);
});
