import { OPERATORS, quickReads, type ReadLanes } from '../../reading.ts';

/** What is known of verifications of the ledger. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface VerificationReads {
	/** The verification of the ledger that was begun last, and the last one that ended. */
	findVerifications(): Promise<{ readonly newest?: StoredVerification; readonly ended?: StoredVerification }>;
}

/** The verification itself. */
export interface LedgerReads {
	/**
	 * Recomputes every balance from the ledger, and checks whose people are, in one snapshot. Changes nothing. Neither
	 * writers nor other reads wait for it. `onProgress` is called when a step begins, and at the end.
	 */
	verifyLedger(onProgress?: (done: number, steps: number) => void): Promise<LedgerVerification>;
}

export interface LedgerVerification {
	readonly accounts: number;
	readonly transfers: number;
	readonly problems: readonly LedgerProblem[];
}

/** An account, a reseller or a person that breaks a rule of the ledger. */
export interface LedgerProblem {
	/** A username, the e-mail address of a person, or the id of a person that does not exist. */
	readonly name: string;
	readonly problem: string;
}

export interface StoredVerification {
	readonly id: string;
	/** The e-mail address of an operator, or `operator` for the command line. */
	readonly by: string;
	readonly startedAtMs: number;
	/** When its progress was last recorded. */
	readonly notedAtMs: number;
	readonly endedAtMs: number | null;
	readonly done: number;
	readonly steps: number;
	/** JSON of the contract's `LedgerVerification['result']`; `null` if it was not finished. */
	readonly result: string | null;
}

export function verificationReads(lanes: ReadLanes): VerificationReads {
	const read = quickReads(lanes);

	return {
		async findVerifications() {
			const [newest] = await read<StoredVerification>(OPERATORS, verification(''), []);
			const [ended] = await read<StoredVerification>(OPERATORS, verification('WHERE ended_at_ms IS NOT NULL'), []);
			return { ...(newest && { newest }), ...(ended && { ended }) };
		},
	};
}

/** Two that were begun at once differ by their ids. */
function verification(condition: string): string {
	return `SELECT id, started_by AS by, started_at_ms AS "startedAtMs", noted_at_ms AS "notedAtMs",
		ended_at_ms AS "endedAtMs", done, steps, result FROM verifications ${condition}
		ORDER BY started_at_ms DESC, id DESC LIMIT 1`;
}
