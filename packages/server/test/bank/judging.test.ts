import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { createJudging, type JudgingParts } from '../../src/bank/judging.ts';

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
