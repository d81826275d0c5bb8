import type { FastifyInstance } from 'fastify';
import { sendEncoded } from '../server/encoded-file.ts';
import { JSON_TYPE } from '../server/envelope.ts';
import { createReferenceScript } from './reference-script.ts';
import { SANDBOX_SCRIPT, senderScript } from './sandbox.ts';

interface Documents {
	/** The title of the page. */
	readonly title: string;
	/** The OpenAPI document. */
	readonly openApi: unknown;
	/** What it describes: where the page may send requests. */
	readonly routes: Readonly<Record<string, { readonly path: string }>>;
}

/** The description of an API, for programs and for people. */
export async function documentRoutes(app: FastifyInstance, { title, openApi, routes }: Documents): Promise<void> {
	// All answers share these bytes. A string would be copied for each answer.
	const document = Buffer.from(JSON.stringify(openApi, null, 2));
	const page = Buffer.from(pageWith(title));
	const sandboxed = Buffer.from(sandboxedPageWith(title));
	const sender = Buffer.from(senderScript(['/openapi.json', ...Object.values(routes).map(({ path }) => path)]));
	app.get('/openapi.json', (_request, reply) => reply.header('content-type', JSON_TYPE).send(document));

	// In a folder, so that the page can load its parts by relative paths, under any prefix of a proxy.
	app.get('/docs', (_request, reply) => reply.redirect('docs/', 301));
	app.get('/docs/', (_request, reply) => reply.headers(PAGE_HEADERS).send(page));
	app.get('/docs/sender.js', (_request, reply) => reply.header('content-type', SCRIPT_TYPE).send(sender));

	app.get('/docs/reference', (_request, reply) => reply.headers(SANDBOXED_HEADERS).send(sandboxed));
	app.get('/docs/sandbox.js', (_request, reply) => reply.header('content-type', SCRIPT_TYPE).send(SANDBOX_SCRIPT));
	app.get('/docs/reference.js', async (request, reply) => {
		reply.header('content-type', SCRIPT_TYPE);
		return sendEncoded(request, reply, await referenceScript());
	});
}

/** The pages of all listeners share one. */
const referenceScript = createReferenceScript();

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** The page around the frame. It may not load from or send to other origins. */
const PAGE_HEADERS = headersWith([
	"script-src 'self'",
	"style-src 'unsafe-inline'",
	"connect-src 'self'",
	"frame-src 'self'",
	'img-src data:',
	"frame-ancestors 'none'",
]);

/** The reference, also if it is opened without the page around it. It sets `style` attributes. */
const SANDBOXED_HEADERS = headersWith([
	'sandbox allow-scripts allow-forms allow-downloads',
	"script-src 'self'",
	"style-src 'unsafe-inline'",
	'img-src data:',
	"frame-ancestors 'self'",
]);

function headersWith(policy: readonly string[]) {
	return {
		'content-type': 'text/html; charset=utf-8',
		'content-security-policy': ["default-src 'none'", ...policy, "base-uri 'none'", "form-action 'none'"].join('; '),
		'referrer-policy': 'no-referrer',
		'x-content-type-options': 'nosniff',
	};
}

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

const headWith = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
</head>`;

const pageWith = (title: string) => `${headWith(title)}
<body style="margin: 0">
<noscript>This page needs JavaScript. The same description is in <a href="../openapi.json">openapi.json</a>.</noscript>
<iframe title="${title}" sandbox="allow-scripts allow-forms allow-downloads" allow="clipboard-write *" style="position: fixed; width: 100%; height: 100%; border: 0"></iframe>
<script src="sender.js"></script>
</body>
</html>
`;

const sandboxedPageWith = (title: string) => `${headWith(title)}
<body>
<script id="api-reference" type="application/json" data-configuration='${JSON.stringify(REFERENCE_OPTIONS)}'></script>
<script src="sandbox.js"></script>
<script src="reference.js"></script>
</body>
</html>
`;
