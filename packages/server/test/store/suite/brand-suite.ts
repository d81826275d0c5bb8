import assert from 'node:assert/strict';
import { test } from 'node:test';
import { png } from '@bursar/testing/png';
import { OWN_BRAND } from '../../../src/domain/operators/brand.ts';
import { type Engine, runAllPeople } from './engine.ts';

/** Tests that a store keeps how the service looks. */
export function brandSuite(engine: Engine): void {
	test('a brand is found in every store as it was set, with any bytes of its logo, and without one', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		assert.deepEqual(await another.readBrand(), OWN_BRAND);
		const letterhead = { legalName: 'Nörd "Net" \\ Söhne', address: ['Straße 1', '北方'], taxNumber: "DE'1" };
		const brand = { name: 'Nörd 🛰️', color: '#0b7285', logo: png(7, 3), ...letterhead };
		await runAllPeople(store, [{ kind: 'set_brand', change: brand }]);
		assert.deepEqual(await another.readBrand(), brand);
		await runAllPeople(another, [{ kind: 'set_brand', change: { logo: null } }]);
		assert.deepEqual(await store.readBrand(), { ...brand, logo: null });
		await runAllPeople(another, [{ kind: 'set_brand', change: OWN_BRAND }]);
		assert.deepEqual(await store.readBrand(), OWN_BRAND);
	});
}
