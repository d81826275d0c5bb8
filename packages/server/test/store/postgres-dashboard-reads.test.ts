import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresDashboardReads } from '../../src/store/postgres/reading/dashboard-reads.ts';
import type { Read } from '../../src/store/postgres/reading/reading.ts';
import { createKeySeal } from '../../src/store/secrets/key-seal.ts';

const ADA = {
	id: 'ada',
	email: 'ada@acme.example',
	invitation: JSON.stringify({ hash: 'new link', purpose: 'sign_in', expiresAtMs: 1 }),
	codes: null,
	recoveryCodes: null,
	passkeys: null,
	sessions: JSON.stringify([{ hash: 'of ada', id: 's1' }]),
};

/** Reads of a database with one person. Its keys are `of ada` and, a moment ago, others. */
function watchedReads() {
	const queries: (readonly unknown[])[] = [];
	const read = async (_sql: string, values: readonly unknown[]) => {
		queries.push(values);
		if (values.length === 1) return [ADA];
		const [, links, sessions, passkeys] = values as readonly (readonly string[])[];
		const found = (by: string, keys: readonly string[] = [], known: readonly string[]) =>
			keys.filter((key) => known.includes(key)).map((value) => ({ by, value, person: 'ada' }));
		return [
			...found('link', links, ['new link', 'old link']),
			...found('session', sessions, ['of ada', 'ended']),
			...found('passkey', passkeys, ['removed']),
		];
	};
	return { queries, reads: postgresDashboardReads(read as unknown as Read, createKeySeal(new Uint8Array(32))) };
}

test('keys of nobody share queries, and only the record of somebody who was found is read', async () => {
	const { queries, reads } = watchedReads();
	const nobody = Array.from({ length: 1_000 }, (_, place) => [
		reads.findSession(`session ${place}`),
		reads.findInvitation(`link ${place}`),
	]).flat();
	const ada = await reads.findSession('of ada');
	assert.equal(ada?.record.person.id, 'ada');
	assert.deepEqual(new Set(await Promise.all(nobody)), new Set([undefined]));
	assert.equal(queries.length, Math.ceil(2_001 / 256) + 1);
	assert.deepEqual(
		queries.filter(({ length }) => length === 1),
		[['ada']],
	);
});

test('a key that its person lost between the two reads counts no more', async () => {
	const { reads } = watchedReads();
	assert.equal((await reads.findInvitation('new link'))?.person?.id, 'ada');
	assert.equal(await reads.findInvitation('old link'), undefined);
	assert.equal(await reads.findSession('ended'), undefined);
	assert.equal(await reads.findPersonByPasskey('removed'), undefined);
});
