import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints, endpoints } from '@bursar/contract';
import { documentedRequests, sendDocumented } from '../../support/documented-requests.ts';
import { startEdgeService } from '../../support/edge-service.ts';
import { createProviderInMemory } from '../../support/payment-provider-in-memory.ts';

const PAGES = ['README.md', 'docs/api.md', 'docs/edge/protocol.md', 'docs/operator-api.md'];

test('each curl command of the documents works as it stands there', async (t) => {
	const paymentProviders = new Map([['stripe', createProviderInMemory()]] as const);
	const { url, edgeUrl, operatorUrl, token, key, openOperatorToken, submit } = await startEdgeService(
		t,
		{ BURSAR_OPERATOR_PORT: '0' },
		{ paymentProviders },
	);
	await submit({ kind: 'allow_sign_in_by_address', reseller: 'acme', isAllowed: true });
	const ofReseller = { url, token };
	const others: Readonly<Record<string, typeof ofReseller>> = {
		$EDGE_URL: { url: edgeUrl, token: key },
		$OPERATOR_URL: { url: operatorUrl as string, token: await openOperatorToken('shop') },
	};
	const requests = PAGES.flatMap(documentedRequests);
	assert.ok(requests.length >= 14);
	// A sub-user is created before it is used and deleted after it, wherever that stands on the page.
	requests.sort((left, right) => turnOf(left) - turnOf(right));
	// The page shows the ids of another webhook and of another token, and the end of a token of long ago.
	let webhook = '';
	let furtherToken = '';
	const soon = new Date(Date.now() + 86_400_000).toISOString();
	for (const request of requests) {
		const body = request.body
			?.replace("'$(date -u +%FT%TZ)'", new Date().toISOString())
			.replace(/whe_\w+/, webhook)
			.replace(/tok_\w+/, furtherToken)
			.replace(/("name":.*"expires_at":")[^"]+/, `$1${soon}`);
		const asked = others[request.origin] ?? ofReseller;
		const { status, text } = await sendDocumented({ ...request, body }, asked);
		assert.equal(status, 200, `${request.name}\n${text}`);
		if (request.path === allEndpoints.createWebhook.path) webhook = JSON.parse(text).data.id;
		if (request.path === allEndpoints.createToken.path) furtherToken = JSON.parse(text).data.id;
	}
});

function turnOf({ path }: { readonly path: string }): number {
	if (path === endpoints.createSubUser.path) return 0;
	return path === allEndpoints.deleteSubUser.path ? 2 : 1;
}
