import {
	type LogLevel,
	openSecretFile,
	readBoundedFile,
	readLogLevel,
	readTokenFile,
	UsageError,
} from '@bursar/terminal';
import { type ListedExit, readUpstreamList } from '../proxy/upstream/upstream-list.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the commands of `bursar-edge` read from the environment. */
export interface AgentSettings {
	/** Base address of the edge listener. */
	readonly url: URL;
	/** The key of this edge. A new key in its file is used within a second. */
	readonly key: () => string;
	readonly logLevel: LogLevel;
	/** Whether files with secrets may have any owner and mode. */
	readonly mayBeOpen: boolean;
	/** The upstream proxies of `bursar-edge proxy`, with their credentials. */
	readonly upstreams?: readonly ListedExit[];
}

/** All variables that these commands read. */
export const AGENT_SETTINGS = [
	'BURSAR_EDGE_URL',
	'BURSAR_EDGE_KEY',
	'BURSAR_EDGE_KEY_FILE',
	'BURSAR_EDGE_UPSTREAM',
	'BURSAR_EDGE_UPSTREAM_FILE',
	'BURSAR_ALLOW_OPEN_KEY_FILES',
	'BURSAR_LOG_LEVEL',
];
/** Variables of this project, and those of a service on the same machine. */
const KNOWN = new Set([...AGENT_SETTINGS, 'BURSAR_EDGE_HOST', 'BURSAR_EDGE_PORT', 'BURSAR_EDGE_MAX_GBPS']);
const KEY = /^bre_[0-9A-Za-z]{46}$/;
const KEY_FORM = 'a key begins with bre_ and has 50 characters: see "bursar-edge join"';
/** How often the file of the key is read at most. */
const READ_AGAIN_MS = 1_000;
/** @bound The file of upstream proxies: the proxy does not start with a longer one. */
const MAX_LIST_BYTES = 1_048_576;

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
	const inlineUpstreams = read('BURSAR_EDGE_UPSTREAM', readUpstreamList);
	const fileUpstreams = read('BURSAR_EDGE_UPSTREAM_FILE', (file) => upstreamsInFile(file, mayBeOpen));
	const logLevel = read('BURSAR_LOG_LEVEL', readLogLevel) ?? 'info';
	const given = ['BURSAR_EDGE_KEY', 'BURSAR_EDGE_KEY_FILE'].filter((name) => environment[name] !== undefined);
	if (environment.BURSAR_EDGE_URL === undefined) problems.push('BURSAR_EDGE_URL: it is missing');
	if (given.length !== 1) problems.push('BURSAR_EDGE_KEY or BURSAR_EDGE_KEY_FILE: exactly one of them must be set');
	if (environment.BURSAR_EDGE_UPSTREAM !== undefined && environment.BURSAR_EDGE_UPSTREAM_FILE !== undefined) {
		problems.push('BURSAR_EDGE_UPSTREAM and BURSAR_EDGE_UPSTREAM_FILE: only one of them may be set');
	}
	const key = inlineKey ?? fileKey;
	const upstreams = inlineUpstreams ?? fileUpstreams;
	if (problems.length > 0 || !url || !key) throw new UsageError(problems.join('; '), 'config');
	return { url, key, logLevel, mayBeOpen, ...(upstreams && { upstreams }) };
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
	assertSecret(file, mayBeOpen);
	let key = readKey(file);
	let readAtMs = performance.now();
	return () => {
		if (performance.now() - readAtMs < READ_AGAIN_MS) return key;
		readAtMs = performance.now();
		try {
			key = readKey(file);
		} catch {
			// The file is being replaced. If the key was revoked, the service says so.
		}
		return key;
	};
}

function readKey(file: string): string {
	const key = readWith(readTokenFile, file);
	if (key === undefined || !KEY.test(key)) throw new Error(`the file holds no key: ${KEY_FORM}`);
	return key;
}

function upstreamsInFile(file: string, mayBeOpen: boolean): readonly ListedExit[] {
	assertSecret(file, mayBeOpen);
	const bytes = readWith((name) => readBoundedFile(name, MAX_LIST_BYTES), file);
	if (!bytes) throw new Error(`the file has more than ${MAX_LIST_BYTES} bytes`);
	return readUpstreamList(bytes.toString());
}

function assertSecret(file: string, mayBeOpen: boolean): void {
	const fault = mayBeOpen ? undefined : openSecretFile(file);
	if (fault !== undefined) throw new Error(fault);
}

/** The error shows nothing of the file. */
function readWith<Content>(readFile: (file: string) => Content, file: string): Content {
	try {
		return readFile(file);
	} catch (cause) {
		throw new Error(`the file cannot be read (${(cause as NodeJS.ErrnoException).code})`);
	}
}
