import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints, endpoints } from '@bursar/contract';
import { documentedRequests, sendDocumented } from '../../support/documented-requests.ts';
import { startEdgeService } from '../../support/edge-service.ts';

const PAGES = ['README.md', 'docs/api.md', 'docs/edge/protocol.md'];

test('each curl command of the documents works as it stands there', async (t) => {
	const { url, edgeUrl, token, key } = await startEdgeService(t);
	const requests = PAGES.flatMap(documentedRequests);
	assert.ok(requests.length >= 14);
	// A sub-user is created before it is used, wherever that stands on the page.
	requests.sort((left, right) => Number(isCreate(right)) - Number(isCreate(left)));
	// The page shows the id of another webhook.
	let webhook = '';
	for (const request of requests) {
		const body = request.body?.replace("'$(date -u +%FT%TZ)'", new Date().toISOString()).replace(/whe_\w+/, webhook);
		const asked = request.isOfEdge ? { url: edgeUrl, token: key } : { url, token };
		const { status, text } = await sendDocumented({ ...request, body }, asked);
		assert.equal(status, 200, `${request.name}\n${text}`);
		if (request.path === allEndpoints.createWebhook.path) webhook = JSON.parse(text).data.id;
	}
});

function isCreate({ path }: { readonly path: string }): boolean {
	return path === endpoints.createSubUser.path;
}
