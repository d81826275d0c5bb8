import assert from 'node:assert/strict';
import { test } from 'node:test';
import { png } from '@bursar/testing/png';
import { createKnownBrand } from '../../src/bank/known-brand.ts';
import { type Brand, OWN_BRAND } from '../../src/domain/operators/brand.ts';

/** A store whose reads the test answers, and a clock that it moves. */
function knownAt(t: { readonly mock: typeof import('node:test').mock }) {
	let nowMs = 0;
	t.mock.method(performance, 'now', () => nowMs);
	const reads: PromiseWithResolvers<Brand>[] = [];
	const known = createKnownBrand({
		readBrand() {
			const read = Promise.withResolvers<Brand>();
			reads.push(read);
			return read.promise;
		},
	});
	return {
		known,
		reads,
		pass(ms: number) {
			nowMs += ms;
		},
	};
}

const named = (name: string) => ({ ...OWN_BRAND, name });

test('many that ask share one read in five seconds', async (t) => {
	const { known, reads, pass } = knownAt(t);
	const asked = [known.read(), known.read()];
	reads[0]?.resolve(named('North'));
	assert.deepEqual(
		(await Promise.all(asked)).map(({ name }) => name),
		['North', 'North'],
	);
	pass(4_999);
	assert.equal((await known.read()).name, 'North');
	assert.equal(reads.length, 1);
	pass(1);
	const next = known.read();
	reads[1]?.resolve(named('South'));
	assert.equal((await next).name, 'South');
	assert.equal(reads.length, 2);
});

test('a read that began before a change does not count', async (t) => {
	const { known, reads } = knownAt(t);
	const early = known.read();
	known.forget();
	const late = known.read();
	reads[1]?.resolve(named('new'));
	assert.equal((await late).name, 'new');
	reads[0]?.resolve(named('old'));
	await early;
	assert.equal((await known.read()).name, 'new');
});

test('an unknown logo has the brand read again once a second at most', async (t) => {
	const { known, reads, pass } = knownAt(t);
	const first = known.read();
	reads[0]?.resolve({ ...OWN_BRAND, logo: png() });
	const { logoHash } = await first;
	assert.deepEqual(await known.findLogo(String(logoHash)), png());
	for (let asked = 0; asked < 100; asked++) assert.equal(await known.findLogo('0'.repeat(32)), undefined);
	assert.equal(reads.length, 1);
	pass(1_000);
	const asked = Array.from({ length: 100 }, () => known.findLogo('0'.repeat(32)));
	reads[1]?.resolve(OWN_BRAND);
	assert.deepEqual(new Set(await Promise.all(asked)), new Set([undefined]));
	assert.equal(reads.length, 2);
	assert.equal(await known.findLogo(String(logoHash)), undefined, 'the logo was removed');
});
