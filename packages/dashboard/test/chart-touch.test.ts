import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandwidthTexts } from '../src/features/bandwidth/texts.ts';
import { dayText } from '../src/format/days.ts';
import { bandwidthOf } from './support/bandwidth.ts';
import { ALICE, ANN, fireEvent, gone, open, screen, serviceFor } from './support/dashboard.ts';

const DAYS = [
	{ at: '2026-05-02T00:00:00.000Z', up: 1, down: 2 },
	{ at: '2026-05-03T00:00:00.000Z', up: 3, down: 4 },
];

test('the figures of a day stay when the finger is lifted, and go with a mouse that leaves', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-user', ALICE);
	service.answers('/bandwidth', bandwidthOf(DAYS));
	service.answers('/statement', { movements: [], next_before: null, searched_to: null });
	open(t, '/sub-users/alice');
	const chart = await screen.findByRole('slider', { name: bandwidthTexts.charts.day });
	t.mock.method(chart, 'getBoundingClientRect', () => ({ left: 0, width: 100 }));
	const shown = dayText(DAYS[1]?.at ?? '');
	fireEvent.pointerDown(chart, { pointerType: 'touch', clientX: 99 });
	fireEvent.pointerLeave(chart, { pointerType: 'touch' });
	assert.ok(await screen.findByText(shown));
	fireEvent.blur(chart);
	await gone(shown);
	fireEvent.pointerMove(chart, { pointerType: 'mouse', clientX: 99 });
	assert.ok(await screen.findByText(shown));
	fireEvent.pointerLeave(chart, { pointerType: 'mouse' });
	await gone(shown);
});
