import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { createLogFollower } from '../../src/squid/log-follower.ts';
import type { CounterNow } from '../../src/squid/usage-counters.ts';

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
