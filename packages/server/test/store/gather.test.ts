import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type GatherOptions, gatherReads } from '../../src/store/gather.ts';
import { CallerBusyError, StoreUnavailableError } from '../../src/store/reading.ts';

/** Reads that the test ends. The first character of a key is its owner. */
function controlledReads(options: Partial<GatherOptions<string>> = {}) {
	const asked: string[][] = [];
	const ends: (() => void)[] = [];
	const read = gatherReads<string, string, string>(
		async (keys) => {
			asked.push([...keys]);
			await new Promise<void>((resolve) => ends.push(resolve));
			return keys.map((key) => key.toUpperCase());
		},
		(row) => row,
		{ ownerOf: (key) => key[0] as string, most: 3, ...options },
	);
	return { read, asked, ends };
}

test('owners take turns in gathered reads; the size and the number of queries at once are limited', async () => {
	const { read, asked, ends } = controlledReads({ atOnce: 2 });
	const answers = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b1'].map(read);
	for (let i = 0; i < 3; i++) await setImmediate();
	assert.deepEqual(asked, [
		['a1', 'b1', 'a2'],
		['a3', 'a4', 'a5'],
	]);
	answers.push(read('c1'));
	ends[0]?.();
	for (let i = 0; i < 3; i++) await setImmediate();
	assert.deepEqual(asked[2], ['a6', 'c1', 'a7']);
	for (const end of ends) end();
	assert.deepEqual(await Promise.all(answers), ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'B1', 'C1']);
});

test('each owner has a limit of waiting reads: its excess fails, and other owners are read', async () => {
	const { read, asked, ends } = controlledReads({ most: 1 });
	const flood = Array.from({ length: 3000 }, (_, i) => read(`a${i}`).catch((cause: unknown) => cause));
	const other = read('b1');
	const refused = (await Promise.all(flood.slice(2048))) as unknown[];
	assert.ok(refused.every((cause) => cause instanceof CallerBusyError));
	for (let i = 0; i < 2; i++) {
		await setImmediate();
		ends[i]?.();
		await setImmediate();
	}
	assert.equal(await other, 'B1');
	assert.deepEqual(asked.slice(0, 2), [['a0'], ['b1']]);
});

test('a failed query fails all of its reads, and an invalid row fails only its own read', async () => {
	const failing = gatherReads<string, string, string>(
		async ([first, ...others]) => {
			if (first === 'broken') throw new Error('the disk');
			return [first as string, ...others];
		},
		(row) => {
			if (row === 'corrupt') throw new Error('the row');
			return row;
		},
		{ ownerOf: () => '', most: 10 },
	);
	const shared = await Promise.allSettled([failing('broken'), failing('b')]);
	assert.deepEqual(
		shared.map(({ status }) => status),
		['rejected', 'rejected'],
	);
	const alone = await Promise.allSettled([failing('a'), failing('corrupt')]);
	assert.deepEqual(
		alone.map(({ status }) => status),
		['fulfilled', 'rejected'],
	);
});

test('reads of the same name share one row, its value and its failure; later reads begin anew', async () => {
	const { read, asked, ends } = controlledReads({ most: 10, nameOf: (key) => key.toLowerCase() });
	const answers = ['a1', 'b1', 'A1', 'b1'].map(read);
	await setImmediate();
	answers.push(read('a1'));
	ends[0]?.();
	for (let i = 0; i < 3; i++) await setImmediate();
	ends[1]?.();
	assert.deepEqual(await Promise.all(answers), ['A1', 'B1', 'A1', 'B1', 'A1']);
	assert.deepEqual(asked, [['a1', 'b1'], ['a1']]);

	const options = { ownerOf: () => '', most: 10, nameOf: (key: string) => key };
	const failing = gatherReads<string, string, string>(
		async (keys) => keys,
		(row) => {
			if (row === 'corrupt') throw new Error('the row');
			return row;
		},
		options,
	);
	const settled = await Promise.allSettled(['a', 'corrupt', 'a', 'corrupt'].map(failing));
	assert.deepEqual(
		settled.map(({ status }) => status),
		['fulfilled', 'rejected', 'fulfilled', 'rejected'],
	);
});

test('while a read hangs, waiting reads fail in time, and never reach the database', async () => {
	const { read, asked, ends } = controlledReads({ most: 1 });
	const hanging = read('a1');
	const sinceMs = performance.now();
	const late = await Promise.allSettled([read('a2'), read('b1')]);
	const waitedMs = performance.now() - sinceMs;
	for (const { status } of late) assert.equal(status, 'rejected');
	assert.ok(waitedMs >= 1_500, `${waitedMs} ms`);
	ends[0]?.();
	assert.equal(await hanging, 'A1');
	assert.deepEqual(asked, [['a1']]);
});

test('a read that waits too long behind others of its owner is refused because of them, and another because of the store', async () => {
	const { read, ends } = controlledReads({ most: 1, maxWaitMs: 50 });
	const causeOf = (key: string) => read(key).catch((cause: unknown) => cause);
	const [first, second, third] = [causeOf('a1'), causeOf('a2'), causeOf('a3')];
	await setImmediate();
	ends[0]?.();
	await first;
	const other = causeOf('b1');
	// The second hangs.
	assert.ok((await third) instanceof CallerBusyError);
	const cause = await other;
	assert.ok(cause instanceof StoreUnavailableError && !(cause instanceof CallerBusyError));
	ends[1]?.();
	assert.equal(await second, 'A2');
});
