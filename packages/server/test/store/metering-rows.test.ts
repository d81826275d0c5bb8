import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageCharge } from '../../src/domain/metering.ts';
import { settlingCharges } from '../../src/store/tables/meters/meters.ts';
import { NOON_MS } from '../support/commands.ts';

function charge(reseller: string, username: string, price = 1): UsageCharge {
	const used = { microUsdPerGb: 1_000_000, fromBytes: 0, bytes: 10_000_000, cents: 1, sinceMs: NOON_MS };
	return { reseller, username, price, ...used, atMs: NOON_MS, requestId: 'test-request' };
}

test('meters are settled in the order in which batches of usage add to them, so that neither waits for the other', () => {
	// A period comes before a slash.
	const charges = [
		charge('acme.eu', 'zoe1'),
		charge('acme', 'bruno', 2),
		charge('acme', 'bruno'),
		charge('acme', 'acme'),
	];
	const writes = settlingCharges(charges);
	const settled = writes.filter(({ sql }) => sql.startsWith('UPDATE meters')).map(({ values }) => values.slice(-3));
	assert.deepEqual(settled, [
		['acme', 'acme', 1],
		['acme', 'bruno', 1],
		['acme', 'bruno', 2],
		['acme.eu', 'zoe1', 1],
	]);
});
