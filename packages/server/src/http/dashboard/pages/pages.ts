import { randomBytes } from 'node:crypto';
import { PRODUCT_NAME } from '@bursar/contract/brand';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { htmlText } from '../../../html-text.ts';
import { STOP_PATH } from '../../../mail/stop-links.ts';
import { sendEncoded } from '../../server/encoded-file.ts';
import { serviceName } from '../brand-view.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { setSecurityHeaders } from '../security-headers.ts';
import { type BuiltPages, readBuiltPages } from './built-pages.ts';
import { logoRoute } from './logo.ts';

interface PagesOptions extends Pick<DashboardDependencies, 'publicUrl' | 'pagesFolder' | 'brand'> {
	readonly logger: Logger;
}

/** The dashboard's pages: the HTML at every address that is not `/dashboard/api`, and the files that it loads. */
export async function dashboardPages(
	app: FastifyInstance,
	{ publicUrl, logger, pagesFolder, brand }: PagesOptions,
): Promise<void> {
	const built = readOrWarn(logger, pagesFolder);

	async function sendPage(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		setSecurityHeaders(reply, publicUrl());
		if (!built) return sendText(reply, 503, NOT_BUILT);
		const nonce = randomBytes(16).toString('base64url');
		return reply
			.header('content-type', 'text/html; charset=utf-8')
			.header('content-security-policy', policyWith(nonce))
			.header('permissions-policy', PERMISSIONS)
			.send(titled(built.html.join(nonce), serviceName(await brand.read())));
	}

	function sendAsset(request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply): FastifyReply {
		setSecurityHeaders(reply, publicUrl());
		const asset = built?.assets.get(request.params['*']);
		if (!asset) return sendText(reply, 404, 'There is no such file. The dashboard may have been updated: reload it.\n');
		void reply.headers({
			'content-type': asset.type,
			'cache-control': 'public, max-age=31536000, immutable',
		});
		return sendEncoded(request, reply, asset);
	}

	logoRoute(app, { brand, publicUrl });
	for (const path of PAGE_PATHS) app.get(path, sendPage);
	app.get('/dashboard/assets/*', sendAsset);
}

/** The title in the HTML is what shows before the pages are drawn, and in previews of links. */
function titled(html: string, name: string): string {
	return html.replace(BUILT_TITLE, () => `<title>${htmlText(name)}</title>`);
}

const BUILT_TITLE = `<title>${PRODUCT_NAME}</title>`;

/** Everything but `/dashboard/api`, so that its own routes and refusals answer there. */
const PAGE_PATHS = [
	'/dashboard',
	'/dashboard/',
	'/dashboard/:page(^(?!api$)[^/]*$)',
	'/dashboard/:page(^(?!api$)[^/]*$)/*',
	// Named, because it has another route for POST.
	STOP_PATH,
];

const NOT_BUILT = `The dashboard is not here, because it was not built. The API works without it.

To build it, run this in the folder of Bursar, as a user who may write there, and start the service again:

  node scripts/setup.mjs
`;

/** Passkeys and copying are allowed. Everything else that a page could ask the browser for is off. */
const PERMISSIONS = [
	'publickey-credentials-get=(self)',
	'publickey-credentials-create=(self)',
	'clipboard-write=(self)',
	...[
		'accelerometer',
		'autoplay',
		'camera',
		'clipboard-read',
		'display-capture',
		'encrypted-media',
		'fullscreen',
		'geolocation',
		'gyroscope',
		'hid',
		'magnetometer',
		'microphone',
		'midi',
		'payment',
		'picture-in-picture',
		'screen-wake-lock',
		'serial',
		'usb',
		'xr-spatial-tracking',
	].map((feature) => `${feature}=()`),
].join(', ');

function policyWith(nonce: string): string {
	return [
		"default-src 'none'",
		"script-src 'self'",
		`style-src 'self' 'nonce-${nonce}'`,
		"img-src 'self' data:",
		"connect-src 'self'",
		"font-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; ');
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
	return reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(text);
}

/** A service without pages still serves the API. */
function readOrWarn(logger: Logger, folder: string | undefined): BuiltPages | undefined {
	try {
		return readBuiltPages(folder);
	} catch (cause) {
		logger.warn(
			{ err: cause },
			'the dashboard was not built: run `node scripts/setup.mjs`, then start the service again',
		);
		return undefined;
	}
}
