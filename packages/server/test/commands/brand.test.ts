import assert from 'node:assert/strict';
import { test } from 'node:test';
import { png } from '@bursar/testing/png';
import { type BrandChange, OWN_BRAND } from '../../src/domain/operators/brand.ts';
import { NOON_MS } from '../support/commands.ts';
import { runsOf } from '../support/people-in-memory.ts';
import { accept, by, invite } from '../support/person-commands.ts';

const set = (change: BrandChange) => ({ kind: 'set_brand', change }) as const;
const LETTERHEAD = { legalName: 'North GmbH', address: ['Pier 1', '20457 Hamburg'], taxNumber: 'DE1' };

test('what is given is changed, what is absent stays, and all of it can be taken back', () => {
	const { people, run } = runsOf();
	assert.equal(run(set({ name: 'North', color: '#FFCC00' })), 'ok');
	assert.equal(run(set({ logo: Buffer.concat([png(), Buffer.from('more')]), ...LETTERHEAD })), 'ok');
	assert.deepEqual(
		{ ...people.brand(), logo: Buffer.from(people.brand().logo ?? '') },
		{ name: 'North', color: '#ffcc00', logo: png(), ...LETTERHEAD },
	);
	assert.equal(run(set({ logo: null })), 'ok');
	assert.deepEqual(people.brand(), { name: 'North', color: '#ffcc00', logo: null, ...LETTERHEAD });
	assert.equal(run(set(OWN_BRAND)), 'ok');
	assert.deepEqual(people.brand(), OWN_BRAND);
});

test('what no brand can have is refused as a whole', () => {
	const { people, run } = runsOf();
	for (const [change, wanted] of [
		...[{ name: '' }, { name: 'a\u202eb' }, { name: 'a\nBcc: eve' }].map(
			(each) => [each, 'invalid_brand_name'] as const,
		),
		...[{ color: 'red' }, { color: '' }].map((each) => [each, 'invalid_color'] as const),
		...[{ logo: Buffer.from('<svg/>') }, { logo: png().subarray(0, 40) }].map(
			(each) => [each, 'invalid_logo'] as const,
		),
		...[{ legalName: 'a\nb' }, { address: [''] }, { address: Array(6).fill('a') }, { taxNumber: 'x'.repeat(81) }].map(
			(each) => [each, 'invalid_letterhead'] as const,
		),
	] as readonly (readonly [BrandChange, string])[]) {
		assert.equal(run(set({ name: 'North', ...change })), wanted, JSON.stringify(change));
	}
	assert.deepEqual(people.brand(), OWN_BRAND);
});

test('only operators change it, each of them, after a proof; nobody of a reseller', () => {
	const people = [
		...[invite('olga', null), accept('olga', 's1'), invite('otto', null), accept('otto', 's2')],
		...[invite('ada', 'acme'), accept('ada', 's3')],
	];
	const { people: after, run } = runsOf(...people);
	const change = { name: 'North' };
	assert.equal(run({ ...set(change), ...by('ada', 's3', 'a1') }), 'not_allowed');
	assert.deepEqual(after.brand(), OWN_BRAND);
	assert.equal(run({ ...set(change), ...by('olga', 's1', 'a2') }), 'ok');
	assert.equal(run({ ...set(change), ...by('olga', 's1', 'a2') }), 'act_repeated');
	assert.equal(run({ ...set({ color: '#000000' }), ...by('otto', 's2', 'a3') }), 'ok');
	assert.equal(run({ ...set({ name: 'South' }), ...by('olga', 's1', 'a4') }, NOON_MS + 6 * 60_000), 'proof_required');
	assert.deepEqual(after.brand(), { ...OWN_BRAND, name: 'North', color: '#000000' });
});
