import { redact } from '@bursar/terminal';

/** @bound One request to a payment provider, until its whole answer is there: then the request fails. */
const REQUEST_MS = 20_000;
/** @bound Bytes of an answer of a payment provider: with more, the request fails. */
const MAX_ANSWER_BYTES = 8 * 2 ** 20;
/** @bound Characters of what a payment provider says of an error: the rest is left out. */
const MAX_SAID = 300;

/** The provider could not be asked, or answered strangely, so nothing is known. The message has no secret, and is for people. */
export class ProviderFailedError extends Error {
	override readonly name = 'ProviderFailedError';
}

/**
 * Sends a request to a payment provider, and reads the whole answer. It follows no redirect. Throws `ProviderFailedError`
 * if no whole answer came; the provider may have done what was asked.
 */
export async function askProvider(url: string | URL, init: RequestInit, signal: AbortSignal): Promise<Response> {
	const late = AbortSignal.timeout(REQUEST_MS);
	const end = AbortSignal.any([signal, late, ...(init.signal ? [init.signal] : [])]);
	let answer: Response;
	let body: string;
	try {
		answer = await fetch(url, { ...init, redirect: 'manual', signal: end });
		body = await readBounded(answer);
	} catch (cause) {
		if (cause instanceof ProviderFailedError) throw cause;
		if (late.aborted) throw new ProviderFailedError(`no answer came within ${REQUEST_MS / 1_000} seconds`);
		if (end.aborted) throw new ProviderFailedError('the request was stopped');
		throw new ProviderFailedError(`the connection failed (${codeOf(cause)})`);
	}
	const { status, headers } = answer;
	if (status >= 300 && status < 400) {
		throw new ProviderFailedError(`the answer is a redirect (${status}), which is not followed`);
	}
	return new Response(body === '' ? null : body, { status, headers });
}

/** What a provider says of an error, for people: without these secrets, and not long. */
export function said(text: unknown, secrets: readonly string[]): string {
	return redact(String(text), secrets)
		.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
		.slice(0, MAX_SAID);
}

async function readBounded({ body }: Response): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body ?? []) {
		bytes += chunk.length;
		if (bytes > MAX_ANSWER_BYTES) throw new ProviderFailedError(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

/** The message of an error may have parts of what was sent, so only its code is shown. */
function codeOf(error: unknown): string {
	const { cause } = error as { readonly cause?: { readonly code?: string } };
	return cause?.code ?? 'unknown';
}
