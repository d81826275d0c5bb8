import { type ProxyOptions, readProxyPassword } from '@bursar/contract/proxy-options';
import type { DestinationPolicy } from '@bursar/terminal/network';
import type { PairChecker, PairVerdict } from '../agent/pair-checker.ts';
import type { RefusalReporter } from '../agent/refusal-reporter.ts';
import type { AccountCounters } from './account/account-counters.ts';
import { type ConnectionLog, claimedName, destinationName, optionsText } from './account/connection-log.ts';
import type { ClientConnection } from './client/client-connection.ts';
import type { DeniedDestinations } from './denied/denied.ts';
import type { OutgoingAddresses, OutgoingChoice } from './from/outgoing.ts';
import type { NoWay, RefusalReason } from './refusals.ts';
import type { Authority } from './target/authority.ts';
import type { Destination } from './target/dial.ts';
import type { Exit, Upstreams } from './upstream/exit.ts';
import type { ExitWay } from './upstream/tries.ts';

/** How a request goes to its destination: directly, or through an exit, which resolves names itself. */
export type Way =
	| { readonly kind: 'direct'; readonly to: Destination; readonly from?: OutgoingChoice | undefined }
	| ExitWay;

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
	/** How many requests have found no way, by the reason. */
	readonly noWay: Readonly<Record<NoWay, number>>;
}

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
	/** Without it, the system chooses. */
	readonly outgoing: OutgoingAddresses | undefined;
	readonly denied: DeniedDestinations | undefined;
	readonly passesUnknownOptions: boolean;
	readonly log: Pick<ConnectionLog, 'refused'>;
	readonly refusals: Pick<RefusalReporter, 'add'>;
}

export function createRouter(parts: RouterParts): Router {
	const { checker, isOfClients, accounts, policy, upstreams } = parts;
	const { outgoing, denied, passesUnknownOptions, log, refusals } = parts;
	const noWay: Record<NoWay, number> = {
		invalid_options: 0,
		closed_port: 0,
		denied_destination: 0,
		refused_destination: 0,
		unresolvable: 0,
		no_outgoing_address: 0,
	};
	/** The exit of each connection, for the last password on it. */
	const chosen = new WeakMap<ClientConnection, { readonly password: string; readonly exit: Exit }>();

	function exitOf(connection: ClientConnection, password: string, options: ProxyOptions): Exit | 'invalid_options' {
		const known = chosen.get(connection);
		if (known?.password === password && known.exit.isCurrent) return known.exit;
		return upstreams?.choose(connection.counter?.username ?? '', options) ?? 'invalid_options';
	}

	function wayThrough(connection: ClientConnection, password: string, exit: Exit, to: ExitWay['to']): ExitWay {
		const movedTo = (exit: Exit) => {
			chosen.set(connection, { password, exit });
			connection.goesThrough(exit);
		};
		movedTo(exit);
		return { kind: 'exit', exit, to, movedTo };
	}

	async function find(connection: ClientConnection, password: string, to: Authority): Promise<Way | NoWay> {
		const { host, port } = to;
		const { options } = readProxyPassword(password);
		connection.visit(destinationName(host, port), optionsText(options));
		if (!options || !areTaken(options)) return 'invalid_options';
		const from = outgoing?.choose(connection.counter?.username ?? '', options);
		if (from === 'invalid_options') return from;
		if (!policy.isOpenPort(port)) return 'closed_port';
		const isDenied = denied?.of(connection.pair?.reseller);
		if (isDenied?.(host, port)) return 'denied_destination';
		if (upstreams) {
			if (!policy.mayAskUpstream(host, port)) return 'refused_destination';
			const exit = exitOf(connection, password, options);
			if (exit === 'invalid_options') return exit;
			return wayThrough(connection, password, exit, { host, port });
		}
		const found = await policy.resolve(host, port);
		if (found === 'refused') return 'refused_destination';
		if (found === 'unresolvable') return found;
		const addresses = isDenied ? found.filter(({ address }) => !isDenied(address, port)) : found;
		if (addresses.length === 0) return 'denied_destination';
		if (from && !addresses.some(({ family }) => from.has(family))) return 'no_outgoing_address';
		return { kind: 'direct', to: { host, port, addresses }, from };
	}

	/** Upstreams decide about options themselves. */
	function areTaken(options: ProxyOptions): boolean {
		if (upstreams || passesUnknownOptions || options.size === 0) return true;
		return options.keys().every((name) => outgoing?.takes(name, options) ?? false);
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
			const way = await find(connection, password, to);
			if (typeof way !== 'string') return way;
			noWay[way]++;
			connection.endsBecause(way === 'invalid_options' ? 'refused' : way);
			// A destination without an address that can be reached is no refusal.
			if (way !== 'unresolvable' && way !== 'no_outgoing_address')
				refusals.add({ username: connection.counter?.username ?? '', reason: way, client: connection.client });
			return way;
		},
		noWay,
	};
}
