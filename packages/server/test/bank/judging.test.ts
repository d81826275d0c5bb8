import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { createJudging, type JudgingParts } from '../../src/bank/judging.ts';
import type { JudgedAccount } from '../../src/domain/events/judging.ts';

const BOUNDS = {
	isSuspended: false,
	isResellerSuspended: false,
	expiresAtMs: 0,
	isBeyondDebtLine: false,
	leftBytes: null,
	limitLeftBytes: null,
};

/** A sub-user of which something else holds than was told. */
function misjudged(reseller: string, username: string): JudgedAccount {
	return { reseller, username, bounds: BOUNDS, liveCents: 0, lowBalanceCents: null, told: null };
}

test('accounts that are used without a pause do not delay the looks at ends, prices and limits', async (t) => {
	const looks = { ended: 0, prices: 0, all: 0 };
	let used = 0;
	const nothing = async () => [];
	const store: JudgingParts['store'] = {
		nowMs: () => 0,
		async findLimited() {
			// While they are read, another one is used.
			judging.used([`user${used++}`]);
			await nextTurn();
			return [];
		},
		async listEnded() {
			looks.ended++;
			return [];
		},
		async listUnjudgedPrices() {
			looks.prices++;
			return [];
		},
		async listLimited() {
			looks.all++;
			return [];
		},
		listWarned: nothing,
		listSubUsersToJudge: nothing,
		listForgetful: nothing,
	};
	const judging = createJudging({
		store,
		bank: { submit: () => assert.fail('nobody is misjudged') },
		eventsKeptMs: 1,
		failed: (cause) => assert.fail(String(cause)),
		done() {},
		lookMs: 10,
	});
	t.after(() => judging.close());
	judging.used(['first']);
	await eventually(async () => {
		assert.ok(used > 2);
		assert.ok(Object.values(looks).every((count) => count > 2));
	});
});

test('a reseller whose account is locked delays no others, and is tried again', async (t) => {
	const of = (place: string) => async () => [misjudged('locked', `${place}1`), misjudged('open', `${place}2`)];
	const submitted: string[] = [];
	const failures: string[] = [];
	const judging = createJudging({
		store: {
			nowMs: () => 0,
			findLimited: of('used'),
			listEnded: of('ended'),
			listLimited: of('limited'),
			listWarned: of('warned'),
			listUnjudgedPrices: async () => [
				{ reseller: 'locked', price: 1 },
				{ reseller: 'open', price: 2 },
			],
			listSubUsersToJudge: async ({ reseller }) => [misjudged(reseller, `priced.${reseller}`)],
			listForgetful: async () => [],
		},
		bank: {
			async submit(command) {
				assert.equal(command.kind, 'judge_usable');
				if (command.reseller === 'locked') return { ok: false, error: 'not_done' } as never;
				submitted.push(...command.usernames, ...(command.judgedAtPrice ? [`price ${command.judgedAtPrice}`] : []));
				return { ok: true } as never;
			},
		},
		eventsKeptMs: 1,
		failed: (cause) => failures.push(String(cause)),
		done: () => assert.fail('not all was done'),
	});
	t.after(() => judging.close());
	const others = ['ended2', 'priced.open', 'price 2', 'warned2', 'limited2'];
	await eventually(async () => assert.equal(failures.length, 4));
	assert.deepEqual(submitted.splice(0), others);
	judging.used(['used1', 'used2']);
	await eventually(async () => assert.ok(submitted.includes('limited2')));
	assert.equal(submitted[0], 'used2');
});
