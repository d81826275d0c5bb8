import { isIP, isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import type { OfferedOption } from '@bursar/contract/dashboard';
import { readProxyAddress, writeProxyUrl } from '@bursar/contract/proxy-url';
import { type LogLevel, openSecretFile, readLogLevel } from '@bursar/terminal';
import { DEFAULT_TOKEN_OVERLAP_MS, MAX_TOKEN_OVERLAP_MS } from './domain/token.ts';
import { isLoopback } from './loopback.ts';
import { type MailSender, parseMailSender } from './mail/sender.ts';
import { parseSmtpUrl, type SmtpUrl } from './mail/smtp-url.ts';
import {
	maskedPayments,
	type PaymentSettings,
	readPayments,
	readTopUpLimits,
	type TopUpLimits,
} from './payments/settings.ts';
import { offeredOptions, proxyUrls, writeOption } from './proxy-settings.ts';
import {
	boolean,
	type Environment,
	fromSecretFile,
	nonEmpty,
	readSettings,
	type SettingsReader,
} from './settings-reader.ts';
import { type DatabaseUrl, parseDatabaseUrl } from './store/database-url.ts';
import { decodeMasterKey, KEY_FILE, readMasterKey } from './store/secrets/master-key.ts';

export interface Config {
	readonly host: string;
	readonly port: number;
	/** The address that the operator's listener listens on. */
	readonly opsHost: string;
	readonly opsPort: number;
	/** Host names under which the operator's listener answers, besides `localhost` and addresses. Lowercase. */
	readonly opsHostNames: readonly string[];
	/** An absolute path. Ignored when `databaseUrl` is set. */
	readonly dataDir: string;
	/** The PostgreSQL database of the store. Absent if the store is embedded. */
	readonly databaseUrl?: DatabaseUrl;
	/** 32 bytes. By default, the store's own file. */
	readonly masterKey?: Uint8Array;
	/** Whether files with keys may be open to others. */
	readonly allowOpenKeyFiles: boolean;
	readonly logLevel: LogLevel;
	/** Accepts any content type, and amounts as strings of decimal digits. */
	readonly lenient: boolean;
	readonly tokenOverlapMs: number;
	/** Whether the dashboard is served. */
	readonly dashboard: boolean;
	/** The origin at which people open the dashboard. Absent for `http://localhost` with the port of the service. */
	readonly publicUrl?: string;
	/** The address that the listener of the operator's API listens on. */
	readonly operatorHost: string;
	/** Absent if the operator's API is off. */
	readonly operatorPort?: number;
	/** The address that the edge listener listens on. */
	readonly edgeHost: string;
	/** Absent if the edge listener is off. */
	readonly edgePort?: number;
	/** The origin at which proxy hosts reach the edge listener: links to join have it. */
	readonly edgeUrl?: string;
	/** The most that an edge can carry in each direction, in Gbit/s. Readings that are faster are refused. */
	readonly edgeMaxGbps: number;
	/** How long events are kept, in days. */
	readonly eventsDays: number;
	/** Whether webhooks may go to `http://127.0.0.1` and `http://localhost`: only for development. */
	readonly webhooksLoopback: boolean;
	/** Where clients reach the proxies, like `http://proxy.example:3128`. Empty if the operator has not said it. */
	readonly proxyUrls: readonly string[];
	/** What clients can ask of the proxies behind the `_` of the password. */
	readonly proxyOptions: readonly OfferedOption[];
	/** The operator's mail server, and from whom mails are. Absent if no mail is sent. */
	readonly mail?: { readonly server: SmtpUrl; readonly from: MailSender };
	/** The payment providers that are on. Absent if none is. */
	readonly payments?: PaymentSettings;
	readonly topUps: TopUpLimits;
	/** Addresses and networks of proxies whose `X-Forwarded-For` names the client. */
	readonly trustedProxies: readonly string[];
}

/** Thrown if the environment is wrong. The message has all problems. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

/** Variables that the client, `bursarctl`, `bursar-edge` or the tests read. */
const READ_BY_OTHERS = [
	'BURSAR_URL',
	'BURSAR_TOKEN',
	'BURSAR_EDGE_KEY',
	'BURSAR_EDGE_KEY_FILE',
	'BURSAR_EDGE_UPSTREAM',
	'BURSAR_EDGE_UPSTREAM_FILE',
	'BURSAR_TEST_DATABASE_URL',
	'BURSAR_TEST_POSTGRES',
];

/** Reads the environment once. Throws `ConfigError` that names every variable that is wrong or unknown. */
export function readConfig(environment: Environment): Config {
	const { config, problems } = examineConfig(environment);
	if (problems.length > 0) throw new ConfigError(problems.join('; '));
	return config;
}

/** Like `readConfig`, but returns the problems. A variable that is wrong counts as one that is not set. */
export function examineConfig(environment: Environment): {
	readonly config: Config;
	/** Each begins with what is wrong: a variable, or the path of a key file. */
	readonly problems: readonly string[];
} {
	const settings = readSettings(environment);
	const { read, readSecret, isSet, problems, allowOpenKeyFiles } = settings;
	const overlapSeconds = read('BURSAR_TOKEN_OVERLAP_SECONDS', DEFAULT_TOKEN_OVERLAP_MS / 1000, (text) =>
		integer(text, 0, MAX_TOKEN_OVERLAP_MS / 1000),
	);
	const mail = readMail(settings);
	const masterKey = readSecret('BURSAR_MASTER_KEY', (text) => decodeMasterKey(text, 'it'), masterKeyFromFile);
	const databaseUrl = read('BURSAR_DATABASE_URL', undefined, parseDatabaseUrl);
	if (databaseUrl && !isSet('BURSAR_MASTER_KEY')) {
		problems.push('BURSAR_MASTER_KEY: with BURSAR_DATABASE_URL it is required, or BURSAR_MASTER_KEY_FILE');
	}
	const payments = readPayments(settings);
	const host = read('BURSAR_HOST', '127.0.0.1', nonEmpty);
	const publicUrl = read('BURSAR_PUBLIC_URL', undefined, origin);
	const proxyHost = read('BURSAR_PROXY_HOST', [], (text) => [hostUrl(text)]);
	const edgeUrl = read('BURSAR_EDGE_URL', undefined, origin);
	const edgePort = read('BURSAR_EDGE_PORT', undefined, port);
	const operatorPort = read('BURSAR_OPERATOR_PORT', undefined, port);
	if (mail && !publicUrl)
		problems.push('BURSAR_PUBLIC_URL: with a mail server it is required, because mails have links');
	if (payments && !publicUrl && !isLoopback(host)) {
		problems.push('BURSAR_PUBLIC_URL: with a payment provider it is required, because payers return to it');
	}
	const config: Config = {
		host,
		port: read('BURSAR_PORT', 8080, port),
		opsHost: read('BURSAR_OPS_HOST', '127.0.0.1', nonEmpty),
		opsPort: read('BURSAR_OPS_PORT', 9464, port),
		opsHostNames: read('BURSAR_OPS_HOST_NAMES', [], hostNames),
		dataDir: resolve(read('BURSAR_DATA_DIR', './data', nonEmpty)),
		...(databaseUrl && { databaseUrl }),
		...(masterKey && { masterKey }),
		allowOpenKeyFiles,
		logLevel: read<LogLevel>('BURSAR_LOG_LEVEL', 'info', readLogLevel),
		lenient: read('BURSAR_LENIENT', false, boolean),
		tokenOverlapMs: overlapSeconds * 1000,
		dashboard: read('BURSAR_DASHBOARD', true, boolean),
		...(publicUrl && { publicUrl }),
		operatorHost: read('BURSAR_OPERATOR_HOST', '127.0.0.1', nonEmpty),
		...(operatorPort !== undefined && { operatorPort }),
		edgeHost: read('BURSAR_EDGE_HOST', '127.0.0.1', nonEmpty),
		...(edgePort !== undefined && { edgePort }),
		...(edgeUrl && { edgeUrl }),
		/** @bound Days that events are kept (`BURSAR_EVENTS_DAYS`): older ones are forgotten. */
		eventsDays: read('BURSAR_EVENTS_DAYS', 30, (text) => integer(text, 1, 3_650)),
		webhooksLoopback: read('BURSAR_WEBHOOKS_LOOPBACK', false, boolean),
		/** @bound Gbit/s in each direction that an edge can carry (`BURSAR_EDGE_MAX_GBPS`): more bytes are refused as `too_fast`. */
		edgeMaxGbps: read('BURSAR_EDGE_MAX_GBPS', 400, (text) => integer(text, 1, 100_000)),
		proxyUrls: read('BURSAR_PROXY_URLS', proxyHost, proxyUrls),
		proxyOptions: read('BURSAR_PROXY_OPTIONS', [], offeredOptions),
		...(mail && { mail }),
		...(payments && { payments }),
		topUps: readTopUpLimits(settings),
		trustedProxies: read('BURSAR_TRUSTED_PROXIES', [], networks),
	};

	// The key file of an embedded store.
	const keyFile = join(config.dataDir, KEY_FILE);
	const fault = databaseUrl || masterKey || allowOpenKeyFiles ? undefined : openSecretFile(keyFile);
	if (fault !== undefined) problems.push(`${keyFile}: ${fault}`);
	for (const name of Object.keys(environment)) {
		if (!name.startsWith('BURSAR_') || settings.isKnown(name) || READ_BY_OTHERS.includes(name)) continue;
		problems.push(`${name}: there is no such setting`);
	}
	return { config, problems };
}

/** The origin at which people open the dashboard of a service that listens on this port. */
export function publicUrlOf({ publicUrl }: Pick<Config, 'publicUrl'>, port: number): string {
	// Without the port if it is the usual one, as browsers write it.
	return publicUrl ?? new URL(`http://localhost:${port}`).origin;
}

/**
 * The address at which proxy hosts reach the edge listener, for links. `undefined` if the settings do not tell one that
 * another machine could use.
 */
export function edgeUrlOf({
	edgeUrl,
	edgePort,
	edgeHost,
}: Pick<Config, 'edgeUrl' | 'edgePort' | 'edgeHost'>): string | undefined {
	if (edgeUrl !== undefined) return edgeUrl;
	const isUnspecified = ['0.0.0.0', '::', '::0', '0'].includes(edgeHost);
	if (edgePort === undefined || edgePort === 0 || isUnspecified) return undefined;
	return `http://${isIPv6(edgeHost) ? `[${edgeHost}]` : edgeHost}:${edgePort}`;
}

/** The configuration with all secrets masked. */
export function maskedConfig(config: Config): Record<string, unknown> {
	const { databaseUrl, masterKey, mail, payments, proxyOptions } = config;
	return {
		...config,
		publicUrl: publicUrlOf(config, config.port),
		proxyOptions: proxyOptions.map(writeOption),
		...(databaseUrl && { databaseUrl: databaseUrl.masked }),
		...(mail && { mail: { server: mail.server.masked, from: mail.from } }),
		...(payments && { payments: maskedPayments(payments) }),
		masterKey: masterKey ? '[set]' : '[kept in the data directory]',
	};
}

/** Both are needed, the server and the sender, or neither. */
function readMail({ read, readSecret, isSet, problems }: SettingsReader): Config['mail'] {
	const server = readSecret('BURSAR_SMTP_URL', parseSmtpUrl);
	const from = read('BURSAR_MAIL_FROM', undefined, parseMailSender);
	const hasServer = isSet('BURSAR_SMTP_URL');
	if (hasServer && !isSet('BURSAR_MAIL_FROM')) problems.push('BURSAR_MAIL_FROM: with a mail server it is required');
	if (!hasServer && from) problems.push('BURSAR_MAIL_FROM: it needs BURSAR_SMTP_URL or BURSAR_SMTP_URL_FILE');
	return server && from && { server, from };
}

function integer(text: string, from: number, to: number): number {
	const value = Number(text);
	if (!/^\d{1,15}$/.test(text) || value < from || value > to) {
		throw new Error(`it must be an integer from ${from} to ${to}`);
	}
	return value;
}

/** The origin of a URL without path. Browsers take cookies and passkeys seriously only over https, or at localhost. */
function origin(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !['http:', 'https:'].includes(url.protocol) || !['', '/'].includes(url.pathname)) {
		throw new Error('it must be an http or https URL without a path, like https://bursar.example');
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new Error('it must be an origin only, without user, query or fragment');
	}
	return url.origin;
}

