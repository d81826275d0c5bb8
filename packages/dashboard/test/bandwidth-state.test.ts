import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	bandwidthFields,
	canShowHours,
	daysOffered,
	filterOf,
	timeOf,
	utcDay,
} from '../src/features/bandwidth/bandwidth-state.ts';
import { changedSearch, plainSearch, readUrlState } from '../src/lists/url-state.ts';

const NOW_MS = Date.parse('2026-11-27T23:30:00Z');
const fields = bandwidthFields('30d', ['sub_user', 'edge']);
const state = (search: string) => readUrlState(fields, search);
const asked = (search: string) => timeOf(state(search), NOW_MS);

test('the address says what is shown, and one that says nothing is the last 30 days', () => {
	assert.deepEqual(asked(''), { range: '30d' });
	assert.deepEqual(asked('?range=24h'), { range: '24h' });
	assert.deepEqual(asked('?range=7d&unit=hour'), { range: '7d', unit: 'hour' });
	assert.deepEqual(asked('?range=days&first=2026-11-01&last=2026-11-20'), { range: '2026-11-01..2026-11-20' });
	assert.deepEqual(asked('?range=365d&unit=year&by=toString'), { range: '30d' });
	assert.equal(
		plainSearch(fields, '?range=365d&unit=year&by=reseller&compare=maybe&from=2026-01-01'),
		'?from=2026-01-01',
	);
	assert.equal(changedSearch(fields, '?range=7d&kind=give', { range: '30d', by: 'edge' }), '?kind=give&by=edge');
});

test('days that the service does not show are not asked for', () => {
	assert.deepEqual(daysOffered(NOW_MS), { first: '2026-08-30', last: '2026-11-27' });
	for (const [first, last] of [
		['2026-08-29', '2026-11-20'],
		['2026-11-20', '2026-11-28'],
		['2026-11-20', '2026-11-19'],
		['2026-02-30', '2026-11-19'],
		['', ''],
	]) {
		assert.deepEqual(asked(`?range=days&first=${first}&last=${last}`), { range: '30d' }, `${first} ${last}`);
	}
	assert.deepEqual(asked('?range=days&first=2026-08-30&last=2026-11-27'), { range: '2026-08-30..2026-11-27' });
});

test('hours are shown only of days that still have them', () => {
	const hours = (search: string) => canShowHours(state(search), NOW_MS);
	assert.equal(utcDay(NOW_MS, 6), '2026-11-21');
	assert.deepEqual(['?range=7d', '?range=30d', '?range=90d', ''].map(hours), [true, false, false, false]);
	assert.equal(hours('?range=days&first=2026-11-21&last=2026-11-22'), true);
	assert.equal(hours('?range=days&first=2026-11-20&last=2026-11-22'), false);
	assert.deepEqual(asked('?range=30d&unit=hour'), { range: '30d' });
	assert.deepEqual(asked('?range=days&first=2026-11-20&last=2026-11-22&unit=hour'), {
		range: '2026-11-20..2026-11-22',
	});
});

test('a sub-user, an edge and a division are asked for one at a time', () => {
	assert.deepEqual(filterOf(state('?edge=eu-1&by=edge'), undefined), { edge: 'eu-1' });
	assert.deepEqual(filterOf(state('?by=edge'), undefined), { by: 'edge' });
	assert.deepEqual(filterOf(state('?edge=eu-1&by=edge'), 'alice'), { username: 'alice' });
	assert.deepEqual(filterOf(state(''), undefined), {});
});
