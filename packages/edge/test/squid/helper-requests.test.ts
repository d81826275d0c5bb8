import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import type { RefusedClient } from '../../src/agent/kept-refusals.ts';
import type { PairToCheck, PairVerdict } from '../../src/agent/pair-checker.ts';
import { answerHelperRequests } from '../../src/squid/auth/answer-helper-requests.ts';
import { readHelperRequest } from '../../src/squid/auth/helper-request.ts';

const REST = '192.0.2.7 5000 Basic%20YTpi';

function converse(check: (pair: PairToCheck) => Promise<PairVerdict>) {
	const [input, output] = [new PassThrough(), new PassThrough()];
	const log: string[] = [];
	const told: string[] = [];
	const refused: RefusedClient[] = [];
	const logger = createLogger('info', { write: (line) => void log.push(line) });
	const ended = answerHelperRequests({
		input,
		output,
		checker: { check },
		logger,
		refusals: { add: (each) => void refused.push(each) },
		onGood: (peer, { username, keyId }) => void told.push(`${peer} ${username} ${keyId}`),
	});
	/** The answers since the last call. */
	function answers(): readonly string[] {
		let text = '';
		for (let part = output.read(); part !== null; part = output.read()) text += part;
		return text.split('\n').slice(0, -1);
	}
	return { input, output, log, told, refused, ended, answers };
}

const goodIfKey = async ({ username, password }: PairToCheck): Promise<PairVerdict> =>
	password === 'KEY' ? { pair: { username, keyId: 'id' } } : { refused: 'wrong_pair' };

test('each request is answered on its channel, and a good pair names the account for the log', async () => {
	const { input, ended, answers, told, refused } = converse(goodIfKey);
	input.end(`7 alice KEY ${REST}\n8 alice wrong ${REST}\n9 bob KEY\n\nnonsense\n10 bob KEY ${REST}\n`);
	await ended;
	assert.deepEqual(answers().toSorted(), [
		'10 OK bursar_user=bob',
		'7 OK bursar_user=alice',
		'8 ERR message="The username or the password is wrong." reason=wrong_pair',
		'9 ERR',
	]);
	assert.deepEqual(told, ['192.0.2.7:5000 alice id', '192.0.2.7:5000 bob id']);
	assert.deepEqual(refused, [{ username: 'alice', reason: 'wrong_pair', client: '192.0.2.7' }]);
});

test('a refusal has its reason, as a text and as a note', async () => {
	const reasons = [
		'suspended',
		'expired',
		'address_not_allowed',
		'exhausted',
		'limit_reached',
		'connection_limit_reached',
	] as const;
	for (const refused of reasons) {
		const { input, ended, answers, told } = converse(async () => ({ refused }));
		input.end(`1 alice KEY ${REST}\n`);
		await ended;
		assert.match(answers()[0] ?? '', new RegExp(`^1 ERR message="[A-Z][a-z ]+\\." reason=${refused}$`));
		assert.deepEqual(told, []);
	}
});

test('a request that takes long delays no other, and is answered after the end of the input', async () => {
	const slow = Promise.withResolvers<PairVerdict>();
	const { input, output, ended, answers } = converse((pair) =>
		pair.username === 'slow' ? slow.promise : goodIfKey(pair),
	);
	input.end(`1 slow KEY ${REST}\n2 alice KEY ${REST}\n`);
	await once(output, 'readable');
	assert.deepEqual(answers(), ['2 OK bursar_user=alice']);
	slow.resolve({ pair: { username: 'slow', keyId: 'id' } });
	await ended;
	assert.deepEqual(answers(), ['1 OK bursar_user=slow']);
});

test('if a check throws, the request is refused, and the log shows nothing of what was asked', async () => {
	const { input, ended, answers, log } = converse(async ({ password }) => {
		throw new Error(`about ${password}`);
	});
	input.end(`1 alice SECRET ${REST}\n`);
	await ended;
	assert.deepEqual(answers(), ['1 ERR']);
	assert.equal(log.length, 1);
	assert.doesNotMatch(log.join(''), /SECRET|alice/);
});

test('without key_extras in squid.conf every pair is refused, and the log says why once', async () => {
	const { input, ended, answers, log } = converse(goodIfKey);
	input.end('1 alice KEY\n2 alice KEY\n3 alice KEY 192.0.2.7 5000 -\n');
	await ended;
	assert.deepEqual(answers(), ['1 ERR', '2 ERR', '3 ERR']);
	assert.equal(log.length, 1);
	assert.match(log[0] ?? '', /key_extras/);
	assert.doesNotMatch(log[0] ?? '', /KEY|alice/);
});

test("a request is read as Squid writes it, with the name and address of the client's connection", () => {
	assert.deepEqual(readHelperRequest(`17 alice.smith 4fQ9%2520x%FF%25 ${REST}`), {
		channel: '17',
		pair: {
			username: 'alice.smith',
			password: '4fQ9%20x\xff%',
			client: '192.0.2.7',
			peer: '192.0.2.7:5000',
		},
	});
	const { pair } = readHelperRequest('0 a b 2001:db8::1 9 Basic%20YTpi') ?? {};
	assert.equal(pair?.peer, '[2001:db8::1]:9');
	assert.equal(readHelperRequest(`0 a b - 9 Basic%20YTpi`)?.pair?.client, '');
});

test('a request without the header of the credentials has no pair, so its answer is a refusal', () => {
	for (const line of [
		'3 a b',
		'3 a b 192.0.2.7',
		'3 a b 192.0.2.7 5000',
		'3 a b 192.0.2.7 5000 -',
		'3',
		'3 a',
		'3  ',
	]) {
		assert.deepEqual(readHelperRequest(line), { channel: '3', pair: undefined }, line);
	}
	assert.equal(readHelperRequest(`3 a b ${REST} more`)?.pair, undefined);
});

test('a line without a channel is no request', () => {
	for (const line of ['', ' ', 'alice secret', '-1 a b', '1e3 a b', '0x1 a b', `${'9'.repeat(21)} a b`, '\xff\0 a b']) {
		assert.equal(readHelperRequest(line), undefined, line);
	}
});

test('no bytes make the reading fail', (t) => {
	const random = randomFrom(printedSeed(t));
	const alphabet = ' %%%0123456789abcdefABCDEF-.:\0\r\t\xff\x80';
	for (let round = 0; round < 20_000; round++) {
		const length = random.below(60);
		const line = Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('');
		readHelperRequest(random.below(2) === 0 ? line : `5 ${line}`);
	}
});
