import { StoreUnavailableError } from '../../store/store.ts';
import type { ListenerFailure } from './answers.ts';

/**
 * The failure that a thrown error is answered with. Of what Fastify refuses by itself, only a path that
 * cannot be decoded is left to it; whatever nobody foresaw is a bug of ours.
 */
export function failureOf(error: unknown): ListenerFailure {
	if (error instanceof StoreUnavailableError) return 'unavailable';
	const { code, statusCode } = error as { readonly code?: string; readonly statusCode?: number };
	if (code === CLIENT_GONE || code === STREAM_UNREAD) return 'bad_request';
	if (code?.startsWith('FST_ERR_') && statusCode === 400) return 'bad_request';
	return 'internal_error';
}

/** The code of the error when a client goes away in the middle of its request: nobody will read the answer. */
export const CLIENT_GONE = 'ECONNRESET';
/** The code of the error when a client has gone away before its streamed answer began. */
const STREAM_UNREAD = 'ERR_STREAM_PREMATURE_CLOSE';
