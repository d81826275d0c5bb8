import { Bursar, type BursarOptions } from '@bursar/client';
import { UsageError } from '@bursar/terminal';
import type { GlobalOptions } from './global-options.ts';
import { type Interrupts, watchInterrupts } from './interrupts.ts';
import { accessOf } from './profiles/access.ts';

/** What a command works with. */
export interface Session {
	readonly client: Bursar;
	/** Base address of the service, without a slash at its end. */
	readonly url: string;
	readonly interrupts: Interrupts;
}

/** Throws a `UsageError` if an option or the environment is wrong. Sends nothing. */
export function openSession(options: GlobalOptions): Session {
	const { url: baseUrl, token } = accessOf(options);
	const client = openClient({
		baseUrl,
		token,
		allowInsecureHttp: options.insecureHttp ?? false,
		...(options.timeout !== undefined && { totalTimeoutMs: options.timeout * 1000 }),
	});
	const url = new URL(baseUrl).href.replace(/\/+$/, '');
	return { client, url, interrupts: watchInterrupts() };
}

/** Throws a `UsageError` if the address or the token cannot be one. */
export function openClient(options: BursarOptions): Bursar {
	try {
		return new Bursar(options);
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		// The client's message names its own option.
		const message = error.message.replace(/^baseUrl/, 'the address of the service').replace(/^token/, 'the token');
		throw new UsageError(/plain http/.test(message) ? `${message} (--insecure-http allows it)` : message);
	}
}
