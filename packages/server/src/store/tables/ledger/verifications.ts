import { OPERATORS, quickReads, type ReadLanes } from '../../read-lanes.ts';

/** What is known of verifications of the ledger. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface VerificationReads {
	/** The verification of the ledger that was begun last, and the last one that ended. */
	findVerifications(): Promise<{ readonly newest?: StoredVerification; readonly ended?: StoredVerification }>;
}

export interface StoredVerification {
	readonly id: string;
	/** The e-mail address of an operator, or `operator` for the command line. */
	readonly by: string;
	readonly startedAtMs: number;
	/** When its progress was last noted. */
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
