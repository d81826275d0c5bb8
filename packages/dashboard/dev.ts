// Serves the pages with hot reloading, before a service that runs. See README.md.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DASHBOARD_API, type Presence } from '@bursar/contract/dashboard';
import react from '@vitejs/plugin-react';
import { createServer, type ProxyOptions } from 'vite';

const { values } = parseArgs({
	options: {
		service: { type: 'string', default: 'http://localhost:8080' },
		port: { type: 'string', default: '5173' },
	},
});
const address = `http://localhost:${values.port}`;

/** The only origin from which the service accepts changes. */
async function publicUrlOf(service: string): Promise<string> {
	const answer = await fetch(`${service}${DASHBOARD_API}/session`);
	const { data } = (await answer.json()) as { data: Presence };
	return data.public_url;
}

/**
 * Passes the calls of these pages on as if they came from the service's own. The origin of any other page stays as it
 * is, so that the service refuses it.
 */
function proxyTo(service: string, publicUrl: string): ProxyOptions {
	return {
		target: service,
		configure(proxy) {
			proxy.on('proxyReq', (call, { headers }) => {
				if (headers.origin === address) call.setHeader('origin', publicUrl);
			});
		},
	};
}

/** The policy of the service, which also allows Vite's script in the HTML and its web socket. */
function policyWith(nonce: string): string {
	return [
		"default-src 'none'",
		`script-src 'self' 'nonce-${nonce}'`,
		`style-src 'self' 'nonce-${nonce}'`,
		"img-src 'self' data:",
		`connect-src 'self' ${address.replace('http', 'ws')}`,
		"font-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; ');
}

const publicUrl = await publicUrlOf(values.service).catch(() => {
	process.stderr.write(
		`No service with a dashboard answers at ${values.service}. Start one with npm start, or name another: npm run dashboard -- --service URL\n`,
	);
	process.exit(1);
});
/** The same for all answers: only a developer sees these pages. */
const nonce = randomBytes(16).toString('base64url');
const server = await createServer({
	root: import.meta.dirname,
	base: '/dashboard/',
	cacheDir: join(import.meta.dirname, '../../node_modules/.vite'),
	configFile: false,
	envDir: false,
	publicDir: false,
	plugins: [react(), { name: 'nonce', transformIndexHtml: (html) => html.replace('$NONCE$', nonce) }],
	html: { cspNonce: nonce },
	server: {
		host: 'localhost',
		port: Number(values.port),
		strictPort: true,
		headers: { 'content-security-policy': policyWith(nonce) },
		proxy: { [DASHBOARD_API]: proxyTo(values.service, publicUrl), '/docs': values.service },
	},
});
await server.listen();
process.stdout.write(`The dashboard, with hot reloading: ${address}/dashboard/\n`);
