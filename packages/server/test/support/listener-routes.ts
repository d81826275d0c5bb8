import diagnostics from 'node:diagnostics_channel';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A path on which a running listener answers, with the methods of its routes. */
export interface ListenerPath {
	/** Base address of the listener. */
	readonly url: string;
	readonly path: string;
	readonly methods: ReadonlySet<string>;
}

/**
 * Runs `start`, and returns every path of the listeners that it started. Fastify itself tells each route, so no list can
 * lack one. A parameter stands for one word.
 */
export async function pathsOf<Started>(
	start: () => Promise<Started>,
): Promise<{ readonly started: Started; readonly paths: readonly ListenerPath[] }> {
	const routes = new Map<FastifyInstance, Map<string, Set<string>>>();
	function watch(message: unknown): void {
		const { fastify } = message as { readonly fastify: FastifyInstance };
		const methods = new Map<string, Set<string>>();
		routes.set(fastify, methods);
		fastify.addHook('onRoute', ({ url, method }) => {
			const path = url.replace(/:\w+\([^)]*\)[^/]*|:\w+|\*/g, 'word');
			methods.set(path, new Set([...(methods.get(path) ?? []), ...[method].flat()]));
		});
	}
	diagnostics.subscribe('fastify.initialization', watch);
	try {
		const started = await start();
		return { started, paths: [...routes].flatMap(([app, methods]) => pathsAt(app, methods)) };
	} finally {
		diagnostics.unsubscribe('fastify.initialization', watch);
	}
}

function pathsAt({ server }: FastifyInstance, methods: ReadonlyMap<string, ReadonlySet<string>>): ListenerPath[] {
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}`;
	return [...methods].map(([path, set]) => ({ url, path, methods: set }));
}
