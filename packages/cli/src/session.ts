import { BursarClient } from '@bursar/client';
import { UsageError } from '@bursar/terminal';
import type { GlobalOptions } from './global-options.ts';
import { type Interrupts, watchInterrupts } from './interrupts.ts';
import { accessOf } from './profiles/access.ts';

const DEFAULT_SETTLE_SECONDS = 120;
/** Time for the requests of an earlier run to expire, and to ask the service for the time. */
const SETTLE_LEEWAY_MS = 60_000;

/** What a command works with. */
export interface Session {
	readonly client: BursarClient;
	/** Base address of the service, without a slash at its end. */
	readonly url: string;
	/** The longest time until no request of an earlier run can take effect any more. */
	readonly settleLimitMs: number;
	readonly isSoleWriter: boolean;
	readonly interrupts: Interrupts;
}

/** Throws a `UsageError` if an option or the environment is wrong. Sends nothing. */
export function openSession(options: GlobalOptions): Session {
	const { soleWriter: isSoleWriter = false } = options;
	const { url: baseUrl, token } = accessOf(options);
	const settleMs = (options.settle ?? DEFAULT_SETTLE_SECONDS) * 1000;
	const client = openClient({
		baseUrl,
		token,
		settleMs,
		soleWriter: isSoleWriter,
		allowInsecureHttp: options.insecureHttp ?? false,
		...(options.maxList !== undefined && { maxListBytes: options.maxList * 1024 ** 2 }),
		...(options.timeout !== undefined && { totalTimeoutMs: options.timeout * 1000 }),
	});
	const url = new URL(baseUrl).href.replace(/\/+$/, '');
	return { client, url, settleLimitMs: settleMs + SETTLE_LEEWAY_MS, isSoleWriter, interrupts: watchInterrupts() };
}

/** Waits until no request of an earlier run can take effect any more. */
export function awaitSettled({
	client,
	settleLimitMs,
	interrupts,
}: Pick<Session, 'client' | 'settleLimitMs' | 'interrupts'>): Promise<void> {
	return client.awaitSettled({ totalTimeoutMs: settleLimitMs, signal: interrupts.stop });
}

/** Throws a `UsageError` if the address or the token cannot be one. */
export function openClient(options: ConstructorParameters<typeof BursarClient>[0]): BursarClient {
	try {
		return new BursarClient(options);
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		// The client's message names its own option.
		const message = error.message.replace(/^baseUrl/, 'the address of the service').replace(/^token/, 'the token');
		throw new UsageError(/plain http/.test(message) ? `${message} (--insecure-http allows it)` : message);
	}
}
