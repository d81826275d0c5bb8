import type { IncomingMessage } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { type PrepareRequestFunction, type PrepareRequestFunctionResult, RequestError } from 'proxy-chain';
import type { PairChecker } from '../agent/pair-checker.ts';
import type { AccountCounters } from './account-counters.ts';
import { clientAddress } from './client-address.ts';
import type { ClientConnection } from './client-connection.ts';
import { type ConnectionLog, claimedName, destinationName } from './connection-log.ts';
import type { Address, DestinationPolicy } from './destinations.ts';

const CHUNKED_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

type Way = Pick<PrepareRequestFunctionResult, 'upstreamProxyUrl' | 'dnsLookup' | 'httpAgent' | 'httpsAgent'>;

export interface PreparationParts {
	readonly connections: ReadonlyMap<Socket, ClientConnection>;
	readonly checker: Pick<PairChecker, 'check'>;
	readonly accounts: Pick<AccountCounters, 'open'>;
	readonly policy: DestinationPolicy;
	readonly upstream: URL | undefined;
	readonly log: Pick<ConnectionLog, 'refused'>;
}

/** What proxy-chain calls before each request: checks the pair, then the destination. */
export function createRequestPreparation(parts: PreparationParts): PrepareRequestFunction {
	const { connections, checker, accounts, policy, upstream, log } = parts;

	/** The parts of the result that say where the request goes, and which agent keeps its connection. */
	async function wayOf(connection: ClientConnection, host: string, port: number, isTunnel: boolean): Promise<Way> {
		const refuse = (reason: 'closed_port' | 'refused_destination' | 'unresolvable') => {
			connection.endsBecause(reason);
			return refusal(reason);
		};
		if (!policy.isOpenPort(port)) throw refuse('closed_port');
		if (upstream) {
			if (!policy.mayAskUpstream(host, port)) throw refuse('refused_destination');
			const { protocol, href } = upstream;
			if (protocol === 'https:') return { upstreamProxyUrl: href, httpsAgent: connection.httpsAgent };
			return { upstreamProxyUrl: href, httpAgent: connection.httpAgent };
		}
		const addresses = await policy.resolve(host, port);
		if (addresses === 'refused') throw refuse('refused_destination');
		if (addresses === 'unresolvable') throw refuse('unresolvable');
		const dnsLookup = pinned(addresses) as NonNullable<Way['dnsLookup']>;
		return isTunnel ? { dnsLookup } : { dnsLookup, httpAgent: connection.httpAgent };
	}

	return async ({ request, username, password, hostname, port }) => {
		const { socket } = request;
		const connection = connections.get(socket);
		if (!connection) throw gone();
		if (!hasReadableCredentials(request.url))
			throw new RequestError('The URL has a user or password with a broken escape.', 400);
		if (upstream && !hasPlainTarget(request))
			throw new RequestError('The target must be a plain host and port, or a URL with one.', 400);
		if (hasUnframedBody(request)) throw new RequestError('A body of this method must be sent with its length.', 411);
		if (username === '') return { requestAuthentication: true };
		const client = clientAddress(socket);
		const destination = destinationName(hostname, port);
		const { pair, refused } = await checker.check({ username, password, client });
		// Nothing must be opened for a client that is gone.
		if (socket.destroyed) throw gone();
		if (!pair) {
			log.refused({ client, reason: refused, account: claimedName(username), destination });
			throw refusal(refused);
		}
		const result = connection.accept(pair, accounts.open);
		if (result !== 'accepted') {
			log.refused({ client, reason: result, account: pair.username, destination });
			throw refusal(result);
		}
		connection.visit(destination);
		const way = await wayOf(connection, hostname, port, request.method === 'CONNECT');
		if (socket.destroyed) throw gone();
		return way;
	};
}

/** Node decodes the user and the password of a URL, and throws where nobody answers the client. */
function hasReadableCredentials(url = ''): boolean {
	if (!URL.canParse(url)) return true;
	const { username, password } = new URL(url);
	try {
		decodeURIComponent(username + password);
		return true;
	} catch {
		return false;
	}
}

/**
 * An upstream gets the target as it was sent. Some read a host where we read a path or a query, and would go to a
 * destination that was not checked.
 */
function hasPlainTarget({ method, url = '' }: IncomingMessage): boolean {
	const pattern = method === 'CONNECT' ? /^[^@/?#\\]+:\d+$/ : /^[a-z]+:\/\/[^/?#\\]+(?:\/|$)/i;
	return pattern.test(url);
}

/** Node would pass on chunks of these methods without their framing: the origin would read the body as a request. */
function hasUnframedBody({ method = '', headers }: IncomingMessage): boolean {
	return headers['transfer-encoding'] !== undefined && !CHUNKED_METHODS.has(method);
}

/** Answers with the addresses that were checked, whatever the name. */
function pinned(addresses: readonly Address[]): LookupFunction {
	return (_name, options, callback) => {
		if (options.all) return callback(null, [...addresses]);
		const [first] = addresses;
		callback(null, first?.address ?? '', first?.family);
	};
}

/** The status and the text of each refusal, and after how many seconds it is worth a try. */
const REFUSALS = {
	wrong_pair: [407, 'The username or the password is wrong.'],
	throttled: [429, 'Too many wrong passwords came from this address.', 10],
	unavailable: [503, 'The password cannot be checked now.', 2],
	exhausted: [402, 'Nothing is left of the balance of this account.'],
	suspended: [403, 'This account is suspended.'],
	expired: [403, 'This account has expired.'],
	address_not_allowed: [403, 'This account cannot be used from this address.'],
	limit_reached: [429, 'This account has reached a limit of its bytes or of its connections.', 2],
	no_room: [503, 'This proxy serves too many accounts.', 60],
	too_many_of_account: [429, 'This account has too many connections.', 2],
	mixed: [400, 'Requests of two accounts overlap on one connection.'],
	too_many_of_client: [429, 'This address has too many connections.', 2],
	refused_destination: [403, 'This destination is not served here.'],
	closed_port: [403, 'This port is not served here.'],
	unresolvable: [502, 'The host name has no address.'],
} as const;

/** A refusal with its reason, which programs read. */
export function refusal(reason: keyof typeof REFUSALS): RequestError {
	const [status, text, seconds]: readonly [number, string, number?] = REFUSALS[reason];
	return new RequestError(text, status, {
		'X-Bursar-Reason': reason,
		...(seconds !== undefined && { 'Retry-After': String(seconds) }),
	});
}

/** The answer reaches nobody. */
function gone(): RequestError {
	return new RequestError('The connection is closed.', 400);
}
