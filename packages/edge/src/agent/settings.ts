import { type LogLevel, openSecretFile, readLogLevel, readTokenFile, UsageError } from '@bursar/terminal';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the commands of `bursar-edge` read from the environment. */
export interface AgentSettings {
	/** Base address of the edge listener. */
	readonly url: URL;
	/** The key of this edge. A new key in its file is used within a second. */
	readonly key: () => string;
	readonly logLevel: LogLevel;
	/** The upstream proxy of `bursar-edge proxy`, with its credentials. */
	readonly upstream?: URL;
}

/** All that these commands read. */
export const AGENT_SETTINGS = [
	'BURSAR_EDGE_URL',
	'BURSAR_EDGE_KEY',
	'BURSAR_EDGE_KEY_FILE',
	'BURSAR_EDGE_UPSTREAM',
	'BURSAR_ALLOW_OPEN_KEY_FILES',
	'BURSAR_LOG_LEVEL',
];
/** Variables of our own, and those of a service on the same machine. */
const KNOWN = new Set([...AGENT_SETTINGS, 'BURSAR_EDGE_HOST', 'BURSAR_EDGE_PORT', 'BURSAR_EDGE_MAX_GBPS']);
const KEY = /^bre_[0-9A-Za-z]{46}$/;
const KEY_FORM = 'a key begins with bre_ and has 50 characters: see "bursar-edge join"';
/** How often the file of the key is read at most. */
const READ_AGAIN_MS = 1_000;

/** Reads the environment once. Throws `UsageError` that names every variable that is wrong. It shows no secret. */
export function readAgentSettings(environment: Environment): AgentSettings {
	const problems: string[] = [];

	function read<Value>(name: string, parse: (text: string) => Value): Value | undefined {
		const text = environment[name];
		if (text === undefined) return undefined;
		try {
			return parse(text);
		} catch (cause) {
			problems.push(`${name}: ${(cause as Error).message}`);
			return undefined;
		}
	}

	for (const name of Object.keys(environment)) {
		if (name.startsWith('BURSAR_EDGE_') && !KNOWN.has(name)) problems.push(`${name}: there is no such setting`);
	}
	const url = read('BURSAR_EDGE_URL', serviceUrl);
	const inlineKey = read('BURSAR_EDGE_KEY', inlineKeyOf);
	const mayBeOpen = read('BURSAR_ALLOW_OPEN_KEY_FILES', allowed) ?? false;
	const fileKey = read('BURSAR_EDGE_KEY_FILE', (file) => keyInFile(file, mayBeOpen));
	const upstream = read('BURSAR_EDGE_UPSTREAM', upstreamUrl);
	const logLevel = read('BURSAR_LOG_LEVEL', readLogLevel) ?? 'info';
	const given = ['BURSAR_EDGE_KEY', 'BURSAR_EDGE_KEY_FILE'].filter((name) => environment[name] !== undefined);
	if (environment.BURSAR_EDGE_URL === undefined) problems.push('BURSAR_EDGE_URL: it is missing');
	if (given.length !== 1) problems.push('BURSAR_EDGE_KEY or BURSAR_EDGE_KEY_FILE: exactly one of them must be set');
	const key = inlineKey ?? fileKey;
	if (problems.length > 0 || !url || !key) throw new UsageError(problems.join('; '), 'config');
	return { url, key, logLevel, ...(upstream && { upstream }) };
}

function serviceUrl(text: string): URL {
	const url = URL.parse(text);
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw new Error('it must be the http or https URL of the edge listener, like https://edge.bursar.example');
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new Error('it must have no user, password, query or fragment');
	}
	return url;
}

function inlineKeyOf(text: string): () => string {
	if (!KEY.test(text)) throw new Error(KEY_FORM);
	return () => text;
}

function allowed(text: string): boolean {
	if (text !== '0' && text !== '1') throw new Error('it must be 1 or 0');
	return text === '1';
}

function keyInFile(file: string, mayBeOpen: boolean): () => string {
	const fault = mayBeOpen ? undefined : openSecretFile(file);
	if (fault !== undefined) throw new Error(fault);
	let key = readKey(file);
	let readAtMs = performance.now();
	return () => {
		if (performance.now() - readAtMs < READ_AGAIN_MS) return key;
		readAtMs = performance.now();
		try {
			key = readKey(file);
		} catch {
			// The file is being replaced. If its key was revoked, the service says so.
		}
		return key;
	};
}

/** The error shows nothing of the file. */
function readKey(file: string): string {
	let key: string | undefined;
	try {
		key = readTokenFile(file);
	} catch (cause) {
		throw new Error(`the file cannot be read (${(cause as NodeJS.ErrnoException).code})`);
	}
	if (key === undefined || !KEY.test(key)) throw new Error(`the file holds no key: ${KEY_FORM}`);
	return key;
}

const UPSTREAM_PROTOCOLS = ['http:', 'https:', 'socks:', 'socks4:', 'socks4a:', 'socks5:', 'socks5h:'];

/** The kinds of SOCKS with which the upstream gets the names of destinations, as it always does for tunnels. */
const RESOLVED_BY_UPSTREAM: Readonly<Record<string, string>> = { 'socks4:': 'socks4a:', 'socks5:': 'socks5h:' };

/** The address of an upstream proxy. The upstream resolves the names of destinations. */
export function upstreamUrl(text: string): URL {
	const url = URL.parse(text);
	if (!url?.hostname || !UPSTREAM_PROTOCOLS.includes(url.protocol) || !['', '/'].includes(url.pathname)) {
		throw new Error('it must be the URL of a proxy, like http://upstream.example:3128 or socks5://127.0.0.1:1080');
	}
	if (url.protocol.startsWith('socks') && (url.port === '' || url.hostname.startsWith('['))) {
		throw new Error('with SOCKS, it must have a port, and a name or an IPv4 address as its host');
	}
	url.protocol = RESOLVED_BY_UPSTREAM[url.protocol] ?? url.protocol;
	return url;
}