/** Addresses or networks (CIDR), with commas between them. */
function networks(text: string): readonly string[] {
	const list = text.split(',').map((part) => part.trim());
	if (!list.every(isNetwork)) throw new Error('it must be IP addresses or networks, with commas between them');
	return list;
}

function isNetwork(text: string): boolean {
	const [address = '', prefix, ...rest] = text.split('/');
	const version = isIP(address);
	// A zone, as in `fe80::1%eth0`, is an address of one machine only.
	if (version === 0 || address.includes('%') || rest.length > 0) return false;
	// With a prefix of 0 every client could name its own address.
	return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** Host names without ports, with commas between them. */
function hostNames(text: string): readonly string[] {
	const names = text.toLowerCase().split(',');
	for (const name of names) {
		if (!isHostName(name)) throw new Error('it must be host names with commas between them');
	}
	return names;
}

function isHostName(text: string): boolean {
	return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text);
}

/** The URL of an HTTP proxy at a host, or at a host and a port. */
function hostUrl(text: string): string {
	const address = readProxyAddress(text, 80);
	if (!address) throw new Error('it must be a host, or a host and a port, like proxy.example:3128');
	return writeProxyUrl({ protocol: 'http', ...address });
}

/** With port 0 the system chooses a free port. */
function port(text: string): number {
	return integer(text, 0, 65535);
}

/** Throws if the file holds no master key, or is open to others unless it may be. The error shows nothing of the file. */
export function masterKeyFromFile(file: string, mayBeOpen: boolean): Uint8Array {
	return fromSecretFile(file, mayBeOpen, () => readMasterKey(file, 'the file'));
}
