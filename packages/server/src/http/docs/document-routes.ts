import { openApiDocument } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { JSON_TYPE } from '../server/envelope.ts';
import { createReferenceScript } from './reference-script.ts';

/** The description of the API, for programs and for people. */
export async function documentRoutes(app: FastifyInstance, { version }: { readonly version: string }): Promise<void> {
	// Bytes, which all answers share: a text would be copied for each.
	const document = Buffer.from(JSON.stringify(openApiDocument(version), null, 2));
	const page = Buffer.from(PAGE);
	app.get('/openapi.json', (_request, reply) => reply.header('content-type', JSON_TYPE).send(document));

	// Below a folder, so that the page can name what it loads relatively, wherever a proxy puts the service.
	app.get('/docs', (_request, reply) => reply.redirect('docs/', 301));
	app.get('/docs/', (_request, reply) => reply.headers(PAGE_HEADERS).send(page));

	const referenceScript = createReferenceScript();
	app.get('/docs/reference.js', async (request, reply) => {
		reply.headers({ 'content-type': 'text/javascript; charset=utf-8', vary: 'Accept-Encoding' });
		const { plain, gzip } = await referenceScript();
		if (!ACCEPTS_GZIP.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain);
		return reply.header('content-encoding', 'gzip').send(gzip);
	});
}

const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** Nothing is loaded from elsewhere, and nothing is sent there. The reference sets `style` attributes. */
const PAGE_HEADERS = {
	'content-type': 'text/html; charset=utf-8',
	'content-security-policy': [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'unsafe-inline'",
		"connect-src 'self'",
		'img-src data:',
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; '),
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
};

/** What Scalar offers beside the reference is left out: its fonts, telemetry, editor and assistants. */
const REFERENCE_OPTIONS = {
	url: '../openapi.json',
	withDefaultFonts: false,
	telemetry: false,
	persistAuth: false,
	defaultOpenAllTags: true,
	documentDownloadType: 'direct',
	orderSchemaPropertiesBy: 'preserve',
	showDeveloperTools: 'never',
	hideClientButton: true,
	agent: { disabled: true },
	mcp: { disabled: true },
	// Error codes stay whole.
	customCss: '.markdown td:first-child code { white-space: nowrap; word-break: keep-all; overflow-wrap: normal }',
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bursar reseller API</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. The same description stands in <a href="../openapi.json">openapi.json</a>.</noscript>
<script id="api-reference" type="application/json" data-configuration='${JSON.stringify(REFERENCE_OPTIONS)}'></script>
<script src="reference.js"></script>
</body>
</html>
`;
