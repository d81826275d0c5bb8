import { StoreUnavailableError } from '../../../store/reading.ts';
import type { Reply } from './call.ts';

/**
 * Reads for the answer of a change that is done. If the store cannot be read, the page must look again: `unavailable`
 * would say that nothing was done.
 */
export async function readAfterChange<Result>(read: () => Promise<Reply<Result>>): Promise<Reply<Result>> {
	try {
		return await read();
	} catch (cause) {
		if (cause instanceof StoreUnavailableError) return { refused: 'outcome_unknown' };
		throw cause;
	}
}
