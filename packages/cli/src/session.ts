import { Bursar, type BursarOptions, type ClientEvent, type Patience } from '@bursar/client';
import { UsageError } from '@bursar/terminal';
import type { GlobalOptions } from './global-options.ts';
import { type Interrupts, watchInterrupts } from './interrupts.ts';
import { warn } from './output/tell.ts';
import { accessOf } from './profiles/access.ts';

/** What a command works with. */
export interface Session {
	readonly client: Bursar;
	/** Base address of the service, without a slash at its end. */
	readonly url: string;
	readonly interrupts: Interrupts;
	readonly patience: CallPatience;
}

/** How long a request and a call may take. A journal tells by it when the last request of a line has expired. */
export type CallPatience = Required<Pick<Patience, 'timeoutMs' | 'totalTimeoutMs'>>;

const REQUEST_TIMEOUT_MS = 10_000;
/** For a command, or a line of a file, without `--timeout`. */
const DEFAULT_TIMEOUT_SECONDS = 60;

/** Throws a `UsageError` if an option or the environment is wrong. Sends nothing. */
export function openSession(options: GlobalOptions): Session {
	const { url: baseUrl, token } = accessOf(options);
	const { insecureHttp: allowInsecureHttp = false, timeout = DEFAULT_TIMEOUT_SECONDS } = options;
	const patience: CallPatience = { timeoutMs: REQUEST_TIMEOUT_MS, totalTimeoutMs: timeout * 1000 };
	const onEvent = tellOfWaiting(timeout, options.json);
	const client = openClient({ baseUrl, token, allowInsecureHttp, ...patience, onEvent });
	const url = new URL(baseUrl).href.replace(/\/+$/, '');
	return { client, url, interrupts: watchInterrupts(), patience };
}

/** Says once why a command takes long: otherwise it could be silent for a minute. */
function tellOfWaiting(seconds: number, json: GlobalOptions['json']): (event: ClientEvent) => void {
	let failure: string | undefined;
	let isTold = false;
	return (event) => {
		if (event.kind === 'failure') failure = event.message;
		if (event.kind !== 'wait' || failure === undefined || isTold) return;
		isTold = true;
		warn('trying_again', `${failure}: trying again for up to ${seconds} seconds`, json);
	};
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
