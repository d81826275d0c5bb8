import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOldestFirst } from '../../../src/http/reseller/statement-page.ts';
import type { StoredMovement } from '../../../src/store/tables/ledger/movements.ts';

/** 300 movements. Those from `lost` on are others than without it. */
function movements(lost = Number.POSITIVE_INFINITY): readonly StoredMovement[] {
	return Array.from({ length: 300 }, (_, index) => {
		const number = index + 1;
		return { number, requestId: `${number >= lost ? 'another' : 'request'}-${number}` } as StoredMovement;
	});
}

/** A store that has other movements from `lost` on after so many reads. */
function storeThatLoses(lost: number, after: number) {
	let reads = 0;
	const read = () => movements(reads++ < after ? undefined : lost);
	return {
		async followMovements({ after, limit }: { readonly after: number; readonly limit: number }) {
			const rows = read().filter(({ number }) => number > after);
			return { rows: rows.slice(0, limit), nextAfter: rows.length > limit ? after + limit : null };
		},
		async findMovement(_reseller: string, id: number) {
			return { newest: 300, movement: read().find(({ number }) => number === id) };
		},
	};
}

test('a page never has movements before and after a loss as if nothing had been lost', async () => {
	const wanted = { limit: 250, fromMs: undefined, toMs: undefined, reference: undefined };
	for (const lost of [1, 20, 100, 101, 150, 200, 201, 250, 251, 300]) {
		for (let reads = 0; reads <= 6; reads++) {
			const store = storeThatLoses(lost, reads);
			const page = await readOldestFirst(store, 'acme', { ...wanted, after: { number: 0 } });
			if ('refused' in page) continue;
			// The page is one of the movements before the loss, which its place shows later, or of those after it.
			const whole = [movements(), movements(lost)].map((all) => JSON.stringify(all.slice(0, 250)));
			assert.ok(whole.includes(JSON.stringify(page.rows)), `lost from ${lost} on after ${reads} reads`);
			const [number, guard] = page.next.split('-');
			const later = await readOldestFirst(store, 'acme', { ...wanted, after: { number: Number(number), guard } });
			const isOfNow = JSON.stringify(page.rows) === whole[1];
			assert.equal('refused' in later, !isOfNow, `lost from ${lost} on after ${reads} reads`);
		}
	}
});
