import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { createPaces, type UsagePace, usagePaceKey } from '../../src/domain/usage-pace.ts';
import { NOON_MS, reading } from '../support/commands.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** With 1 byte a millisecond, a reading costs as many milliseconds as it has bytes. */
const READING = reading(0, 0, { edgeBytesPerMs: 1 });

/** What an edge knows after batches of readings, and which readings it may add. A batch is a time and its bytes. */
function report(batches: readonly (readonly [atMs: number, ...bytes: number[]])[]) {
	let known = new Map<string, UsagePace>();
	const allowed: boolean[][] = [];
	for (const [atMs, ...all] of batches) {
		const paces = createPaces(known, NOON_MS + atMs);
		allowed.push(
			all.map((bytesUp) => {
				const isAllowed = paces.allow(READING, 'acme', { bytesUp, bytesDown: 0 });
				if (isAllowed) paces.spend(READING, 'acme', { bytesUp, bytesDown: 0 });
				return isAllowed;
			}),
		);
		known = new Map([...known, ...paces.changed().map((pace) => [usagePaceKey(pace), pace] as const)]);
	}
	return { allowed, pace: known.get(usagePaceKey({ edge: READING.edge, reseller: 'acme' })) };
}

test('an edge may report what it can have carried in ten minutes at once, and then as much as it carries', () => {
	assert.deepEqual(
		report([
			[0, 10 * MINUTE_MS + 1, 9 * MINUTE_MS, MINUTE_MS, 1],
			[1_000, 1_000, 1],
		]).allowed,
		[
			[false, true, true, false],
			[true, false],
		],
	);
});

test('an edge that was away reports the time since then, a day at most', () => {
	for (const [awayMs, bytes, isAllowed] of [
		[3 * HOUR_MS, 3 * HOUR_MS, true],
		[3 * HOUR_MS, 3 * HOUR_MS + 11 * MINUTE_MS, false],
		[72 * HOUR_MS, 24 * HOUR_MS, true],
		[72 * HOUR_MS, 24 * HOUR_MS + 1, false],
	] as const) {
		assert.deepEqual(
			report([
				[0, 1],
				[awayMs, bytes],
			]).allowed[1],
			[isAllowed],
		);
	}
});

test('while an edge reports, it saves up no more than ten minutes', () => {
	const usual = Array.from({ length: 120 }, (_, minute) => [minute * MINUTE_MS, 1] as const);
	assert.deepEqual(report([...usual, [120 * MINUTE_MS, 12 * MINUTE_MS, 10 * MINUTE_MS]]).allowed.at(-1), [false, true]);
});

test('a refused reading that is sent again counts once there was time for it, whatever else is reported', () => {
	const sent = Array.from({ length: 200 }, (_, half) => [half * 30_000, HOUR_MS, 1] as const);
	const counted = report(sent).allowed.findIndex(([isAllowed]) => isAllowed);
	assert.equal(counted * 30_000, 50 * MINUTE_MS + 30_000);
});

test('a clock that was ahead leaves an edge ten minutes, and one that is slightly behind gives it nothing', () => {
	assert.deepEqual(
		report([
			[24 * HOUR_MS, 1],
			[0, 11 * MINUTE_MS, MINUTE_MS],
		]).allowed[1],
		[false, true],
	);
	assert.deepEqual(
		report([
			[1_000, 10 * MINUTE_MS],
			[0, 1],
		]).allowed[1],
		[false],
	);
});

test('the larger direction counts, and what has no bytes costs nothing', () => {
	const paces = createPaces(new Map(), NOON_MS);
	const both = { bytesUp: 10 * MINUTE_MS, bytesDown: 10 * MINUTE_MS };
	assert.ok(paces.allow(READING, 'acme', both));
	paces.spend(READING, 'acme', both);
	assert.ok(!paces.allow(READING, 'acme', { bytesUp: 0, bytesDown: 1 }));
	assert.ok(paces.allow(READING, 'acme', { bytesUp: 0, bytesDown: 0 }));
	assert.ok(paces.allow(READING, 'other', both), 'another reseller has time of its own');
	const none = createPaces(new Map(), NOON_MS);
	none.spend(READING, 'acme', { bytesUp: 0, bytesDown: 0 });
	assert.deepEqual(none.changed(), []);
});

test('whatever an edge reports, it adds no more than the time that passed and a day', (t) => {
	const step = fc.record({ afterMs: fc.nat(HOUR_MS), bytes: fc.array(fc.nat(2 * HOUR_MS), { maxLength: 4 }) });
	const property = fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
		let atMs = 0;
		const batches = steps.map(({ afterMs, bytes }) => {
			atMs += afterMs;
			return [atMs, ...bytes] as const;
		});
		const { allowed, pace } = report(batches);
		const added = batches.map(([, ...bytes], index) =>
			bytes.reduce((sum, each, at) => sum + (allowed[index]?.[at] ? each : 0), 0),
		);
		assert.ok(added.reduce((sum, each) => sum + each, 0) <= atMs + 10 * MINUTE_MS);
		assert.ok((pace?.spentToMs ?? 0) <= NOON_MS + atMs);
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 300 });
});
