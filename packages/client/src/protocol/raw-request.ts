import { ERROR_CODE_HEADER, REQUEST_ID_HEADER } from '@bursar/contract/errors';
import { ConnectionError, UnavailableError, UnexpectedAnswerError } from '../errors.ts';
import type { ChangeOptions, Settings } from '../options.ts';
import { readPatience } from '../read-options.ts';
import { readBoundedText } from './bounded-text.ts';
import { describe, requestInit } from './exchange.ts';
import { isCertificateRefusal, neverSent } from './never-sent.ts';

/** @bound The answer to a raw request: reading stops, and the call fails. Half a million sub-users in one list are smaller. */
const MOST_RAW_BYTES = 64 * 1024 ** 2;

export interface RawRequest {
	readonly method: string;
	/** From the base address on: `/reseller/my_info`, for example. */
	readonly path: string;
	/** Sent as JSON, if it is given. */
	readonly body?: unknown;
}

/** The answer to a raw request, whatever it says. */
export interface RawAnswer {
	readonly status: number;
	/** The body as it came. It may hold proxy auth keys. */
	readonly text: string;
	/** `X-Error-Code` of a failure. */
	readonly code: string | undefined;
	readonly requestId: string | undefined;
}

/** See `Bursar.rawRequest`. */
export async function sendRaw(
	settings: Settings,
	{ method, path, body }: RawRequest,
	options: ChangeOptions,
): Promise<RawAnswer> {
	if (!/^\/(?!\/)[\x21-\x7e]*$/.test(path)) throw new TypeError('path must begin with one slash');
	const { fetch, baseUrl } = settings;
	const limit = AbortSignal.timeout(readPatience(options, settings).timeoutMs);
	const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
	const { changeId } = options;
	const marks = changeId === undefined ? undefined : { changeId };
	const text = body === undefined ? undefined : JSON.stringify(body);
	let response: Response;
	let answer: string | undefined;
	try {
		response = await fetch(baseUrl + path, requestInit(settings, method, text, marks, signal));
		answer = await readBoundedText(response, MOST_RAW_BYTES);
	} catch (error) {
		options.signal?.throwIfAborted();
		const NotDone = neverSent(error) || isCertificateRefusal(error) ? UnavailableError : ConnectionError;
		throw new NotDone(describe(error, settings.token));
	}
	const { status, headers } = response;
	if (answer === undefined) throw new UnexpectedAnswerError('the answer is larger than 64 MiB', { status });
	return {
		status,
		text: answer,
		code: headers.get(ERROR_CODE_HEADER) ?? undefined,
		requestId: headers.get(REQUEST_ID_HEADER) ?? undefined,
	};
}
