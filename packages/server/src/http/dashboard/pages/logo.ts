import type { FastifyInstance } from 'fastify';
import { LOGO_FOLDER } from '../brand-view.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { setSecurityHeaders } from '../security-headers.ts';

type LogoDependencies = Pick<DashboardDependencies, 'brand' | 'publicUrl'>;

/** The logo, for everybody: the sign-in page shows it. */
export function logoRoute(app: FastifyInstance, { brand, publicUrl }: LogoDependencies): void {
	app.get<{ Params: { readonly file: string } }>(`${LOGO_FOLDER}/:file`, async ({ params, headers }, reply) => {
		setSecurityHeaders(reply, publicUrl());
		const [, hash] = /^([0-9a-f]{32})\.png$/.exec(params.file) ?? [];
		const logo = hash === undefined ? undefined : await brand.findLogo(hash);
		if (!logo) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such logo.\n');
		const etag = `"${hash}"`;
		void reply.headers({
			etag,
			'cache-control': 'public, max-age=31536000, immutable',
			// Who opens it alone opens an image, and nothing that could do anything.
			'content-security-policy': "default-src 'none'; sandbox",
			'cross-origin-resource-policy': 'same-origin',
		});
		if (headers['if-none-match'] === etag) return reply.code(304).send();
		return reply.type('image/png').send(logo);
	});
}
