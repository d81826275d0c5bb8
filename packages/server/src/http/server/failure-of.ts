import { StoreUnavailableError } from '../../store/reading.ts';
import type { ListenerFailure } from './answers.ts';

/**
 * The failure with which a thrown error is answered. The only refusal that comes from Fastify itself is of a path that
 * cannot be decoded. Any other error is a bug of ours.
 */
export function failureOf(error: unknown): ListenerFailure {
	if (error instanceof StoreUnavailableError) return 'unavailable';
	const { code, statusCode } = error as { readonly code?: string; readonly statusCode?: number };
	if (code === CLIENT_GONE || code === STREAM_UNREAD) return 'bad_request';
	if (code?.startsWith('FST_ERR_') && statusCode === 400) return 'bad_request';
	return 'internal_error';
}

/** The code of the error when a client goes away in the middle of its request. */
export const CLIENT_GONE = 'ECONNRESET';
/** The code of the error when a client goes away before its streamed answer begins. */
const STREAM_UNREAD = 'ERR_STREAM_PREMATURE_CLOSE';
