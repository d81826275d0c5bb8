import { StoreUnavailableError } from '../../store.ts';
import { isMachineFault } from '../writing/transaction.ts';

/** Runs a short query on the calling thread. It is asynchronous because other engines are. */
export function reading<Args extends readonly unknown[], Result>(read: (...args: Args) => Result) {
	const readOrThrow = orUnavailable(read);
	return async (...args: Args): Promise<Result> => readOrThrow(...args);
}

/** Turns failures of the machine into `StoreUnavailableError`: a read that failed did nothing. */
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
