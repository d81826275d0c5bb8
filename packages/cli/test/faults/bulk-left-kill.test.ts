import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import {
	balances,
	KILLS,
	killInTheMiddle,
	OPENING_CENTS,
	SUB_USERS,
	sums,
	transferShop,
} from '../support/killed-run.ts';
import { movementsOf } from '../support/ledger.ts';
import { openShop } from '../support/shop.ts';

describe('kill -9 in the middle, then a correction, then --left and a run of the new file', {
	concurrency: 3,
}, () => {
	test('create: every sub-user exists and was paid for once', async (t) => {
		const random = randomFrom(printedSeed(t));
		const { bursarctl, service } = await openShop(t, OPENING_CENTS);
		const file = join(temporaryFolder(t), 'names');
		const names = Array.from({ length: SUB_USERS }, (_, index) => `user.${index}`);
		writeFileSync(file, names.join('\n'));
		const create = ['sub-user', 'create', '--yes', '--json', '--all'];
		let from = file;
		for (let kill = 0; kill < KILLS; kill++) {
			const { cut } = await killInTheMiddle(bursarctl, [...create, from], `${from}.journal`, random);
			t.diagnostic(`${cut} lines cut off`);
			// One more line at the top, and another order: no line keeps its number.
			names.unshift(`new.${kill}`);
			writeFileSync(from, `# corrected\n${readFileSync(from, 'utf8')}\nnew.${kill}\n`);
			const to = `${file}.${kill}`;
			const left = await bursarctl.run(...create, from, '--left', to);
			assert.equal(left.code, 0, left.stderr);
			from = to;
		}
		const { code, stderr } = await bursarctl.run(...create, from);
		assert.equal(code, 0, stderr);
		assert.equal((await movementsOf(service)).fees, names.length);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, OPENING_CENTS - names.length * 10);
		const list: { username: string }[] = await bursarctl.json('sub-user', 'list');
		assert.deepEqual(list.map(({ username }) => username).sort(), names.sort());
	});

	test('give: every line was given exactly once', async (t) => {
		const { bursarctl, service, transfers, correctAndGoOn } = await leftShop(t);
		await correctAndGoOn();
		assert.deepEqual((await movementsOf(service)).moved, sums(transfers));
		assert.equal((await movementsOf(service)).transfers, transfers.length);
		assert.deepEqual(await balances(bursarctl), sums(transfers));
	});
});

/** A file of transfers whose run is killed, corrected and continued in a new file, several times. */
async function leftShop(t: TestContext) {
	const shop = await transferShop(t);
	const { bursarctl, random, file } = shop;
	const transfers = [...shop.transfers];
	const give = ['balance', 'give', '--yes', '--json', '--all'];
	return {
		...shop,
		transfers,
		async correctAndGoOn(): Promise<void> {
			let from = file;
			const lines = transfers.map((transfer) => `${keyOf(transfer)}\n`);
			writeFileSync(from, `username,amount_usd_cents\n${lines.join('')}`);
			for (let kill = 0; kill < KILLS; kill++) {
				await killInTheMiddle(bursarctl, [...give, from], `${from}.journal`, random);
				const correction = { line: 0, username: 'user.0', cents: 1000 + kill };
				transfers.push(correction);
				writeFileSync(from, `# corrected\n${readFileSync(from, 'utf8')}${keyOf(correction)}\n`);
				const to = `${file}.${kill}`;
				const left = await bursarctl.run(...give, from, '--left', to);
				assert.equal(left.code, 0, left.stderr);
				assert.deepEqual(JSON.parse(left.stdout).unknown, []);
				from = to;
			}
			const { code, stderr } = await bursarctl.run(...give, from);
			assert.equal(code, 0, stderr);
		},
	};
}

function keyOf({ username, cents }: { readonly username: string; readonly cents: number }): string {
	return `${username},${cents}`;
}
