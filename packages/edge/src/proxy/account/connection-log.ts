import { type ProxyOptions, writeProxyOptions } from '@bursar/contract/proxy-options';
import type { Logger } from 'pino';

/** A line of the log for each connection, so that the operator can answer complaints. It has no path, header or key. */
export interface ConnectionLog {
	/** The visit of an account to a destination has ended. */
	ended(visit: EndedVisit): void;
	/** A client was refused, and no account paid for it. At most 50 lines are written in a second. */
	refused(refusal: RefusedClient): void;
}

export interface EndedVisit {
	readonly account: string;
	readonly client: string;
	/** `HOST:PORT`, as the client named it. */
	readonly destination: string;
	/** What the client asked for behind its key, as it sent it, such as `country-US_session-a1`. It is no secret. */
	readonly options: string | undefined;
	/** The upstream through which it went, or was tried last: its position in the list, and its `HOST:PORT`. */
	readonly upstream: number | undefined;
	readonly upstreamAddress: string | undefined;
	/** The outgoing address. Absent if the system chose it. */
	readonly from?: string | undefined;
	/** The bytes that the account pays for. The lines of an account add up to what is reported for it. */
	readonly bytesUp: number;
	readonly bytesDown: number;
	readonly durationMs: number;
	readonly reason: EndReason;
}

interface RefusedClient {
	readonly client: string;
	readonly reason: string;
	/** As the client named them, if it has named them yet. */
	readonly account?: string | undefined;
	readonly destination?: string;
}

/**
 * `closed`: in the usual way, after requests without a tunnel. `closed_by_client` and `closed_by_destination`: a tunnel.
 * `next_destination`: the connection goes on with another destination, account or outgoing address. `pair_refused`: it was cut, because its
 * pair is not good any more. `exhausted`, `suspended`, `expired`, `address_not_allowed`, `limit_reached`,
 * `connection_limit_reached`: it was cut for this reason. `bad_gateway` and `gateway_timeout`: the destination could not be reached.
 */
export type EndReason =
	| 'closed'
	| 'closed_by_client'
	| 'closed_by_destination'
	| 'next_destination'
	| 'idle'
	| 'pair_refused'
	| 'exhausted'
	| 'suspended'
	| 'expired'
	| 'address_not_allowed'
	| 'limit_reached'
	| 'connection_limit_reached'
	| 'stopping'
	| 'refused_destination'
	| 'denied_destination'
	| 'closed_port'
	| 'unresolvable'
	| 'no_outgoing_address'
	| 'bad_gateway'
	| 'gateway_timeout'
	| 'refused';

/** @bound Lines about refused clients in a second: the next line says how many were left out. */
const MAX_REFUSALS = 50;
const SECOND_MS = 1_000;

export function createConnectionLog(logger: Logger, nowMs: () => number = () => performance.now()): ConnectionLog {
	// The search for secrets takes a tenth of the processor time of a tunnel. By their type, these lines hold none.
	const lines = logger.child({}, { redact: [] });
	let secondBeganAtMs = Number.NEGATIVE_INFINITY;
	let refusals = 0;
	let leftOut = 0;

	return {
		ended: (visit) => lines.info(visit, 'connection'),
		refused(refusal) {
			if (nowMs() - secondBeganAtMs >= SECOND_MS) {
				secondBeganAtMs = nowMs();
				refusals = 0;
			}
			if (refusals++ >= MAX_REFUSALS) return void leftOut++;
			lines.info({ ...refusal, ...(leftOut > 0 && { leftOut }) }, 'refused');
			leftOut = 0;
		},
	};
}

/** The log if the operator wants none. */
export const NO_CONNECTION_LOG: ConnectionLog = { ended() {}, refused() {} };

/** The name that a refused client gave, unless it looks like a key: some people confuse the two. */
export function claimedName(name: string): string | undefined {
	if (!NAME.test(name) || (KEY.test(name) && /[A-Z]/.test(name))) return undefined;
	return name;
}

const NAME = /^[0-9A-Za-z._]{4,32}$/;
const KEY = /^[0-9A-Za-z]{16}(?:_|$)/;

/** Options as the log has them. Clients that sign in over HTTP can send some 1,500 characters. */
export function optionsText(options: ProxyOptions | undefined): string | undefined {
	return options && options.size > 0 ? writeProxyOptions(options).slice(0, MAX_OPTIONS_LENGTH) : undefined;
}

/** @bound Characters of the options of a client in a line of the log: the rest is left out. */
const MAX_OPTIONS_LENGTH = 256;

/** `HOST:PORT`, of a bounded length. */
export function destinationName(host: string, port: number): string {
	return `${host.slice(0, MAX_HOST_LENGTH)}:${port}`;
}

const MAX_HOST_LENGTH = 253;
