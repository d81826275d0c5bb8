import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import type { ArrivedReport } from '../../src/domain/usage.ts';
import { packUsage, unpackUsage } from '../../src/store/sqlite/packed-usage.ts';

test('whatever is packed for another thread comes out as it was', (t) => {
	const bytes = fc.integer({ min: 0, max: MAX_CENTS });
	const time = fc.integer({ min: -MAX_CENTS, max: MAX_CENTS });
	const name = fc.string({ unit: 'grapheme' });
	const reading = fc.record({
		edge: fc.constantFrom('eu-1', 'eu-2', 'us.1'),
		counter: name,
		username: name,
		atMs: time,
		bytesUp: bytes,
		bytesDown: bytes,
		restarts: fc.boolean(),
	});
	const report = fc.record({
		source: name,
		id: name,
		username: name,
		atMs: time,
		bytesUp: bytes,
		bytesDown: bytes,
	});
	const unreadable = fc.constantFrom<ArrivedReport>({ refused: 'not_json' }, { refused: 'invalid_counter' });
	const arrived = fc.array(fc.oneof<fc.Arbitrary<ArrivedReport>[]>(reading, report, unreadable));
	const property = fc.property(arrived, (all) => {
		const plain = all.map((each) => ({ ...each }));
		assert.deepEqual(unpackUsage(structuredClone(packUsage(plain))), plain);
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 500 });
});
