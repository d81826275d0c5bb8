import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reader } from '../../src/store/reading.ts';
import { createKeySeal } from '../../src/store/secrets/key-seal.ts';
import { personReads } from '../../src/store/tables/people/reads.ts';

const ADA = {
	id: 'ada',
	email: 'ada@acme.example',
	invitation: JSON.stringify({ hash: 'new link', purpose: 'sign_in', expiresAtMs: 1 }),
	codes: null,
	recoveryCodes: null,
	passkeys: null,
	sessions: JSON.stringify([{ hash: 'of ada', id: 's1' }]),
};

/** The keys that lead to `ADA`. All but `of ada` and `new link` did so a moment ago. */
const KEYS = ['link new link', 'link old link', 'session of ada', 'session ended', 'passkey removed'];

/** Reads of a database with one person, and what was asked of it. */
function watchedReads() {
	const records: (readonly unknown[])[] = [];
	const searches: number[] = [];
	const reader: Reader = {
		async read({ values }) {
			records.push(values);
			return [ADA];
		},
		async readEach({ given: { count, columns } }) {
			searches.push(count);
			const keys = Array.from({ length: count }, (_, index) => columns.map(({ values }) => values[index]).join(' '));
			return keys.map((key) => (KEYS.includes(key) ? [{ person: 'ada' }] : []));
		},
	};
	const limits = { keys: { most: 256 }, people: { most: 1 } };
	const json = { object: 'json_object', array: 'json_group_array' };
	return { records, searches, reads: personReads(reader, limits, createKeySeal(new Uint8Array(32)), json) };
}

test('keys of nobody share queries, and only the record of somebody who was found is read', async () => {
	const { records, searches, reads } = watchedReads();
	const nobody = Array.from({ length: 1_000 }, (_, index) => [
		reads.findSession(`session ${index}`),
		reads.findInvitation(`link ${index}`),
	]).flat();
	const ada = await reads.findSession('of ada');
	assert.equal(ada?.record.person.id, 'ada');
	assert.deepEqual(new Set(await Promise.all(nobody)), new Set([undefined]));
	assert.equal(searches.length, Math.ceil(2_001 / 256));
	assert.deepEqual(records, [['ada']]);
});

test('a key that its person lost between the two reads counts no more', async () => {
	const { reads } = watchedReads();
	assert.equal((await reads.findInvitation('new link'))?.person?.id, 'ada');
	assert.equal(await reads.findInvitation('old link'), undefined);
	assert.equal(await reads.findSession('ended'), undefined);
	assert.equal(await reads.findPersonByPasskey('removed'), undefined);
});
