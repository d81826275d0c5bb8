import { type ProxyOptions, readProxyPassword } from '@bursar/contract/proxy-options';
import type { DestinationPolicy } from '@bursar/terminal/network';
import type { PairChecker, PairVerdict } from '../agent/pair-checker.ts';
import type { RefusalReporter } from '../agent/refusal-reporter.ts';
import type { AccountCounters } from './account/account-counters.ts';
import { type ConnectionLog, claimedName, destinationName } from './account/connection-log.ts';
import type { ClientConnection } from './client/client-connection.ts';
import type { RefusalReason } from './refusals.ts';
import type { Authority } from './target/authority.ts';
import type { Destination } from './target/dial.ts';
import type { Exit, Upstreams } from './upstream/exit.ts';

/** How a request goes to its destination: directly, or through an exit, which resolves names itself. */
export type Way =
	| { readonly kind: 'direct'; readonly to: Destination }
	| { readonly kind: 'exit'; readonly exit: Exit; readonly to: Pick<Destination, 'host' | 'port'> };

/** Decides about each request: first about the pair, then about the destination. */
export interface Router {
	/**
	 * Checks the pair, or without one, the address of the client. If it is good, its account pays for the connection from now on,
	 * and the result is `undefined`. It is also `undefined` if the client is gone. `no_pair`: no account signs in by this address.
	 * `destination` is for the log.
	 */
	signIn(
		connection: ClientConnection,
		pair: ProxyPair | undefined,
		destination?: string,
	): Promise<RefusalReason | 'no_pair' | undefined>;
	/** The way to a destination, for the account that has signed in. */
	wayTo(connection: ClientConnection, password: string, to: Authority): Promise<Way | NoWay>;
}

/** Why a destination is not served. */
type NoWay = 'invalid_options' | 'closed_port' | 'refused_destination' | 'unresolvable';

export interface ProxyPair {
	readonly username: string;
	/** As the client sent it, with its options. */
	readonly password: string;
}

export interface RouterParts {
	readonly checker: Pick<PairChecker, 'check' | 'checkAddress'>;
	/** Whether an account may sign in by this address: it is neither this machine nor a load balancer. */
	readonly isOfClients: (address: string) => boolean;
	readonly accounts: Pick<AccountCounters, 'open'>;
	readonly policy: DestinationPolicy;
	readonly upstreams: Upstreams | undefined;
	readonly passesUnknownOptions: boolean;
	readonly log: Pick<ConnectionLog, 'refused'>;
	readonly refusals: Pick<RefusalReporter, 'add'>;
}

export function createRouter(parts: RouterParts): Router {
	const { checker, isOfClients, accounts, policy, upstreams, passesUnknownOptions, log, refusals } = parts;
	/** The exit of each connection, for the last password on it. */
	const chosen = new WeakMap<ClientConnection, { readonly password: string; readonly exit: Exit }>();

	function exitOf(connection: ClientConnection, password: string, options: ProxyOptions): Exit | 'invalid_options' {
		const known = chosen.get(connection);
		if (known?.password === password && known.exit.isUp) return known.exit;
		const exit = upstreams?.choose(connection.counter?.username ?? '', options) ?? 'invalid_options';
		if (exit !== 'invalid_options') chosen.set(connection, { password, exit });
		return exit;
	}

	async function find(connection: ClientConnection, password: string, { host, port }: Authority): Promise<Way | NoWay> {
		const { options } = readProxyPassword(password);
		if (!options || (!upstreams && options.size > 0 && !passesUnknownOptions)) return 'invalid_options';
		if (!policy.isOpenPort(port)) return 'closed_port';
		if (upstreams) {
			if (!policy.mayAskUpstream(host, port)) return 'refused_destination';
			const exit = exitOf(connection, password, options);
			return exit === 'invalid_options' ? exit : { kind: 'exit', exit, to: { host, port } };
		}
		const addresses = await policy.resolve(host, port);
		if (addresses === 'refused') return 'refused_destination';
		return addresses === 'unresolvable' ? addresses : { kind: 'direct', to: { host, port, addresses } };
	}

	async function checkAddress(client: string): Promise<PairVerdict | undefined> {
		return isOfClients(client) ? checker.checkAddress(client) : undefined;
	}

	return {
		async signIn(connection, pair, destination) {
			const { client, socket } = connection;
			const verdict = pair ? await checker.check({ ...pair, client }) : await checkAddress(client);
			if (socket.destroyed) return undefined;
			if (!verdict) return 'no_pair';
			const { pair: good, refused } = verdict;
			const result = good ? connection.accept(good, accounts.open) : refused;
			if (result === 'accepted') return undefined;
			const name = good?.username ?? verdict.username ?? pair?.username ?? '';
			const account = good ? name : claimedName(name);
			log.refused({ client, reason: result, account, ...(destination !== undefined && { destination }) });
			refusals.add({ username: name, reason: result, client });
			connection.endsBecause('refused');
			return result;
		},
		async wayTo(connection, password, to) {
			connection.visit(destinationName(to.host, to.port));
			const way = await find(connection, password, to);
			if (typeof way !== 'string') return way;
			connection.endsBecause(way === 'invalid_options' ? 'refused' : way);
			// A name without an address is no refusal.
			if (way !== 'unresolvable')
				refusals.add({ username: connection.counter?.username ?? '', reason: way, client: connection.client });
			return way;
		},
	};
}
