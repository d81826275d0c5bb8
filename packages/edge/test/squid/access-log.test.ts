import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { createLineSplitter } from '../../src/squid/split-lines.ts';
import { readAccessLogLine } from '../../src/squid/usage/access-log-line.ts';
import { createLogFollower } from '../../src/squid/usage/log-follower.ts';
import type { CounterNow } from '../../src/squid/usage/usage-counters.ts';

const NOW_S = 1_795_370_805;
const logger = createLogger('silent');

interface Written {
	readonly line: string;
	readonly username: string;
	readonly bytes: number;
}

let ports = 0;

/** A line with a port of its own, as Squid would write it. */
function newLine(random: Random): Written {
	const username = ['alice', 'bob.42', 'carol'][random.below(3)] ?? '';
	const bytes = random.below(1_000_000);
	const tookMs = random.below(3) === 0 ? 3_000 + random.below(90_000) : random.below(3_000);
	const begin = `${NOW_S + random.below(200_000)}.${String(random.below(1_000)).padStart(3, '0')}`;
	const port = ++ports % 65_536;
	const line = `bursar1 ${begin} ${begin} ${tookMs} 192.0.2.7 ${port} TCP_TUNNEL ${bytes} ${bytes * 2} ${username}\n`;
	return { line, username, bytes };
}

/** What a service has counted: the highest value of each counter, and nothing less. */
function newBooks() {
	const counters = new Map<string, CounterNow>();
	return {
		take: async (changed: ReadonlyMap<string, CounterNow>) => {
			for (const [name, now] of changed) {
				const known = counters.get(name);
				assert.ok(!known || known.username === now.username);
				if (!known || now.bytesUp > known.bytesUp) counters.set(name, now);
			}
		},
		total(username: string): number {
			const own = [...counters.values()].filter((counter) => counter.username === username);
			for (const { bytesUp, bytesDown } of own) assert.equal(bytesDown, bytesUp * 2);
			return own.reduce((sum, { bytesUp }) => sum + bytesUp, 0);
		},
		counters,
	};
}

function assertBooks(books: ReturnType<typeof newBooks>, written: readonly Written[]): void {
	for (const username of ['alice', 'bob.42', 'carol']) {
		const expected = written.filter((one) => one.username === username).reduce((sum, { bytes }) => sum + bytes, 0);
		assert.equal(books.total(username), expected, username);
	}
}

function openLog(t: TestContext) {
	const log = join(temporaryFolder(t), 'bursar.log');
	writeFileSync(log, '');
	return log;
}

test('every line counts once, however the reader is restarted and the log is rotated', async (t) => {
	const random = randomFrom(printedSeed(t));
	for (let round = 0; round < 20; round++) {
		const log = openLog(t);
		const books = newBooks();
		const written: Written[] = [];
		let follower = createLogFollower(log, logger);
		/** Squid writes on in a renamed file until it is told. */
		let [target, rotations, pending] = [log, 0, ''];
		for (let step = 0; step < 60; step++) {
			const action = random.below(8);
			if (action < 4) {
				const one = newLine(random);
				written.push(one);
				const text = pending + one.line;
				// Some lines arrive in two pieces.
				const cut = random.below(3) === 0 ? random.below(text.length) : text.length;
				appendFileSync(target, text.slice(0, cut));
				pending = text.slice(cut);
			} else if (action === 4 && target === log) {
				target = `${log}.${++rotations}`;
				renameSync(log, target);
			} else if (action === 5 && target !== log) {
				appendFileSync(target, pending);
				pending = '';
				target = log;
				writeFileSync(log, '');
			} else if (action === 6) {
				await follower.close();
				follower = createLogFollower(log, logger);
			} else {
				await follower.readNew(books.take);
			}
		}
		appendFileSync(target, pending);
		await follower.readNew(books.take);
		await follower.close();
		assertBooks(books, written);
	}
});

test('short requests of an account and a day share a counter, so the service keeps few', async (t) => {
	const log = openLog(t);
	const line = (port: number, day: number, tookMs: number) =>
		`bursar1 ${NOW_S + day * 86_400}.000 ${NOW_S}.000 ${tookMs} 192.0.2.7 ${port} TCP_MISS 1 2 alice\n`;
	for (let port = 1; port <= 1_000; port++) appendFileSync(log, line(port, port % 2, port % 3_000));
	appendFileSync(log, line(2_000, 0, 3_000));
	const books = newBooks();
	const follower = createLogFollower(log, logger);
	await follower.readNew(books.take);
	await follower.close();
	assert.equal(books.total('alice'), 1_001);
	assert.equal(books.counters.size, 3);
	for (const name of books.counters.keys()) assert.match(name, /^s:[!-~]{1,126}$/);
});

test('a log that is copied and emptied in place goes on as another log', async (t) => {
	const random = randomFrom(printedSeed(t));
	const log = openLog(t);
	const books = newBooks();
	const follower = createLogFollower(log, logger);
	const written = [newLine(random), newLine(random), newLine(random)];
	appendFileSync(log, written.map(({ line }) => line).join(''));
	await follower.readNew(books.take);
	copyFileSync(log, `${log}.1`);
	truncateSync(log);
	// It is longer than before when it is read the next time.
	const next = Array.from({ length: 9 }, () => newLine(random));
	appendFileSync(log, next.map(({ line }) => line).join(''));
	await follower.readNew(books.take);
	await follower.close();
	const again = createLogFollower(log, logger);
	await again.readNew(books.take);
	await again.close();
	assertBooks(books, [...written, ...next]);
});

