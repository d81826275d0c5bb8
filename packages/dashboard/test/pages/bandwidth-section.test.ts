import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandwidthTexts } from '../../src/features/bandwidth/texts.ts';
import { bandwidthOf } from '../support/bandwidth.ts';
import { ANN, fireEvent, OLGA, open, screen, serviceFor, within } from '../support/dashboard.ts';

const GB = 1_000_000_000;
const at = (hour: number) => new Date(Date.UTC(2026, 4, 3, hour)).toISOString();
const PARTS = [
	{ name: 'eu-1', up: 0, down: 3 * GB, values: [GB, 2 * GB] },
	{ name: 'us-1', up: 0, down: GB, values: [0, GB] },
];
const SPANS = [
	{ at: at(0), up: 0, down: 2 * GB },
	{ at: at(1), up: GB, down: 3 * GB },
];

function choose(label: string, value: string): void {
	fireEvent.change(screen.getByRole('combobox', { name: label }), { target: { value } });
}

test('edges divide the bars, a rest is what none of them reported, and one edge is shown alone', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/bandwidth', ({ by }) => bandwidthOf(SPANS, { parts: by === 'edge' ? PARTS : [] }));
	open(t, '/?range=7d');
	await screen.findByRole('slider', { name: bandwidthTexts.charts.day });
	choose(bandwidthTexts.division, 'edge');
	const edge = await screen.findByRole('button', { name: bandwidthTexts.showEdge('eu-1') });
	assert.deepEqual(service.calls('/bandwidth').at(-1), { range: '7d', by: 'edge' });
	const chart = screen.getByRole('slider', { name: bandwidthTexts.charts.day });
	assert.match(
		chart.getAttribute('aria-valuetext') ?? '',
		/: eu-1 2\.00 GB, us-1 1\.00 GB, All others, and no edge 1\.00 GB$/,
	);
	(await screen.findByRole('button', { name: bandwidthTexts.showTable })).click();
	const table = await screen.findByRole('table', { name: bandwidthTexts.tables.day });
	const [, newest] = within(table).getAllByRole('row');
	assert.match(newest?.textContent ?? '', /2\.00 GB1\.00 GB1\.00 GB4\.00 GB$/);
	edge.click();
	(await screen.findByRole('button', { name: bandwidthTexts.allEdges })).click();
	await screen.findByRole('combobox', { name: bandwidthTexts.division });
	assert.deepEqual(service.calls('/bandwidth').at(-1), { range: '7d', edge: 'eu-1' });
});

test('the time before is a line, a column and a sentence, until it is switched off', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers(
		'/bandwidth',
		bandwidthOf(
			SPANS.map((span) => ({ ...span, cost: null })),
			{
				unit: 'hour',
				before: [
					{ up: GB, down: 0 },
					{ up: 0, down: 5 * GB },
				],
				comparison: { now: 2 * GB, before: GB },
			},
		),
	);
	open(t, '/?range=24h');
	const chart = await screen.findByRole('slider', { name: bandwidthTexts.charts.hour });
	await screen.findByText(bandwidthTexts.compared.hour('2.00 GB (+100%)', '1.00 GB'));
	assert.match(chart.getAttribute('aria-valuetext') ?? '', /, Before 5\.00 GB$/);
	(await screen.findByRole('checkbox', { name: bandwidthTexts.compare })).click();
	await screen.findByRole('slider', { name: bandwidthTexts.charts.hour });
	assert.equal(screen.queryByText(bandwidthTexts.compared.hour('2.00 GB (+100%)', '1.00 GB')), null);
	assert.doesNotMatch(chart.getAttribute('aria-valuetext') ?? '', /Before/);
	assert.equal(service.calls('/bandwidth').length, 1, 'nothing is read for that');
});

test('days are chosen one by one, a last day follows the first one, and a day out of bounds does not count', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/bandwidth', bandwidthOf(SPANS));
	open(t, '/');
	fireEvent.click(await screen.findByRole('radio', { name: bandwidthTexts.ranges.days }));
	const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
	const first = await screen.findByLabelText(bandwidthTexts.firstDay);
	fireEvent.change(first, { target: { value: day(3) } });
	const last = screen.getByLabelText(bandwidthTexts.lastDay);
	fireEvent.change(last, { target: { value: day(2) } });
	fireEvent.change(last, { target: { value: day(5) } });
	assert.equal(last.getAttribute('aria-invalid'), 'true');
	fireEvent.change(first, { target: { value: day(1) } });
	await screen.findByRole('radio', { name: bandwidthTexts.units.hour });
	const ranges = service.calls('/bandwidth').map((query) => (query as { readonly range: string }).range);
	assert.deepEqual(ranges.slice(-3), [`${day(3)}..${day(0)}`, `${day(3)}..${day(2)}`, `${day(1)}..${day(1)}`]);
});

test('operators see the network by reseller and by edge, and from when edges are known', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/bandwidth', ({ by }) =>
		bandwidthOf(SPANS, {
			parts: by === 'reseller' ? [{ name: 'acme', up: GB, down: 5 * GB, values: [2 * GB, 4 * GB] }] : [],
			hours_since: by === 'edge' ? at(1) : null,
		}),
	);
	open(t, '/bandwidth?by=reseller');
	const link = await screen.findByRole('link', { name: 'acme' });
	assert.ok(link.getAttribute('href')?.endsWith('/resellers/acme'));
	assert.deepEqual(service.calls('/operator/bandwidth').at(-1), { range: '7d', by: 'reseller' });
	choose(bandwidthTexts.division, 'edge');
	await screen.findByText(/Hours and edges are known from/);
});
