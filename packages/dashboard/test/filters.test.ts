import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterOf as actFilterOf, actsFields, isFiltered as areActsFiltered } from '../src/features/acts/acts-state.ts';
import { filterOf, isFiltered, statementFields } from '../src/features/statement/statement-state.ts';
import { changedSearch, readUrlState } from '../src/lists/url-state.ts';

process.env.TZ = 'Europe/Berlin';

test('the filters of a statement stand in the address, and are asked for as instants', () => {
	const state = readUrlState(
		statementFields,
		'?kind=give&sub_user=Alice.Smith&reference=Order-7&from=2026-05-03&to=2026-05-04&before=120',
	);
	assert.deepEqual(state, {
		kind: 'give',
		sub_user: 'alice.smith',
		reference: 'Order-7',
		from: '2026-05-03',
		to: '2026-05-04',
		before: 120,
	});
	assert.deepEqual(filterOf(state), {
		kind: 'give',
		username: 'alice.smith',
		reference: 'Order-7',
		from: '2026-05-02T22:00:00.000Z',
		to: '2026-05-04T22:00:00.000Z',
	});
	assert.equal(isFiltered(state), true);
	const search = '?kind=give&sub_user=alice.smith&from=2026-05-03&to=2026-05-04&before=120';
	assert.equal(
		changedSearch(statementFields, search, { kind: undefined, before: undefined }),
		'?sub_user=alice.smith&from=2026-05-03&to=2026-05-04',
	);
});

test('what an address says that is no filter is left out', () => {
	for (const search of [
		'',
		'?kind=toString&sub_user=a&from=2026-02-30&to=x&before=-1',
		'?sub_user=<b>&kind=&before=1e9&reference=two%20words',
	]) {
		const state = readUrlState(statementFields, search);
		assert.deepEqual(filterOf(state), { money: 'own' }, search);
		assert.equal(isFiltered(state), false, search);
		assert.equal(state.before, undefined, search);
	}
});

test('the filters of acts stand in the address, too', () => {
	const state = readUrlState(actsFields, '?person=Ann%40Acme.example&kind=top_up&to=2026-05-03');
	assert.deepEqual(actFilterOf(state), {
		email: 'ann@acme.example',
		kind: 'top_up',
		to: '2026-05-03T22:00:00.000Z',
	});
	assert.equal(areActsFiltered(state), true);
	const nothing = readUrlState(actsFields, '?person=&kind=constructor&from=yesterday');
	assert.deepEqual(actFilterOf(nothing), {});
	assert.equal(areActsFiltered(nothing), false);
});
