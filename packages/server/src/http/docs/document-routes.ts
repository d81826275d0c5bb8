import type { FastifyInstance } from 'fastify';
import { sendEncoded } from '../server/encoded-file.ts';
import { JSON_TYPE } from '../server/envelope.ts';
import { createReferenceScript } from './reference-script.ts';

interface Documents {
	/** The title of the page. */
	readonly title: string;
	/** The OpenAPI document. */
	readonly openApi: unknown;
}

/** The description of an API, for programs and for people. */
export async function documentRoutes(app: FastifyInstance, { title, openApi }: Documents): Promise<void> {
	// All answers share these bytes. A string would be copied for each answer.
	const document = Buffer.from(JSON.stringify(openApi, null, 2));
	const page = Buffer.from(pageWith(title));
	app.get('/openapi.json', (_request, reply) => reply.header('content-type', JSON_TYPE).send(document));

	// In a folder, so that the page can load its parts by relative paths, under any prefix of a proxy.
	app.get('/docs', (_request, reply) => reply.redirect('docs/', 301));
	app.get('/docs/', (_request, reply) => reply.headers(PAGE_HEADERS).send(page));

	app.get('/docs/reference.js', async (request, reply) => {
		reply.header('content-type', 'text/javascript; charset=utf-8');
		return sendEncoded(request, reply, await referenceScript());
	});
}

/** The pages of all listeners share one. */
const referenceScript = createReferenceScript();

/** The page may not load from or send to other origins. The reference sets `style` attributes. */
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

/** Turns off everything of Scalar besides the reference: fonts, telemetry, editor and assistants. */
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
	// Error codes must not break across lines.
	customCss: '.markdown td:first-child code { white-space: nowrap; word-break: keep-all; overflow-wrap: normal }',
};

const pageWith = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. The same description is in <a href="../openapi.json">openapi.json</a>.</noscript>
<script id="api-reference" type="application/json" data-configuration='${JSON.stringify(REFERENCE_OPTIONS)}'></script>
<script src="reference.js"></script>
</body>
</html>
`;
