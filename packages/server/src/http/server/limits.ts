import { MAX_BODY_BYTES, MAX_HEADER_BYTES } from '@bursar/contract';

/** The limits of a listener. Times are in milliseconds. */
export interface ListenerLimits {
	/** From the first byte of a request until all of it has arrived. */
	readonly requestMs: number;
	/** From the first byte of a request until its headers have arrived. */
	readonly headersMs: number;
	/** How often `requestMs` and `headersMs` are checked. */
	readonly checkMs: number;
	/** A connection stays open this long between requests. */
	readonly keepAliveMs: number;
	/** A connection on which nothing moves for this long, in either direction, is closed. */
	readonly stalledMs: number;
	readonly headerBytes: number;
	/** A header line takes many times its bytes in memory. */
	readonly headerLines: number;
	readonly bodyBytes: number;
	readonly connections: number;
}

/** The limits of one request. */
export type RequestTimeouts = Pick<ListenerLimits, 'requestMs' | 'headersMs' | 'checkMs'>;

/** The default limits of a listener. */
export const COMMON_LIMITS: ListenerLimits = {
	/** @bound A request arrives: then it is answered 408. */
	requestMs: 30_000,
	/** @bound The headers of a request arrive: then it is answered 408. */
	headersMs: 15_000,
	checkMs: 5_000,
	// Longer than the idle time of common load balancers, so that they close first.
	/** @bound A connection without a request: then it is closed. */
	keepAliveMs: 72_000,
	/** @bound Nothing moves on a connection: then it is closed, 4 s later at most. */
	stalledMs: 120_000,
	headerBytes: MAX_HEADER_BYTES,
	/** @bound Header lines of a request: more are answered 431. */
	headerLines: 100,
	bodyBytes: MAX_BODY_BYTES,
	/**
	 * @bound Connections of a listener: further ones are refused. If the process may open few files, each listener has
	 * a share of the rest.
	 */
	connections: 8_192,
};
