import type { ErrorCode } from '@bursar/contract';
import { StoreUnavailableError } from '../store/store.ts';

/** The failure that a thrown error is answered with. Whatever nobody foresaw is a bug of ours. */
export function failureCodeOf(error: unknown): ErrorCode {
	if (error instanceof StoreUnavailableError) return 'unavailable';
	const { code, statusCode } = error as { code?: string; statusCode?: number };
	if (!code?.startsWith('FST_ERR_') && code !== 'ECONNRESET') return 'internal_error';
	switch (statusCode) {
		case 404:
			return 'not_found';
		case 413:
			return 'payload_too_large';
		case 415:
			return 'unsupported_media_type';
		case 400:
		case 414:
			return 'bad_request';
		default:
			return code === 'ECONNRESET' ? 'bad_request' : 'internal_error';
	}
}
