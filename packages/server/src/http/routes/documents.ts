import { openApiDocument } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { JSON_TYPE } from '../answer.ts';

/** The description of the API, for programs and for people. */
export async function documentRoutes(app: FastifyInstance, { version }: { readonly version: string }): Promise<void> {
	const document = JSON.stringify(openApiDocument(version));
	app.get('/openapi.json', (_request, reply) => reply.header('content-type', JSON_TYPE).send(document));
	const { default: reference } = await import('@scalar/fastify-api-reference');
	await app.register(reference, {
		routePrefix: '/docs',
		configuration: {
			url: '/openapi.json',
			pageTitle: 'Bursar reseller API',
			// Everything that the page would load from elsewhere, or send there.
			withDefaultFonts: false,
			telemetry: false,
			showDeveloperTools: 'never',
			hideClientButton: true,
			agent: { disabled: true },
			mcp: { disabled: true },
		},
	});
}
