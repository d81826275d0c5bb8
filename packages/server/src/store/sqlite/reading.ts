import { StoreUnavailableError } from '../store.ts';
import { isMachineFault } from './transaction.ts';

/** What makes an `AccountRow`. */
export const ACCOUNT_COLUMNS =
	'reseller, username, balance_cents AS balanceCents, sealed_auth_key AS sealedAuthKey, created_at_ms AS createdAtMs';

/** A short query on the calling thread. It is asynchronous, because other engines are. */
export function reading<Args extends readonly unknown[], Result>(read: (...args: Args) => Result) {
	const honest = orUnavailable(read);
	return async (...args: Args): Promise<Result> => honest(...args);
}

/** A failing read did nothing: whoever asked may be told so. */
export function orUnavailable<Args extends readonly unknown[], Result>(read: (...args: Args) => Result) {
	return (...args: Args): Result => {
		try {
			return read(...args);
		} catch (cause) {
			if (isMachineFault(cause)) throw new StoreUnavailableError('the database cannot be read', { cause });
			throw cause;
		}
	};
}