test('a rotated log is read to its end even after it was removed', async (t) => {
	const random = randomFrom(printedSeed(t));
	const log = openLog(t);
	const books = newBooks();
	const follower = createLogFollower(log, logger);
	const [first, second] = [newLine(random), newLine(random)];
	appendFileSync(log, first.line);
	await follower.readNew(books.take);
	appendFileSync(log, second.line);
	rmSync(log);
	await follower.readNew(books.take);
	await follower.close();
	assertBooks(books, [first, second]);
});

test('hostile bytes in the log harm no line around them', async (t) => {
	const random = randomFrom(printedSeed(t));
	const log = openLog(t);
	const written = Array.from({ length: 50 }, () => newLine(random));
	appendFileSync(log, '\n');
	for (const { line } of written) {
		const length = random.below(20) === 0 ? 100_000 : random.below(300);
		const bytes = Buffer.from(Array.from({ length }, () => random.below(256)).filter((byte) => byte !== 10));
		appendFileSync(log, Buffer.concat([bytes, Buffer.from(`\n${line}`)]));
	}
	writeFileSync(`${log}.2.gz`, newLine(random).line);
	writeFileSync(`${log}x`, newLine(random).line);
	const books = newBooks();
	const follower = createLogFollower(log, logger);
	await follower.readNew(books.take);
	assert.equal(follower.files, 1);
	assert.equal(follower.unreadableLines, 51);
	await follower.close();
	assertBooks(books, written);
});

const LINE = 'bursar1 1795370805.124 1795370802.615 2509 127.0.0.1 47090 TCP_TUNNEL 100 50039 alice.smith';

test('a line is read as Squid writes it', () => {
	assert.deepEqual(readAccessLogLine(LINE), {
		username: 'alice.smith',
		peer: '127.0.0.1:47090',
		begin: '1795370802.615',
		tookMs: 2509,
		atMs: 1_795_370_805_124,
		bytesUp: 100,
		bytesDown: 50_039,
	});
	const overIpv6 = readAccessLogLine(LINE.replace('127.0.0.1', '2001:db8::7'));
	assert.equal(typeof overIpv6 === 'object' && overIpv6.peer, '[2001:db8::7]:47090');
});

test('no account pays for a refused request, whatever name it claimed', () => {
	for (const tag of ['TCP_DENIED', 'TCP_DENIED_REPLY', 'TCP_DENIED_ABORTED']) {
		assert.equal(readAccessLogLine(LINE.replace('TCP_TUNNEL', tag)), undefined);
	}
});

test('no account pays for a request without a checked name', () => {
	for (const name of ['-', 'al', 'alice%20smith', '%FF%00', 'a'.repeat(33), 'alice.smith,bob_42']) {
		assert.equal(readAccessLogLine(LINE.replace('alice.smith', name)), undefined, name);
	}
});

test('a line that was begun when Squid was killed does not harm the next one', () => {
	for (let length = 0; length < LINE.length; length++) {
		assert.deepEqual(readAccessLogLine(LINE.slice(0, length) + LINE), readAccessLogLine(LINE), `${length}`);
	}
});

test('a line of another form is unreadable, never another number of bytes', () => {
	const lines = [
		'',
		'bursar1 ',
		LINE.slice(0, -12),
		LINE.replace('50039', '-1'),
		LINE.replace('50039', '5e3'),
		LINE.replace('50039', '9999999999999999'),
		LINE.replace('47090', '470900'),
		LINE.replace('1795370805.124', '1795370805'),
		`${LINE} more`,
		LINE.replace('bursar1', 'bursar2'),
		`${LINE}\r`,
		LINE.replace('alice', 'al\xffce'),
	];
	for (const line of lines) assert.equal(readAccessLogLine(line), 'unreadable', line);
});

test('lines are the same however the bytes are cut into pieces', (t) => {
	const random = randomFrom(printedSeed(t));
	for (let round = 0; round < 300; round++) {
		const bytes = Buffer.from(
			Array.from({ length: random.below(200) }, () => [10, 13, 0, 65, 255][random.below(5)] ?? 0),
		);
		const splitter = createLineSplitter(1_000);
		const lines: string[] = [];
		for (let from = 0; from < bytes.length; ) {
			const to = from + random.below(9);
			lines.push(...splitter.push(bytes.subarray(from, to)));
			from = to;
		}
		assert.deepEqual(lines, bytes.toString('latin1').split('\n').slice(0, -1));
	}
});

test('of a long line only the beginning is kept, and the next line is whole', () => {
	const splitter = createLineSplitter(5);
	const lines = ['abc', 'defgh', 'ij\nkl', 'mnopqrst\nu\n', '\n'].flatMap((text) => splitter.push(Buffer.from(text)));
	assert.deepEqual(lines, ['abcde', 'klmno', 'u', '']);
});
