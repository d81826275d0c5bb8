import { type Operation, routes } from '@bursar/contract/routes';

/** The body that a command sends as an example. */
const BODIES: Partial<Record<Operation, Readonly<Record<string, string | number>>>> = {
	createSubUser: { username: 'alice.smith' },
	viewSubUser: { username: 'alice.smith' },
	viewUsage: { username: 'alice.smith' },
	resetAuthKey: { username: 'alice.smith' },
	giveBalance: { username: 'alice.smith', amount_usd_cents: 250 },
	takeBalance: { username: 'alice.smith', amount_usd_cents: 250 },
	viewChange: { change_id: 'mgd3k1c0-Vn4xT8sQp2LzRw' },
};

interface CurlCommand {
	readonly operation: Operation;
	readonly method: 'GET' | 'POST';
	readonly path: string;
	/** For a shell in which `BURSAR_TOKEN` holds the token. */
	readonly command: string;
}

/** A command for each endpoint of the API, in the order of the contract. */
export function curlCommands(apiUrl: string): readonly CurlCommand[] {
	const operations = Object.keys(routes) as Operation[];
	return operations.map((operation) => {
		const { method, path } = routes[operation];
		const lines = ['curl -H "Authorization: Bearer $BURSAR_TOKEN"', quoteForShell(withoutEndSlash(apiUrl) + path)];
		const body = BODIES[operation];
		if (body !== undefined) {
			lines.splice(1, 0, "-H 'Content-Type: application/json'", `-d ${quoteForShell(JSON.stringify(body))}`);
		}
		return { operation, method, path, command: lines.join(' \\\n  ') };
	});
}

function withoutEndSlash(url: string): string {
	return url.replace(/\/+$/, '');
}

/** Quotes a text for a POSIX shell, if it needs quotes. */
function quoteForShell(text: string): string {
	return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
