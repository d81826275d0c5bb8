import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ListedEdge } from '@bursar/contract/dashboard';
import { edgesTexts, newEdgeTexts } from '../../src/features/edges/texts.ts';
import {
	button,
	dialog,
	fireEvent,
	OLGA,
	open,
	press,
	pressInDialog,
	screen,
	serviceFor,
	type,
	waitFor,
} from '../support/dashboard.ts';

const CREATED = '2026-01-01T00:00:00.000Z';
const EDGE: ListedEdge = {
	...{ name: 'eu-1', key_tail: 'abcd', created: CREATED, revoked: null, link_expires: null },
	...{ last_seen: null, reported_to: null, checks: 0, refusals: 0 },
};
const LINK = newEdgeTexts['/operator/edges/link'];
const KEY = newEdgeTexts['/operator/edges/create'];

/** The page with these edges. `edgeUrl`: where proxy hosts reach the service. */
function atEdges(t: TestContext, edges: readonly ListedEdge[], edgeUrl: string | null = 'https://edge.bursar.example') {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/edges', { edges, edge_url: edgeUrl });
	open(t, '/edges');
	return service;
}

test('an operator makes an edge, and the command for its host is shown once', async (t) => {
	const service = atEdges(t, [EDGE]);
	const link = 'https://edge.bursar.example/join#secret-of-the-link';
	service.answers('/operator/edges/link', { name: 'us-1', link, expires: CREATED });
	await press(LINK.action);
	await dialog(LINK.title);
	await type(edgesTexts.name, ' US-1');
	await press(edgesTexts.createNow);
	await dialog(LINK.secretTitle('us-1'));
	assert.equal(
		(await screen.findByRole('group', { name: LINK.secretLabel })).textContent,
		`bursar-edge join '${link}'`,
	);
	assert.deepEqual(
		service.calls('/operator/edges/link').map(({ name }) => name),
		['us-1'],
	);
});

test('if the answer with a link was lost, the page says that a new link replaces it', async (t) => {
	const service = atEdges(t, []);
	await press(LINK.action);
	await type(edgesTexts.name, 'us-1');
	service.loses('/operator/edges/link');
	await press(edgesTexts.createNow);
	service.refuses('/operator/edges/link', 'act_repeated');
	await press('Try again');
	await screen.findByText(LINK.lost);
	const [first, again] = service.calls('/operator/edges/link');
	assert.ok(first?.act !== undefined && first.act === again?.act, 'the same act is sent again');
});

test('a key is made for programs of the operator, and an edge is revoked after a question', async (t) => {
	const service = atEdges(t, [EDGE]);
	service.answers('/operator/edges/create', { name: 'us-1', key: 'the-key-of-the-edge' });
	service.answers('/operator/edges/revoke', {});
	await press(KEY.action);
	await dialog(KEY.title);
	await type(edgesTexts.name, 'us-1');
	await press(edgesTexts.createNow);
	await dialog(KEY.secretTitle('us-1'));
	assert.equal((await screen.findByRole('group', { name: KEY.secretLabel })).textContent, 'the-key-of-the-edge');
	fireEvent.click(screen.getByRole('button', { name: edgesTexts.revokeOne('eu-1'), hidden: true }));
	await pressInDialog(edgesTexts.revokeTitle('eu-1'), edgesTexts.revoke);
	await waitFor(() =>
		assert.deepEqual(
			service.calls('/operator/edges/revoke').map(({ name }) => name),
			['eu-1'],
		),
	);
});

test('an edge whose host has not joined says until when it can, and gets a new link', async (t) => {
	const service = atEdges(t, [
		{ ...EDGE, name: 'waits', key_tail: '', link_expires: '2099-01-01T00:00:00.000Z' },
		{ ...EDGE, name: 'waited', key_tail: '', link_expires: CREATED },
		EDGE,
	]);
	service.answers('/operator/edges/link', { name: 'waits', link: 'https://e.example/join#s', expires: CREATED });
	const row = async (name: string) => (await screen.findByText(name)).closest('tr')?.textContent ?? '';
	assert.ok((await row('waits')).includes(edgesTexts.waits));
	assert.ok((await row('waited')).includes(edgesTexts.waitedUntil));
	assert.equal(screen.queryByRole('button', { name: LINK.againOne('eu-1') }), null, 'it has a key');
	await press(LINK.againOne('waits'));
	await pressInDialog(LINK.title, edgesTexts.createNow);
	await dialog(LINK.secretTitle('waits'));
});

test('without an address for proxy hosts, only keys are made, and the page says why', async (t) => {
	atEdges(t, [{ ...EDGE, revoked: CREATED }], null);
	await screen.findByText(edgesTexts.noAddress);
	assert.equal((await button(LINK.action)).getAttribute('aria-disabled'), 'true');
	await button(KEY.againOne('eu-1'));
});
