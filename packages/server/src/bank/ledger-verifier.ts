import type { BeginVerification } from '../commands/ledger/verify.ts';
import type { OwnChange } from '../commands/person-verb.ts';
import type { PersonOutcomeOf } from '../commands/registry.ts';
import type { LedgerReads } from '../store/tables/ledger/verifications.ts';
import type { Bank } from './bank.ts';
import { runVerification } from './run-verification.ts';

/** Verifies the ledger in the background of the service. */
export interface LedgerVerifier {
	/** Begins, if no verification runs in any process. Resolves once this is durable, before the ledger is read. */
	begin(id: string, by: OwnChange): Promise<PersonOutcomeOf<BeginVerification>>;
	/** Begins nothing more. Resolves once it is recorded that what runs here was not finished. */
	stop(): Promise<void>;
}

interface VerifierParts {
	readonly store: LedgerReads;
	readonly bank: Pick<Bank, 'changePerson' | 'keep'>;
	/** Called if a verification could not be finished. */
	readonly fault: (cause: unknown) => void;
}

export function createLedgerVerifier({ store, bank, fault }: VerifierParts): LedgerVerifier {
	const stopping = new AbortController();
	const underWay = new Set<Promise<void>>();

	async function run(id: string): Promise<void> {
		try {
			await runVerification({ store, bank }, id, stopping.signal);
		} catch (cause) {
			if (!stopping.signal.aborted) fault(cause);
		}
	}

	return {
		async begin(id, by) {
			if (stopping.signal.aborted) return { ok: false, error: 'not_done' };
			const outcome = await bank.changePerson({ kind: 'begin_verification', id, by });
			if (!outcome.ok) return outcome;
			const running = run(id).finally(() => underWay.delete(running));
			underWay.add(running);
			return outcome;
		},
		async stop() {
			stopping.abort();
			await Promise.all(underWay);
		},
	};
}
