import { decideTry, type TryLimit } from '../../domain/people/tries.ts';
import { keepNewest } from './keep-newest.ts';

/** @bound Counts of failed checks, or of hints that were not signed, in each process: the oldest are forgotten. */
const MAX_COUNTS = 100_000;

/** What a failure counts for, such as an address, and how many failures that may have. */
export interface FailureCount {
	readonly key: string;
	readonly limit: TryLimit;
}

/** Counts failures, each for several things. In memory only: they cost time, and guessing is hopeless anyway. */
export interface FailedTries {
	/** Whether one of them has used up its failures. */
	isBlocked(counts: readonly FailureCount[]): boolean;
	/** Counts a failure. Returns `false`, and counts nothing, if one of them has used up its failures. */
	count(counts: readonly FailureCount[]): boolean;
}

export function createFailedTries({ maxCounts = MAX_COUNTS, monotonicMs = () => performance.now() } = {}): FailedTries {
	/** When the failures of each will be forgiven. */
	const failures = new Map<string, number>();

	function decide(counts: readonly FailureCount[]) {
		return counts.map(({ key, limit }) => {
			const forgivenAtMs = failures.get(key);
			return decideTry(forgivenAtMs === undefined ? undefined : { forgivenAtMs }, limit, monotonicMs());
		});
	}

	return {
		isBlocked(counts) {
			const known = counts.filter(({ key }) => failures.has(key));
			return decide(known).some(({ allowed }) => !allowed);
		},
		count(counts) {
			const decisions = decide(counts);
			if (!decisions.every((decision) => decision.allowed)) return false;
			for (const [index, { forgivenAtMs }] of decisions.entries()) {
				keepNewest(failures, (counts[index] as FailureCount).key, forgivenAtMs, maxCounts);
			}
			return true;
		},
	};
}
