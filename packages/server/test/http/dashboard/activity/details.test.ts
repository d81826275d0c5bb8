import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const { operator: newOperator, resellerWithPerson } = await startDashboard(wholeFile);
const operator = await newOperator();

test('people see what a change has set; a note is seen only by those whose note it is, in pages and in files', async () => {
	const { browser: ann } = await resellerWithPerson('acme');
	await ann.change('/sub-users/create', { username: 'alice', amount: 420, note: 'theirs alone' });
	await ann.change('/sub-users/limits', { username: 'alice', limits: { day_bytes: 5e9 } });
	await ann.change('/sub-users/delete', { username: 'alice' });
	const again = { act: randomUUID(), username: 'alice' };
	await ann.refused('username_taken', '/sub-users/create', again);
	await operator.change('/operator/note', { reseller: 'acme', note: 'ours alone' });
	await operator.change('/operator/price', { reseller: 'acme', price: 3_500_000 });
	const zone = { zone: 'UTC' };
	const theirs = (await ann.read('/activity', { username: 'Alice' })).acts.map(({ kind, details }) => [kind, details]);
	assert.deepEqual(theirs, [
		['create_sub_user', { refused: 'username_taken', fee: 10 }],
		['delete_sub_user', { moved: 420 }],
		['set_limits', { changed: { day_bytes: [null, 5e9] } }],
		['create_sub_user', { fee: 10, moved: 420, changed: { note: [null, 'theirs alone'] } }],
	]);
	const ours = (await operator.read('/operator/acts', { username: 'alice' })).acts;
	assert.deepEqual(ours.at(-1)?.details, { fee: 10, moved: 420 });
	for (const [who, hidden, shown, answers] of [
		['a reseller', 'ours alone', 'theirs alone', [await ann.read('/activity'), await ann.read('/account/acts')]],
		[
			'an operator',
			'theirs alone',
			'ours alone',
			[await operator.read('/operator/acts'), await operator.read('/account/acts')],
		],
	] as const) {
		const path = who === 'a reseller' ? '/activity.csv' : '/operator/acts.csv';
		const file = await (await (who === 'a reseller' ? ann : operator).download(path, zone)).text();
		for (const text of [...answers.map((answer) => JSON.stringify(answer)), file]) {
			assert.ok(text.includes(shown), who);
			assert.ok(!text.includes(hidden), who);
		}
		assert.match(file, /price: none -> 3\.50 USD/);
	}
	assert.deepEqual((await ann.read('/activity', { username: 'no name' })).acts, []);
	const { browser: bob } = await resellerWithPerson('bolt');
	assert.deepEqual((await bob.read('/activity', { username: 'alice' })).acts, []);
});
