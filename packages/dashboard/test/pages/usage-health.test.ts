import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RefusedReport } from '@bursar/contract/dashboard';
import { usageTexts } from '../../src/features/usage-health/texts.ts';
import { OLGA, open, screen, serviceFor } from '../support/dashboard.ts';

const AT = '2026-05-02T09:30:00.000Z';
const REFUSED: RefusedReport = {
	kind: 'edge',
	source: 'frankfurt-1',
	username: 'alice',
	reseller: 'acme',
	reason: 'too_fast',
	name: 'c1',
	arrived: AT,
	at: AT,
	up: 5e9,
	down: 1e9,
	reports: 3,
};

test('a refused report says whose it is, and links to the reseller and the edges', async (t) => {
	const service = serviceFor(t, OLGA);
	const unread = { name: '', at: null, up: null, down: null, reseller: null, username: '' };
	service.answers('/operator/usage', {
		days: [{ date: '2026-05-02T00:00:00.000Z', counted: 0, repeated: 0, refused: { too_fast: 3, invalid_report: 1 } }],
		refused: [
			REFUSED,
			{ ...REFUSED, username: 'acme' },
			{ ...REFUSED, ...unread, kind: 'file', source: 'host-1', reason: 'invalid_report' },
		],
		corrections: [],
	});
	open(t, '/usage');
	const table = await screen.findByRole('table', { name: usageTexts.lastRefused });
	const [sub, own, file] = [...table.querySelectorAll('tbody tr')].map((row) => ({
		text: row.textContent ?? '',
		links: [...row.querySelectorAll('a')].map((link) => link.getAttribute('href')),
	}));
	assert.match(sub?.text ?? '', /frankfurt-1.*c1.*alice of acme.*too_fast · 3 reports.*6\.00 GB/);
	assert.match(own?.text ?? '', /c1acmetoo_fast/);
	for (const row of [sub, own])
		assert.deepEqual(
			row?.links.map((link) => link?.split('/').slice(-1)),
			row === sub ? [['edges'], ['alice'], ['acme']] : [['edges'], ['acme']],
		);
	assert.match(file?.text ?? '', /host-1 \(import\)unreadableinvalid_report · 3 reportsunreadable/);
	assert.deepEqual(file?.links, []);
});

test('corrections are shown, even if no report arrived', async (t) => {
	const service = serviceFor(t, OLGA);
	const correction = {
		made: AT,
		username: 'alice',
		date: '2026-05-01T00:00:00.000Z',
		up: -1200,
		down: 0,
		reason: 'Twice',
	};
	service.answers('/operator/usage', {
		days: [],
		refused: [],
		corrections: [{ ...correction, reseller: 'acme', reference: 'fix-17', by: 'root (ann)' }],
	});
	open(t, '/usage');
	const row = (await screen.findByText('fix-17')).closest('tr');
	assert.match(row?.textContent ?? '', /alice.*0 B−1\.20 kBTwiceacmefix-17root \(ann\)/);
	await screen.findByText(usageTexts.none);
});
