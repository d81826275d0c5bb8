import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allEndpoints, endpoints } from '@bursar/contract';
import { startEdgeService } from '../../support/edge-service.ts';

const PAGES = ['README.md', 'docs/api.md', 'docs/edge/protocol.md', 'docs/operator-api.md'];
const ADDRESS = /(\$BASE_URL|\$EDGE_URL|\$OPERATOR_URL|http:\/\/127\.0\.0\.1:8080)(\/\S+)/;

/** The requests that a page shows as commands of curl. */
function requestsOf(page: string) {
	const text = readFileSync(new URL(`../../../../../${page}`, import.meta.url), 'utf8');
	return Array.from(text.matchAll(/^curl (?:.*\\\n)*.*$/gm), ([command]) => {
		const [, origin, path = ''] = ADDRESS.exec(command) ?? assert.fail(command);
		const [, body] = /-d '(.+)' /s.exec(command.replaceAll('\\\n', '')) ?? [];
		return {
			name: `${page}: ${command}`,
			origin,
			path,
			body: body?.replace("'$(date -u +%FT%TZ)'", new Date().toISOString()),
		};
	});
}

test('each curl command of the documents works as it stands there', async (t) => {
	const { url, edgeUrl, operatorUrl, token, key, openOperatorToken } = await startEdgeService(t, {
		BURSAR_OPERATOR_PORT: '0',
	});
	const ofReseller = { base: url, bearer: token };
	const others: Readonly<Record<string, typeof ofReseller>> = {
		$EDGE_URL: { base: edgeUrl, bearer: key },
		$OPERATOR_URL: { base: operatorUrl as string, bearer: await openOperatorToken('shop') },
	};
	const requests = PAGES.flatMap(requestsOf);
	assert.ok(requests.length >= 14);
	// A sub-user is created before it is used, wherever that stands on the page.
	requests.sort((left, right) => Number(isCreate(right)) - Number(isCreate(left)));
	// The page shows the ids of another webhook and of another token, and the end of a token of long ago.
	let webhook = '';
	let furtherToken = '';
	const soon = new Date(Date.now() + 86_400_000).toISOString();
	for (const { name, origin = '', path, body: shown } of requests) {
		const { base, bearer } = others[origin] ?? ofReseller;
		const body = shown
			?.replace(/whe_\w+/, webhook)
			.replace(/tok_\w+/, furtherToken)
			.replace(/("name":.*"expires_at":")[^"]+/, `$1${soon}`);
		const answer = await fetch(base + path, {
			method: body === undefined ? 'GET' : 'POST',
			headers: {
				authorization: `Bearer ${bearer}`,
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			...(body !== undefined && { body }),
		});
		const text = await answer.text();
		assert.equal(answer.status, 200, `${name}\n${text}`);
		if (path === allEndpoints.createWebhook.path) webhook = JSON.parse(text).data.id;
		if (path === allEndpoints.createToken.path) furtherToken = JSON.parse(text).data.id;
	}
});

function isCreate({ path }: { readonly path: string }): boolean {
	return path === endpoints.createSubUser.path;
}
